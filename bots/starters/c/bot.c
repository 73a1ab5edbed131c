/* A first bot: any legal action of any variant. Copy the folder and replace the dice by a thought.
 *
 * It searches each line for what it needs instead of reading all of the JSON. That is sound: the arena
 * writes no spaces between the parts of a line, and actions and ranks consist of letters, digits and
 * signs that JSON never escapes, so a text ends at the next quotation mark.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CARDS_IN_LINE 5
#define RANKS_MAX 128

static const char *after(const char *line, const char *mark) {
    const char *found = strstr(line, mark);
    return found == NULL ? NULL : found + strlen(mark);
}

/* `list` stands at the first of some texts, such as "a4a5","b4b5"] */
static void play_any(const char *list) {
    const char *chosen = list;
    int length = 0, seen = 0;
    while (*list == '"') {
        const char *end = strchr(++list, '"');
        if (rand() % ++seen == 0) {
            chosen = list;
            length = (int)(end - list);
        }
        list = end[1] == ',' ? end + 2 : end + 1;
    }
    printf("{\"action\":\"%.*s\"}\n", length, chosen);
}

/* Set-ups are too many to be listed: shuffle the army over its places, or some of the hand. */
static void deploy(const char *line) {
    char ranks[RANKS_MAX];
    int count = 0;
    const char *hand = after(line, "\"hand\":[\""); /* at cards, such as B","2"]; the other hand is all null */
    const char *army = after(line, "\"garrison\":{"); /* in a siege, where it is one of several */
    if (army == NULL)
        army = after(line, "\"army\":{"); /* such as "F":1,"B":6} */
    while (army != NULL && *army == '"') {
        char *end;
        for (long left = strtol(army + 4, &end, 10); left > 0 && count < RANKS_MAX; left--)
            ranks[count++] = army[1];
        army = *end == ',' ? end + 1 : end;
    }
    for (const char *card = hand; card != NULL && count < RANKS_MAX; card = card[2] == ',' ? card + 4 : NULL)
        ranks[count++] = *card;
    for (int last = count - 1; last > 0; last--) {
        int other = rand() % (last + 1);
        char rank = ranks[last];
        ranks[last] = ranks[other];
        ranks[other] = rank;
    }
    printf("{\"action\":\"%.*s\"}\n", hand != NULL && count > CARDS_IN_LINE ? CARDS_IN_LINE : count, ranks);
}

int main(void) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        const char *seed = after(line, "\"rng_seed\":");
        const char *legal = after(line, "\"legal\":[");
        if (after(line, "\"type\":\"start\"")) {
            srand(seed == NULL ? 1 : (unsigned)strtoull(seed, NULL, 10));
            puts("{\"type\":\"ready\"}");
        } else if (after(line, "\"type\":\"act\"")) {
            if (legal != NULL)
                play_any(legal);
            else
                deploy(line);
        }
        fflush(stdout);
    }
    free(line);
    return 0;
}
