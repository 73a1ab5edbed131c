/* The list of denied.h as a program that the kernel runs before each system call.
 *
 * Each row becomes a few instructions of its own that end in an answer or go on with the next row, the call's number still
 * loaded. Nothing jumps further than its row, so the program can be read, and changed, row by row. The order of the rows
 * means nothing, and a call may have several. Since Linux 5.11 the kernel works out once which numbers always pass and
 * asks no more about those: a long list costs the calls of a game nothing.
 *
 * Arguments: every one that is looked at is a 32-bit number to the kernel, or (clone) has all its flags there. The kernel
 * drops the upper half, so the filter does not look at it either: with 1 << 32 added, F_SETPIPE_SZ is still F_SETPIPE_SZ.
 * What an argument points at cannot be seen from here, and no row depends on it.
 */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/ioprio.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "filter.h"

#if defined(__x86_64__)
#define OUR_ARCH AUDIT_ARCH_X86_64
#define NUMBER(x86_64, aarch64) x86_64
#define ON_X86(...) __VA_ARGS__
#elif defined(__aarch64__)
#define OUR_ARCH AUDIT_ARCH_AARCH64
#define NUMBER(x86_64, aarch64) aarch64
#define ON_X86(...)
#else
#error "denied.h has no system call numbers for this machine"
#endif

/* Above this bit x86-64 has a second table of the same calls, under the same architecture: "x32". */
#define X32_CALLS 0x40000000

/* Words that denied.h uses and no header has. */
#define OURSELVES 0
#define FIRST_PROCESS 1
#define ONLY_ASK 0xffffffff
#define NO_FLAGS 0
#define LOCK_ANY (LOCK_SH | LOCK_EX | LOCK_NB | LOCK_UN)
#define CLONE_NEW_ANY                                                                                                    \
    (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)

/* Words that only newer headers have. */
#ifndef SO_PEERPIDFD
#define SO_PASSPIDFD 76
#define SO_PEERPIDFD 77
#endif
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

/* First reading of the list: every number in it is what the headers of the machine say. */
#define IS(name, x86_64, aarch64) _Static_assert(__NR_##name == NUMBER(x86_64, aarch64), #name);
#define IS_WORD(name, x86_64, aarch64, argument, word, value) \
    IS(name, x86_64, aarch64) _Static_assert((word) == (value) && (argument) < 6, #name " " #word);
#define REFUSE IS
#define REFUSE_X86(name, x86_64) ON_X86(IS(name, x86_64, 0))
#define NOT_THERE IS
#define PRETEND IS
#define UNLESS_EQUAL IS_WORD
#define IF_EQUAL IS_WORD
#define IF_ANY IS_WORD
#define PRETEND_IF_EQUAL IS_WORD
#define PRETEND_IF_ANY IS_WORD
#include "denied.h"
#undef REFUSE
#undef REFUSE_X86
#undef NOT_THERE
#undef PRETEND
#undef UNLESS_EQUAL
#undef IF_EQUAL
#undef IF_ANY
#undef PRETEND_IF_EQUAL
#undef PRETEND_IF_ANY

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the lower half of an argument comes first");

/* Second reading: instructions. A jump gives how many to leave out where its test holds, and where it does not. */
#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define JUMP(test, value, held, failed) BPF_JUMP(BPF_JMP | (test) | BPF_K, value, held, failed)
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)
#define ANSWER(error) RETURN(SECCOMP_RET_ERRNO | (error))
#define DONE 0 /* the errno of success */
#define ROW(number, error) JUMP(BPF_JEQ, number, 0, 1), ANSWER(error),
#define ARGUMENT_ROW(number, argument, test, value, held, failed, error) \
    JUMP(BPF_JEQ, number, 0, 4), LOAD(args[argument]), JUMP(test, value, held, failed), ANSWER(error), LOAD(nr),

#define REFUSE(name, x86_64, aarch64) ROW(NUMBER(x86_64, aarch64), EPERM)
#define REFUSE_X86(name, x86_64) ON_X86(ROW(x86_64, EPERM))
#define NOT_THERE(name, x86_64, aarch64) ROW(NUMBER(x86_64, aarch64), ENOSYS)
#define PRETEND(name, x86_64, aarch64) ROW(NUMBER(x86_64, aarch64), DONE)
#define UNLESS_EQUAL(name, x86_64, aarch64, argument, word, value) \
    ARGUMENT_ROW(NUMBER(x86_64, aarch64), argument, BPF_JEQ, value, 1, 0, EPERM)
#define IF_EQUAL(name, x86_64, aarch64, argument, word, value) \
    ARGUMENT_ROW(NUMBER(x86_64, aarch64), argument, BPF_JEQ, value, 0, 1, EPERM)
#define IF_ANY(name, x86_64, aarch64, argument, word, value) \
    ARGUMENT_ROW(NUMBER(x86_64, aarch64), argument, BPF_JSET, value, 0, 1, EPERM)
#define PRETEND_IF_EQUAL(name, x86_64, aarch64, argument, word, value) \
    ARGUMENT_ROW(NUMBER(x86_64, aarch64), argument, BPF_JEQ, value, 0, 1, DONE)
#define PRETEND_IF_ANY(name, x86_64, aarch64, argument, word, value) \
    ARGUMENT_ROW(NUMBER(x86_64, aarch64), argument, BPF_JSET, value, 0, 1, DONE)

static struct sock_filter instructions[] = {
    /* Other entrances to the kernel number their calls differently: no honest program takes one. */
    LOAD(arch),
    JUMP(BPF_JEQ, OUR_ARCH, 1, 0),
    RETURN(SECCOMP_RET_KILL_PROCESS),
    LOAD(nr),
    JUMP(BPF_JGE, X32_CALLS, 0, 1),
    RETURN(SECCOMP_RET_KILL_PROCESS),
    JUMP(BPF_JGT, NEWEST_CALL, 0, 1),
    ANSWER(ENOSYS),
#include "denied.h"
    RETURN(SECCOMP_RET_ALLOW),
};

const struct sock_fprog filter = {.len = sizeof instructions / sizeof *instructions, .filter = instructions};

int refuse_calls(void) {
    /* Without this the kernel takes no filter from a user without privilege: setuid programs would run under it. */
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        return -1;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0);
}
