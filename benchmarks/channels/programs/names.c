/* The reader of names.py for bots in C: it prints how long the search for each name takes, in nanoseconds. */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static long now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000L + now.tv_nsec;
}

int main(void)
{
    char line[4096], name[64];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    for (int place = 0; place < COUNT; place++) {
        long took = 0;
        for (int copy = 0; copy < COPIES; copy++) {
            snprintf(name, sizeof name, "/usr/lib/%s-%d-%d", KEY, place, copy);
            long began = now_ns();
            access(name, F_OK);
            took += now_ns() - began;
        }
        printf("%ld ", took);
    }
    puts("");
    fflush(stdout);
    pause();
}
