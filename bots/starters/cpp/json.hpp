// A small reader of JSON (RFC 8259).
#pragma once

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

class Json {
public:
    enum class Kind { null, boolean, number, text, list, object };

    Kind kind = Kind::null;
    bool boolean = false;
    double number = 0;
    std::string text;
    std::vector<Json> items;        // of a list, or the values of an object
    std::vector<std::string> keys;  // of an object, one for each value

    // Read a line of JSON. Throw std::invalid_argument if it is none.
    static Json read(const std::string &line) {
        const char *at = line.c_str();
        Json value = read_value(at);
        skip(at);
        if (*at != '\0')
            throw std::invalid_argument("something follows the JSON");
        return value;
    }

    // Return the value of a key, or nullptr where there is none.
    const Json *find(const std::string &key) const {
        for (std::size_t index = 0; index < keys.size(); index++)
            if (keys[index] == key)
                return &items[index];
        return nullptr;
    }

    // Return the value of a key. Throw std::out_of_range where there is none.
    const Json &operator[](const std::string &key) const {
        const Json *value = find(key);
        if (value == nullptr)
            throw std::out_of_range("there is no key " + key);
        return *value;
    }

private:
    static void skip(const char *&at) {
        while (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n')
            at++;
    }

    static bool word(const char *&at, const std::string &expected) {
        if (std::string(at).compare(0, expected.size(), expected) != 0)
            return false;
        at += expected.size();
        return true;
    }

    static Json read_value(const char *&at) {
        Json value;
        skip(at);
        if (*at == '"') {
            value.kind = Kind::text;
            value.text = read_text(at);
        } else if (*at == '{' || *at == '[') {
            read_items(at, value);
        } else if (*at == 't' || *at == 'f') {
            value.kind = Kind::boolean;
            value.boolean = *at == 't';
            if (!word(at, value.boolean ? "true" : "false"))
                throw std::invalid_argument("an unknown word");
        } else if (*at == 'n') {
            if (!word(at, "null"))
                throw std::invalid_argument("an unknown word");
        } else {
            char *end;
            value.kind = Kind::number;
            value.number = std::strtod(at, &end);
            if (end == at)
                throw std::invalid_argument("there is no value");
            at = end;
        }
        return value;
    }

    static void read_items(const char *&at, Json &value) {
        const char closing = *at == '{' ? '}' : ']';
        value.kind = *at == '{' ? Kind::object : Kind::list;
        skip(++at);
        if (*at == closing) {
            at++;
            return;
        }
        for (;;) {
            if (value.kind == Kind::object) {
                skip(at);
                value.keys.push_back(read_text(at));
                skip(at);
                if (*at++ != ':')
                    throw std::invalid_argument("a key without a value");
            }
            value.items.push_back(read_value(at));
            skip(at);
            const char mark = *at == '\0' ? '\0' : *at++;
            if (mark == closing)
                return;
            if (mark != ',')
                throw std::invalid_argument("a list or an object without an end");
        }
    }

    static std::string read_text(const char *&at) {
        static const std::string letters = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
        std::string text;
        if (*at != '"')
            throw std::invalid_argument("a key that is no text");
        for (at++; *at != '"';) {
            if (*at == '\0')
                throw std::invalid_argument("a text without an end");
            if (*at != '\\') {
                text += *at++;
                continue;
            }
            const auto place = letters.find(*++at);
            if (*at == 'u') {
                at++;
                add_utf8(text, read_character(at));
            } else if (*at != '\0' && place != std::string::npos) {
                text += meant[place];
                at++;
            } else {
                throw std::invalid_argument("an unknown escape");
            }
        }
        at++;
        return text;
    }

    static unsigned long read_hex(const char *&at) {
        std::size_t used = 0;
        const unsigned long number = std::stoul(std::string(at).substr(0, 4), &used, 16);
        if (used != 4)
            throw std::invalid_argument("an escape of a character has four digits");
        at += 4;
        return number;
    }

    static unsigned long read_character(const char *&at) {
        const unsigned long code = read_hex(at);
        if (code < 0xD800 || code >= 0xDC00 || at[0] != '\\' || at[1] != 'u')
            return code;
        at += 2;  // the second of two halves follows
        return 0x10000 + ((code - 0xD800) << 10) + (read_hex(at) - 0xDC00);
    }

    static void add_utf8(std::string &text, unsigned long code) {
        if (code < 0x80) {
            text += static_cast<char>(code);
            return;
        }
        int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
        text += static_cast<char>((0xFF00 >> (more + 1) & 0xFF) | code >> 6 * more);
        while (more-- > 0)
            text += static_cast<char>(0x80 | (code >> 6 * more & 0x3F));
    }
};
