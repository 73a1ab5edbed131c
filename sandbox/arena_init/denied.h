/* The one list of system calls that a bot is refused. filter.c makes it a program for the kernel; sandbox/levels/filter.py
 * reads these same lines and makes the same program for bubblewrap. So each row stands on a line of its own.
 *
 * It is what a game has no use for and a kernel has had trouble with, or what reaches beyond the bot. What is not named
 * is allowed: interpreters need most of the rest, and Docker's own profile goes on refusing more, beneath this. Calls
 * that are newer than the list do not exist for a bot at all (NEWEST_CALL in filter.h).
 *
 *   REFUSE(name, x86_64, aarch64)      the call and its number on either machine
 *   REFUSE_X86(name, x86_64)           a call that aarch64 never had
 *   NOT_THERE(name, x86_64, aarch64)   answered with ENOSYS, so that libc falls back to an older call
 *   PRETEND(name, x86_64, aarch64)     answered with success, and not done
 *   UNLESS_EQUAL(name, x86_64, aarch64, argument, word, value)   refused unless that argument, counted from 0, is that
 *   IF_EQUAL(...)                                                refused if it is that
 *   IF_ANY(...)                                                  refused if it has any of those bits
 *   PRETEND_IF_EQUAL(...)                                        answered with success, and not done, if it is that
 *   PRETEND_IF_ANY(...)                                          answered with success, and not done, if it has
 */

/* Sockets. A network namespace does not stop all: AF_VSOCK reaches the hypervisor, AF_ALG the page cache. A pair that is
 * connected to itself is a pipe; asyncio and others wake themselves through one. */
REFUSE(socket, 41, 198)
UNLESS_EQUAL(socketpair, 53, 199, 0, AF_UNIX, 1)
REFUSE(connect, 42, 203)
REFUSE(bind, 49, 200)
REFUSE(listen, 50, 201)
REFUSE(accept, 43, 202)
REFUSE(accept4, 288, 242)

/* Namespaces. In a user namespace of its own a bot would have every capability. clone3() keeps its flags in memory, where
 * no filter can look. */
REFUSE(unshare, 272, 97)
REFUSE(setns, 308, 268)
IF_ANY(clone, 56, 220, 0, CLONE_NEW_ANY, 0x7e020000)
NOT_THERE(clone3, 435, 435)

/* Other processes. Process 1 has the bot's user id, and for many calls that is all the permission that is asked for: a CPU
 * limit of one second or the idle class on process 1, and a bot could end its container or put off its own death. Linux
 * keeps signals from it; gVisor, which may stand in for Linux, does not, neither those sent nor those that a file sends. */
REFUSE(ptrace, 101, 117)
REFUSE(process_vm_readv, 310, 270)
REFUSE(process_vm_writev, 311, 271)
REFUSE(process_madvise, 440, 440)
REFUSE(process_mrelease, 448, 448)
REFUSE(pidfd_getfd, 438, 438)
REFUSE(kcmp, 312, 272)
REFUSE(move_pages, 279, 239)
REFUSE(migrate_pages, 256, 238)
IF_EQUAL(kill, 62, 129, 0, FIRST_PROCESS, 1)
IF_EQUAL(tkill, 200, 130, 0, FIRST_PROCESS, 1)
IF_EQUAL(tgkill, 234, 131, 0, FIRST_PROCESS, 1)
IF_EQUAL(rt_sigqueueinfo, 129, 138, 0, FIRST_PROCESS, 1)
IF_EQUAL(rt_tgsigqueueinfo, 297, 240, 0, FIRST_PROCESS, 1)
IF_EQUAL(fcntl, 72, 25, 1, F_SETOWN, 8)
IF_EQUAL(fcntl, 72, 25, 1, F_SETOWN_EX, 15)
IF_EQUAL(ioctl, 16, 29, 1, FIOSETOWN, 0x8901)
IF_EQUAL(ioctl, 16, 29, 1, SIOCSPGRP, 0x8902)
REFUSE(pidfd_send_signal, 424, 424)
UNLESS_EQUAL(prlimit64, 302, 261, 0, OURSELVES, 0)
UNLESS_EQUAL(ioprio_set, 251, 30, 0, IOPRIO_WHO_PROCESS, 1)
UNLESS_EQUAL(ioprio_set, 251, 30, 1, OURSELVES, 0)

/* How the kernel schedules the bot itself. A task that takes a low priority or chooses a busy processor waits for the CPU
 * because it wants to, and arena_init could not tell that from a host that is short of CPU time. */
REFUSE(setpriority, 141, 140)
REFUSE(sched_setparam, 142, 118)
REFUSE(sched_setscheduler, 144, 119)
REFUSE(sched_setattr, 314, 274)
REFUSE(sched_setaffinity, 203, 122)

