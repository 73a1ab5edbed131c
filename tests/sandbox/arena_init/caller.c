/* Make the system calls that stdin asks for, and say what came of each.
 *
 * A line is a call's number and its six arguments; the answer is a line with its errno, or 0. With the word "ia32"
 * before it, the number is called through the entrance of 32-bit programs, whose table is another one.
 */

#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static long through_ia32(long number) {
#if defined(__x86_64__)
    __asm__ volatile("int $0x80" : "+a"(number) : : "memory", "r8", "r9", "r10", "r11");
#endif
    return number;
}

int main(void) {
    char line[256];
    while (fgets(line, sizeof line, stdin) != NULL) {
        long call[7], got;
        if (strncmp(line, "ia32 ", 5) == 0 && sscanf(line + 5, "%ld", call) == 1)
            got = through_ia32(call[0]);
        else if (sscanf(line, "%ld %ld %ld %ld %ld %ld %ld", call, call + 1, call + 2, call + 3, call + 4, call + 5,
                        call + 6) == 7)
            got = syscall(call[0], call[1], call[2], call[3], call[4], call[5], call[6]);
        else
            return 1;
        printf("%d\n", got == -1 ? errno : 0);
        fflush(stdout);
    }
    return 0;
}
