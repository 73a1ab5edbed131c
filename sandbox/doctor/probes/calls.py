"""System calls that no bot needs: test every row of the filter's list, and ways around it.

A row of the list holds if the call ends with exactly the errno that the filter returns: other
errors come from the kernel behind it, and show that the call got there. If the filter returns
success without doing anything, any error shows that too: the kernel would refuse these arguments.
"""

import ctypes
import errno
import fcntl
import mmap
import os
import platform
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

from sandbox.doctor.probes.caps import LIBC, start
from sandbox.levels import filter as refused

# A call whose rows belong to several classes is named with a row's word, in all of them but one.
CLASSES = {
    "sockets": ("socket", "socketpair", "connect", "bind", "listen", "accept", "accept4"),
    "namespaces": ("unshare", "setns", "clone", "clone3"),
    "other_processes": (
        *("ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_getfd"),
        *("process_mrelease", "kcmp", "move_pages", "migrate_pages", "kill", "tkill", "tgkill"),
        *("rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal"),
    ),
    "limits_of_others": (
        *("prlimit64", "setpriority", "ioprio_set", "sched_setparam", "sched_setscheduler"),
        *("sched_setattr", "sched_setaffinity"),
    ),
    "memory_programs": ("memfd_create", "memfd_secret", "execveat"),
    "io_uring": ("io_uring_setup", "io_uring_enter", "io_uring_register", "io_setup"),
    "keyrings": ("add_key", "request_key", "keyctl"),
    "kernel_interfaces": (
        *("bpf", "seccomp", "prctl", "perf_event_open", "userfaultfd", "vmsplice", "modify_ldt"),
        *("uselib", "personality", "ioctl"),
    ),
    "shared_queues": (
        *("shmget", "shmat", "shmctl", "shmdt", "semget", "semop", "semctl", "semtimedop"),
        *("msgget", "msgsnd", "msgrcv", "msgctl", "mq_open", "mq_unlink", "mq_timedsend"),
        *("mq_timedreceive", "mq_notify", "mq_getsetattr"),
    ),
    "pipe_size": ("fcntl",),
    "mounts": (
        *("mount", "umount2", "pivot_root", "chroot", "open_tree", "move_mount", "fsopen"),
        *("fsconfig", "fsmount", "fspick", "mount_setattr", "name_to_handle_at"),
        *("open_by_handle_at", "fanotify_init", "fanotify_mark"),
    ),
    "locks": (
        *("flock", "fcntl F_SETLK", "fcntl F_SETLKW", "fcntl F_OFD_SETLK", "fcntl F_OFD_SETLKW"),
        *("fcntl F_GETLK", "fcntl F_OFD_GETLK", "fcntl F_SETLEASE", "fcntl F_GETLEASE"),
        *("fcntl F_NOTIFY", "inotify_init", "inotify_init1", "inotify_add_watch"),
        "inotify_rm_watch",
    ),
    "page_cache": ("fadvise64", "readahead", "madvise", "mincore", "preadv2", "pwritev2"),
    "numbers_of_host": (
        *("eventfd2", "eventfd", "sysinfo", "ustat", "pidfd_open", "clone CLONE_PIDFD"),
        *("getsockopt", "setsockopt"),
    ),
    "others_work": (
        *("ioctl TIOCSPTLCK", "ioctl TIOCGPTPEER", "ioctl TIOCGPTN", "ioctl TIOCSETD"),
        *("sendmsg", "sendmmsg", "membarrier"),
    ),
    "host_disk": ("fsync", "fdatasync", "sync_file_range", "syncfs", "msync", "sync"),
    "machine": (
        *("quotactl", "quotactl_fd", "swapon", "swapoff", "reboot"),
        *("kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "acct"),
        *("syslog", "vhangup", "sethostname", "setdomainname", "settimeofday", "clock_settime"),
        *("adjtimex", "clock_adjtime", "mbind", "set_mempolicy", "set_mempolicy_home_node"),
        *("iopl", "ioperm"),
    ),
}
ARGUMENTS = 6
AT_WORD = 3  # in what follows the name of a call in a row
NOWHERE = -1  # for an argument that no row tests: no descriptor, no address, no process
UPPER_HALF = 1 << 32  # the kernel ignores it in a 32-bit argument, and so must the filter
FAMILIES = range(1, 64)
KINDS = (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET)
X32_CALL = 0x40000000
X86_GETPID = 39
INT80_GETPID = bytes.fromhex("b814000000 cd80 c3")  # mov eax, 20; int 0x80; ret
NEW_CALLS = range(refused.newest_call() + 1, refused.newest_call() + 20)
MIB = 1 << 20

Attempt = tuple[int, tuple[int, ...], int]  # number, arguments, the expected errno


def of_class(name: str) -> tuple[bool, str]:
    """Test every row of the list that belongs to a class."""
    rows = [row for row in refused.rows() if class_of(row[1], row[2]) == name]
    tried = [
        (call, attempt) for kind, call, rest in rows for attempt in _attempts(kind, call, rest)
    ]
    results = _tried([attempt for _, attempt in tried])
    passed = {call for (call, _), held in zip(tried, results, strict=True) if not held}
    if not rows:
        return False, "the list names none of them"
    return not passed, f"{', '.join(sorted(passed))} passed" if passed else "refused"


def class_of(call: str, rest: list[str]) -> str:
    """Return the class of a row of the list. Raise StopIteration if it has none."""
    names = [f"{call} {word}" for word in rest[AT_WORD : AT_WORD + 1]] + [call]
    return next(kind for name in names for kind, members in CLASSES.items() if name in members)


def sockets() -> tuple[bool, str]:
    """Open a socket of every family, beyond the rows of the list."""
    opened = {_family(number) for number in FAMILIES for kind in KINDS if _opens(number, kind)}
    opened |= {f"pair of {_family(number)}" for number in FAMILIES if _pairs(number)}
    opened.discard("pair of AF_UNIX")
    if opened:
        return False, f"{', '.join(sorted(opened))} can be opened"
    return of_class("sockets")


def memory_programs() -> tuple[bool, str]:
    """Run a copy of a program that is in no file system, so that no mount option stops it."""
    with suppress(OSError), os.fdopen(os.memfd_create("program", 0), "wb", buffering=0) as copy:
        copy.write(Path("/bin/true").read_bytes())
        os.waitpid(os.posix_spawn(f"/proc/self/fd/{copy.fileno()}", ["program"], {}), 0)
        return False, "a program was run from memory"
    return of_class("memory_programs")


def pipe_size() -> tuple[bool, str]:
    """Try to enlarge the pipe of stdout, which uses memory of the host."""
    with suppress(OSError):
        return False, f"a pipe of {fcntl.fcntl(1, fcntl.F_SETPIPE_SZ, MIB)} bytes"
    return of_class("pipe_size")


def foreign_calls() -> tuple[bool, str]:
    """Make calls with numbers that the list does not contain: of other tables, and newer ones."""
    results = _tried([(number, (), errno.ENOSYS) for number in NEW_CALLS])
    works = [f"call {number}" for number, held in zip(NEW_CALLS, results, strict=True) if not held]
    if platform.machine() == "x86_64":
        works += ["x32"] * _in_child(lambda: LIBC.syscall(X32_CALL + X86_GETPID) > 0)
        works += ["int 0x80"] * _in_child(lambda: _int80() > 0)
    return not works, f"{', '.join(works)} passed" if works else "refused"


def _attempts(kind: str, call: str, rest: list[str]) -> Iterator[Attempt]:
    """Yield the calls that a row should refuse; none if this machine never had the call."""
    x86 = platform.machine() == "x86_64"
    if kind == "REFUSE_X86" and not x86:
        return
    number = int(rest[0 if x86 or kind == "REFUSE_X86" else 1])
    if kind in refused.ALWAYS:
        yield number, (NOWHERE,) * ARGUMENTS, refused.ALWAYS[kind]
        return
    place = int(rest[2])
    for value in _bad_values(kind, int(rest[4], 0)):
        pretended = kind.startswith("PRETEND")
        arguments = [NOWHERE] * ARGUMENTS if pretended else _allowed(call)
        arguments[place] = value
        yield number, tuple(arguments), refused.BY_ARGUMENT[kind][-1]


def _bad_values(kind: str, value: int) -> list[int]:
    """Return forbidden values of an argument, with every bit of a mask separately."""
    if kind == "UNLESS_EQUAL":
        return [value ^ 1, value ^ 2]
    if kind.endswith("IF_EQUAL"):
        return [value, value | UPPER_HALF]
    return [1 << bit for bit in range(32) if value >> bit & 1]


def _allowed(call: str) -> list[int]:
    """Return arguments that no row about this call refuses."""
    arguments = [0] * ARGUMENTS
    for kind, name, rest in refused.rows():
        if kind == "UNLESS_EQUAL" and name == call:
            arguments[int(rest[2])] = int(rest[4], 0)
    return arguments


def _tried(attempts: list[Attempt]) -> list[bool]:
    """Return for each call whether it was stopped. A call that ends its process was not stopped."""
    results: list[bool] = []
    while len(results) < len(attempts):
        progress, say = os.pipe()
        child = start(partial(_try_on, attempts[len(results) :], say))
        os.close(say)
        with os.fdopen(progress, "rb", closefd=False) as reader:
            results += map(bool, reader.read())  # until all writers have closed the pipe
        os.waitpid(child, 0)
        os.close(progress)
        if len(results) < len(attempts):
            results.append(False)
    return results


def _try_on(attempts: list[Attempt], say: int) -> None:
    """Make calls until one ends this process, and write the result of each to `say`."""
    ourselves = os.getpid()
    for number, arguments, error in attempts:
        ctypes.set_errno(0)
        words = (ctypes.c_ulong(argument) for argument in arguments)
        LIBC.syscall(ctypes.c_long(number), *words)
        if os.getpid() != ourselves:  # a copy of the process that the call created
            os._exit(0)
        os.write(say, bytes([ctypes.get_errno() == error]))


def _in_child(attempt: Callable[[], bool]) -> bool:
    """Run an attempt that may end its process in a child; return False if the child dies."""
    child = start(lambda: os._exit(0 if attempt() else 1))
    return os.waitpid(child, 0)[1] == 0


def _int80() -> int:
    code = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(INT80_GETPID)
    address = ctypes.addressof(ctypes.c_char.from_buffer(code))
    return int(ctypes.CFUNCTYPE(ctypes.c_int)(address)())


def _family(number: int) -> str:
    with suppress(ValueError):
        return socket.AddressFamily(number).name
    return f"family {number}"


def _opens(family: int, kind: int) -> bool:
    with suppress(OSError), socket.socket(family, kind):
        return True
    return False


def _pairs(family: int) -> bool:
    with suppress(OSError):
        for end in socket.socketpair(family):
            end.close()
        return True
    return False