/* Messages to another container, part one: locks and watches. They belong to a file of the kernel, and many files exist
 * once for all containers: those of an image, and the one behind every epoll, timer and event descriptor. Each range of
 * bytes of such a file is a bit that all can set and see. What a bot locks by itself lies in its own folder, where nobody
 * else is: success is no lie, and a database or a virtual machine goes on. Asking who holds a lock is refused. */
PRETEND_IF_ANY(flock, 73, 32, 1, LOCK_ANY, 0xf)
PRETEND_IF_EQUAL(fcntl, 72, 25, 1, F_SETLK, 6)
PRETEND_IF_EQUAL(fcntl, 72, 25, 1, F_SETLKW, 7)
PRETEND_IF_EQUAL(fcntl, 72, 25, 1, F_OFD_SETLK, 37)
PRETEND_IF_EQUAL(fcntl, 72, 25, 1, F_OFD_SETLKW, 38)
IF_EQUAL(fcntl, 72, 25, 1, F_GETLK, 5)
IF_EQUAL(fcntl, 72, 25, 1, F_OFD_GETLK, 36)
IF_EQUAL(fcntl, 72, 25, 1, F_SETLEASE, 1024)
IF_EQUAL(fcntl, 72, 25, 1, F_GETLEASE, 1025)
IF_EQUAL(fcntl, 72, 25, 1, F_NOTIFY, 1026)
REFUSE_X86(inotify_init, 253)
REFUSE(inotify_init1, 294, 26)
REFUSE(inotify_add_watch, 254, 27)
REFUSE(inotify_rm_watch, 255, 28)

/* Part two: what the host keeps in memory of files that containers share. A bot may read a file, and time it, but neither
 * ask whether it is there nor send it away. Advice is only advice: success without effect. Merged pages are shared. */
PRETEND(fadvise64, 221, 223)
PRETEND(readahead, 187, 213)
PRETEND_IF_EQUAL(madvise, 28, 233, 2, MADV_COLD, 20)
PRETEND_IF_EQUAL(madvise, 28, 233, 2, MADV_PAGEOUT, 21)
PRETEND_IF_EQUAL(madvise, 28, 233, 2, MADV_MERGEABLE, 12)
PRETEND_IF_EQUAL(madvise, 28, 233, 2, MADV_HUGEPAGE, 14)
PRETEND_IF_EQUAL(madvise, 28, 233, 2, MADV_COLLAPSE, 25)
REFUSE(mincore, 27, 232)
UNLESS_EQUAL(preadv2, 327, 286, 5, NO_FLAGS, 0)
UNLESS_EQUAL(pwritev2, 328, 287, 5, NO_FLAGS, 0)

/* Part three: numbers that the kernel counts for the whole host. Those of event descriptors stand in /proc/self/fdinfo;
 * interpreters that cannot do without one get a pipe instead (eventfd.c). */
REFUSE(eventfd2, 290, 19)
REFUSE_X86(eventfd, 284)
REFUSE(sysinfo, 99, 179)
REFUSE_X86(ustat, 136)
REFUSE(pidfd_open, 434, 434)
IF_ANY(clone, 56, 220, 0, CLONE_PIDFD, 0x1000)
IF_EQUAL(getsockopt, 55, 209, 2, SO_COOKIE, 57)
IF_EQUAL(getsockopt, 55, 209, 2, SO_PEERPIDFD, 77)
IF_EQUAL(setsockopt, 54, 208, 2, SO_PASSPIDFD, 76)

/* Work that another process of the kernel does, on other cores and for nobody's account: what is written to one end of a
 * pseudo-terminal is carried to the other by the kernel's own workers, eleven times the bot's own work; they also look
 * for sockets that only hold each other, after each descriptor that was sent through one; a barrier on all cores
 * interrupts each of them. */
IF_EQUAL(ioctl, 16, 29, 1, TIOCSPTLCK, 0x40045431)
IF_EQUAL(ioctl, 16, 29, 1, TIOCGPTPEER, 0x5441)
IF_EQUAL(ioctl, 16, 29, 1, TIOCGPTN, 0x80045430)
IF_EQUAL(ioctl, 16, 29, 1, TIOCSETD, 0x5423)
REFUSE(sendmsg, 46, 211)
REFUSE(sendmmsg, 307, 269)
REFUSE(membarrier, 324, 283)

/* Programs from memory: nothing that a bot writes may be executed, and /tmp is mounted so. */
REFUSE(memfd_create, 319, 279)
REFUSE(memfd_secret, 447, 447)
REFUSE(execveat, 322, 281)

/* Ways around the rest: work handed to the kernel, programs inside the kernel, and what exploits of the kernel are made of
 * (user-space page faults to win races, keyrings and vmsplice to shape its memory, segments of the bot's own making). */
