/* eventfd() by a pipe, for interpreters that do not start without it.
 *
 * The kernel numbers event descriptors for the whole host, and everybody can read the number of his own, so the filter
 * refuses them (denied.h). Node.js and Java wake their threads through one: they write 8 bytes to a descriptor and read
 * from the same one. A named pipe that is open for both does that too. /etc/ld.so.preload puts this before libc.
 */

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

int eventfd(unsigned int count, int flags) {
    static unsigned int made;
    char path[64];
    snprintf(path, sizeof path, "/tmp/.eventfd-%d-%u", getpid(), __atomic_add_fetch(&made, 1, __ATOMIC_RELAXED));
    if (mkfifo(path, 0600) < 0)
        return -1;
    int descriptor = open(path, O_RDWR | (flags & (EFD_NONBLOCK | EFD_CLOEXEC)));
    unlink(path);
    eventfd_t value = count;
    if (descriptor >= 0 && count > 0 && write(descriptor, &value, sizeof value) < 0) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}
