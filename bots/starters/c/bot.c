/* A first bot: any legal action of any variant. Replace the dice by a thought. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"

#define RANKS_MAX 128

/* Choose one of the legal actions, such as "a4a5". */
static const char *choose(const Json *legal) {
    const Json *action = legal->first;
    for (int left = rand() % json_count(legal); left > 0; left--)
        action = action->next;
    return action->text;
}

static void shuffle(char *ranks, int count) {
    for (int last = count - 1; last > 0; last--) {
        int other = rand() % (last + 1);
        char rank = ranks[last];
        ranks[last] = ranks[other];
        ranks[other] = rank;
    }
}

/* Set up: shuffle the army over its places, or put some of the hand into the line. */
static const char *deploy(const Json *view) {
    static char ranks[RANKS_MAX + 1];
    int count = 0;
    const Json *army = json_get(view, "army"); /* how many there are of each rank; cards have none */
    const Json *seat = json_get(json_get(view, "seats"), json_text(view, "observer"));
    if (json_get(army, "garrison") != NULL) /* in siege, one of three armies */
        army = json_get(army, "garrison");
    for (const Json *rank = army == NULL ? NULL : army->first; rank != NULL; rank = rank->next)
        for (int left = (int)rank->number; left > 0 && count < RANKS_MAX; left--)
            ranks[count++] = rank->key[0];
    if (army == NULL) {
        const Json *hand = json_get(seat, "hand");
        for (const Json *card = hand->first; card != NULL && count < RANKS_MAX; card = card->next)
            ranks[count++] = card->text[0];
    }
    shuffle(ranks, count);
    int places = army == NULL ? json_count(json_get(seat, "line")) : count;
    ranks[count < places ? count : places] = '\0';
    return ranks;
}

int main(void) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        Json *message = json_read(line);
        const char *type = json_text(message, "type");
        if (strcmp(type, "start") == 0) {
            const Json *seed = json_get(message, "rng_seed");
            srand(seed == NULL ? 1 : (unsigned)(unsigned long long)seed->number);
            puts("{\"type\":\"ready\"}");
        } else if (strcmp(type, "act") == 0) {
            const Json *legal = json_get(message, "legal"); /* missing where there are too many to list */
            const char *action = legal != NULL ? choose(legal) : deploy(json_get(message, "view"));
            printf("{\"action\":\"%s\"}\n", action);
        }
        fflush(stdout);
        json_free(message);
    }
    free(line);
    return 0;
}
