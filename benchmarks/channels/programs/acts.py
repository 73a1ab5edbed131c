"""What a sender can do that others may notice; each act is switched on and off."""

import fcntl
import mmap
import os
import pty
import select
import signal
import socket
import tempfile
import threading
import time

import ends

MIB = 1 << 20
CHILDREN = 12  # under gVisor, more take too much of the memory of a bot
PRIVATE = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
PIPES = 2100
KEPT: list[object] = []  # objects, which end when they are forgotten
HELD: list[int] = []  # descriptors
BORN: list[int] = []  # children


def rest():
    """End everything that is on."""
    KEPT.clear()
    while HELD:
        os.close(HELD.pop())
    while BORN:
        os.kill(BORN[-1], signal.SIGKILL)
        os.waitpid(BORN.pop(), 0)


def turn(on, act):
    rest()
    if on:
        ACTS[act]()


def children(then=lambda: None, count=CHILDREN):
    """Start children that do something and then wait, and await that they have done it."""
    read, write = os.pipe()
    for _ in range(count):
        born = os.fork()
        if born == 0:
            then()
            os.write(write, b"1")
            while True:
                time.sleep(60)
        BORN.append(born)
    told = 0
    while told < count:
        told += len(os.read(read, count))
    os.close(read)
    os.close(write)


def workers(work, count=2):
    """Start children that work until they are ended."""
    for _ in range(count):
        born = os.fork()
        if born == 0:
            while True:
                work()
        BORN.append(born)
    time.sleep(0.05)


def hold(opener, times):
    for _ in range(times):
        HELD.extend(opener())


def births():
    for _ in range(40):
        born = os.fork()
        if born == 0:
            os._exit(0)
        os.waitpid(born, 0)


def pipes():
    for _ in range(PIPES):
        for each in os.pipe():
            os.close(each)


def cookies():
    for _ in range(9000):
        cookie()


def cookie():
    one, other = socket.socketpair()
    with one, other:
        return int.from_bytes(one.getsockopt(socket.SOL_SOCKET, 57, 8), "little")  # SO_COOKIE


def watchers():
    hold(lambda: (ends.checked(ends.LIBC.inotify_init1(0)),), 100)


def locks():
    hold(lambda: (os.eventfd(0),), 1)
    for place in range(300):
        fcntl.lockf(HELD[0], fcntl.LOCK_EX, 1, 2 * place)


def look_for_names():
    for place in range(20_000):
        os.access(f"/usr/lib/{time.time_ns()}-{place}", os.F_OK)


def read_files():
    for path in ends.files(40, "acts"):
        descriptor = os.open(path, os.O_RDONLY)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        while os.read(descriptor, MIB):
            pass
        os.close(descriptor)


def memory():
    KEPT.append(mmap.mmap(-1, 128 * MIB, flags=PRIVATE | mmap.MAP_POPULATE))


def scratch():
    file = tempfile.TemporaryFile()  # noqa: SIM115 - KEPT keeps it open
    KEPT.append(file)
    file.write(b"x" * (12 * MIB))
    file.flush()


def maps():
    KEPT.extend(mmap.mmap(-1, mmap.PAGESIZE) for _ in range(5000))


def full_sockets():
    for _ in range(80):
        pair = socket.socketpair()
        pair[0].settimeout(0)
        KEPT.extend(pair)
        pair[0].send(b"x" * 60_000)


def threads():
    threading.stack_size(ends.STACK_BYTES)
    KEPT.append(_Threads(40))


class _Threads:
    """Threads that wait. When they are forgotten they end, so that the next act may start more."""

    def __init__(self, count):
        self.gone = threading.Event()
        self.all = [threading.Thread(target=self.gone.wait, daemon=True) for _ in range(count)]
        for thread in self.all:
            thread.start()

    def __del__(self):
        self.gone.set()
        for thread in self.all:
            thread.join()


def switch():
    read, write = os.pipe()
    for _ in range(1000):
        os.write(write, b"x")
        os.read(read, 1)
        time.sleep(0)
    os.close(read)
    os.close(write)


def nap():
    time.sleep(0.0005)


def burn():
    for _ in range(10_000):
        pass


ACTS = {
    "nothing": lambda: None,
    "children": children,
    "children with pipes": lambda: children(lambda: [os.pipe() for _ in range(50)]),
    "threads": threads,
    "births": births,
    "memory": memory,
    "maps": maps,
    "terminals": lambda: hold(pty.openpty, 6),
    "pipes": pipes,
    "cookies": cookies,
    "full sockets": full_sockets,
    "watchers": watchers,
    "eventfds": lambda: hold(lambda: (os.eventfd(0),), 200),
    "few eventfds": lambda: hold(lambda: (os.eventfd(0),), 16),
    "epolls": lambda: KEPT.extend(select.epoll() for _ in range(100)),
    "locks": locks,
    "names": look_for_names,
    "reading": lambda: workers(read_files),
    "scratch": scratch,
    "burning": lambda: workers(burn),
    "napping": lambda: workers(nap, 20),
    "switching": lambda: workers(switch),
}
