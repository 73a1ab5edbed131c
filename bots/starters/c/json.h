/* A small reader of JSON (RFC 8259). It unescapes texts where they stand, so it changes the line that it reads. */
#ifndef JSON_H
#define JSON_H

#include <stdlib.h>
#include <string.h>

typedef enum { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_TEXT, JSON_LIST, JSON_OBJECT } JsonKind;

typedef struct Json {
    JsonKind kind;
    const char *key;     /* of a value in an object */
    const char *text;    /* of a JSON_TEXT; valid as long as the line */
    double number;       /* of a JSON_NUMBER */
    struct Json *first;  /* of the values in a list or an object */
    struct Json *next;   /* value in the same list or object */
} Json;

/* Free a value with all that is in it. */
static inline void json_free(Json *value) {
    while (value != NULL) {
        Json *next = value->next;
        json_free(value->first);
        free(value);
        value = next;
    }
}

/* Return the value of a key, or NULL where there is none. */
static inline const Json *json_get(const Json *object, const char *key) {
    if (object == NULL || object->kind != JSON_OBJECT)
        return NULL;
    for (const Json *value = object->first; value != NULL; value = value->next)
        if (strcmp(value->key, key) == 0)
            return value;
    return NULL;
}

/* Return the text of a key, or "" where there is none. */
static inline const char *json_text(const Json *object, const char *key) {
    const Json *value = json_get(object, key);
    return value != NULL && value->kind == JSON_TEXT ? value->text : "";
}

/* Count the values in a list or an object. */
static inline int json_count(const Json *list) {
    int count = 0;
    for (const Json *value = list == NULL ? NULL : list->first; value != NULL; value = value->next)
        count++;
    return count;
}

static inline char *json_skip_(char *at) {
    return at + strspn(at, " \t\r\n");
}

/* Read four hexadecimal digits, and write nothing: return the number, or -1. */
static inline long json_hex_(const char *at) {
    char digits[5] = {0}, *end;
    memcpy(digits, at, strnlen(at, 4));
    long number = strtol(digits, &end, 16);
    return end == digits + 4 ? number : -1;
}

/* Write a character as UTF-8, which is never longer than its escape; return where the next one goes. */
static inline char *json_utf8_(char *out, long code) {
    if (code < 0x80) {
        *out++ = (char)code;
        return out;
    }
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    *out++ = (char)((0xFF00 >> (more + 1) & 0xFF) | code >> 6 * more);
    while (more-- > 0)
        *out++ = (char)(0x80 | (code >> 6 * more & 0x3F));
    return out;
}

/* Unescape a text that begins at a quotation mark; set `end` behind it. Return NULL if it is none. */
static inline char *json_unescape_(char *at, char **end) {
    static const char LETTERS[] = "\"\\/bfnrt", MEANT[] = "\"\\/\b\f\n\r\t";
    if (*at++ != '"')
        return NULL;
    char *text = at, *out = at;
    while (*at != '"') {
        if (*at == '\0')
            return NULL;
        if (*at != '\\') {
            *out++ = *at++;
            continue;
        }
        const char *letter = at[1] == '\0' ? NULL : strchr(LETTERS, at[1]);
        if (letter != NULL) {
            *out++ = MEANT[letter - LETTERS];
            at += 2;
            continue;
        }
        long code = at[1] == 'u' ? json_hex_(at + 2) : -1;
        if (code < 0)
            return NULL;
        at += 6;
        if (code >= 0xD800 && code < 0xDC00 && at[0] == '\\' && at[1] == 'u') { /* the first of two halves */
            code = 0x10000 + ((code - 0xD800) << 10) + (json_hex_(at + 2) - 0xDC00);
            at += 6;
        }
        out = json_utf8_(out, code);
    }
    *out = '\0';
    *end = at + 1;
    return text;
}

/* Read one value; set `end` behind it. Return NULL if it is none. */
static inline Json *json_value_(char *at, char **end) {
    Json *value = (Json *)calloc(1, sizeof(Json));
    at = json_skip_(at);
    if (*at == '"') {
        value->kind = JSON_TEXT;
        value->text = json_unescape_(at, end);
        if (value->text != NULL)
            return value;
    } else if (*at == '{' || *at == '[') {
        char closing = *at == '{' ? '}' : ']';
        Json **last = &value->first;
        value->kind = *at == '{' ? JSON_OBJECT : JSON_LIST;
        at = json_skip_(at + 1);
        if (*at == closing) {
            *end = at + 1;
            return value;
        }
        for (;;) {
            const char *key = NULL;
            if (closing == '}') {
                key = json_unescape_(json_skip_(at), &at);
                at = key == NULL ? at : json_skip_(at);
                if (key == NULL || *at++ != ':')
                    break;
            }
            *last = json_value_(at, &at);
            if (*last == NULL)
                break;
            (*last)->key = key;
            last = &(*last)->next;
            at = json_skip_(at);
            if (*at == closing) {
                *end = at + 1;
                return value;
            }
            if (*at++ != ',')
                break;
        }
    } else if (strncmp(at, "null", 4) == 0 || strncmp(at, "true", 4) == 0) {
        value->kind = *at == 'n' ? JSON_NULL : JSON_TRUE;
        *end = at + 4;
        return value;
    } else if (strncmp(at, "false", 5) == 0) {
        value->kind = JSON_FALSE;
        *end = at + 5;
        return value;
    } else {
        value->kind = JSON_NUMBER;
        value->number = strtod(at, end);
        if (*end != at)
            return value;
    }
    json_free(value);
    return NULL;
}

/* Read a line of JSON. Return NULL if it is none. Free the value with json_free. */
static inline Json *json_read(char *line) {
    char *end = line;
    Json *value = json_value_(line, &end);
    if (value != NULL && *json_skip_(end) != '\0') {
        json_free(value);
        return NULL;
    }
    return value;
}

#endif