REFUSE(io_uring_setup, 425, 425)
REFUSE(io_uring_enter, 426, 426)
REFUSE(io_uring_register, 427, 427)
REFUSE(io_setup, 206, 0)
REFUSE(bpf, 321, 280)
REFUSE(seccomp, 317, 277)
IF_EQUAL(prctl, 157, 167, 0, PR_SET_SECCOMP, 22)
REFUSE(perf_event_open, 298, 241)
REFUSE(userfaultfd, 323, 282)
REFUSE(add_key, 248, 217)
REFUSE(request_key, 249, 218)
REFUSE(keyctl, 250, 219)
REFUSE(vmsplice, 278, 75)
REFUSE_X86(modify_ldt, 154)
REFUSE_X86(uselib, 134)
UNLESS_EQUAL(personality, 135, 92, 0, ONLY_ASK, 0xffffffff)

/* Memory that outlives its maker, and queues between processes that nobody counts against a bot. */
REFUSE(shmget, 29, 194)
REFUSE(shmat, 30, 196)
REFUSE(shmctl, 31, 195)
REFUSE(shmdt, 67, 197)
REFUSE(semget, 64, 190)
REFUSE(semop, 65, 193)
REFUSE(semctl, 66, 191)
REFUSE(semtimedop, 220, 192)
REFUSE(msgget, 68, 186)
REFUSE(msgsnd, 69, 189)
REFUSE(msgrcv, 70, 188)
REFUSE(msgctl, 71, 187)
REFUSE(mq_open, 240, 180)
REFUSE(mq_unlink, 241, 181)
REFUSE(mq_timedsend, 242, 182)
REFUSE(mq_timedreceive, 243, 183)
REFUSE(mq_notify, 244, 184)
REFUSE(mq_getsetattr, 245, 185)

/* Pipes of a megabyte that the runner would keep in memory, and keys typed into somebody's terminal. */
IF_EQUAL(fcntl, 72, 25, 1, F_SETPIPE_SZ, 1031)
IF_EQUAL(ioctl, 16, 29, 1, TIOCSTI, 0x5412)
IF_EQUAL(ioctl, 16, 29, 1, TIOCLINUX, 0x541c)

/* Mounts and files by handle: both lead out of the folders that a bot is shown. */
REFUSE(mount, 165, 40)
REFUSE(umount2, 166, 39)
REFUSE(pivot_root, 155, 41)
REFUSE(chroot, 161, 51)
REFUSE(open_tree, 428, 428)
REFUSE(move_mount, 429, 429)
REFUSE(fsopen, 430, 430)
REFUSE(fsconfig, 431, 431)
REFUSE(fsmount, 432, 432)
REFUSE(fspick, 433, 433)
REFUSE(mount_setattr, 442, 442)
REFUSE(name_to_handle_at, 303, 264)
REFUSE(open_by_handle_at, 304, 265)
REFUSE(fanotify_init, 300, 262)
REFUSE(fanotify_mark, 301, 263)

/* The host's disk. A read-only file is enough to have it flushed thousands of times a second, for hardly any CPU time.
 * Nothing that a bot writes lies on a disk: success is no lie, and a database goes on. Files opened with O_SYNC need no
 * row, since only writing to them flushes. msync() of what cannot be written flushes under gVisor, not under Linux; other
 * uses of it, as to ask whether an address is mapped, pass. sync() is refused: it answers programs nothing, so only a
 * refusal can be seen to be in force. */
PRETEND(fsync, 74, 82)
PRETEND(fdatasync, 75, 83)
PRETEND(sync_file_range, 277, 84)
PRETEND(syncfs, 306, 267)
PRETEND_IF_ANY(msync, 26, 227, 2, MS_SYNC, 4)
REFUSE(sync, 162, 81)

/* The machine itself. */
REFUSE(quotactl, 179, 60)
REFUSE(quotactl_fd, 443, 443)
REFUSE(swapon, 167, 224)
REFUSE(swapoff, 168, 225)
REFUSE(reboot, 169, 142)
REFUSE(kexec_load, 246, 104)
REFUSE(kexec_file_load, 320, 294)
REFUSE(init_module, 175, 105)
REFUSE(finit_module, 313, 273)
REFUSE(delete_module, 176, 106)
REFUSE(acct, 163, 89)
REFUSE(syslog, 103, 116)
REFUSE(vhangup, 153, 58)
REFUSE(sethostname, 170, 161)
REFUSE(setdomainname, 171, 162)
REFUSE(settimeofday, 164, 170)
REFUSE(clock_settime, 227, 112)
REFUSE(adjtimex, 159, 171)
REFUSE(clock_adjtime, 305, 266)
REFUSE(mbind, 237, 235)
REFUSE(set_mempolicy, 238, 237)
REFUSE(set_mempolicy_home_node, 450, 450)
REFUSE_X86(iopl, 172)
REFUSE_X86(ioperm, 173)
