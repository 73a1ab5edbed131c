"""The page cache: a file of the image that one bot has read is in memory for the other."""

import contextlib
import ctypes
import mmap
import os
import time

import ends

RWF_NOWAIT = 8


def opened(path):
    descriptor = os.open(path, os.O_RDONLY)
    with contextlib.suppress(OSError):  # no reading ahead, where that may be asked for
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_RANDOM)
    return descriptor


def middle(path):
    """Return a place that nobody reads by reading the beginning."""
    return os.stat(path).st_size // 2 // mmap.PAGESIZE * mmap.PAGESIZE


def prepare(count, key, how):
    """Return the files that the meter must first drop from memory, as after a start of the host."""
    paths = ends.files(count, key)
    return paths if how == "cold" else []


def send(bits, key, how):
    """Have the files of the ones in memory, and those of the zeros not."""
    for bit, path in zip(bits, ends.files(len(bits), key), strict=True):
        descriptor = opened(path)
        if bit == "1":
            os.pread(descriptor, 1, middle(path))
        elif how != "cold":
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(descriptor)


def read(count, key, how):
    paths = ends.files(count, key)
    if how in {"timed", "cold"}:
        return ends.split([timed(path) for path in paths])
    return "".join("1" if WAYS[how](path) else "0" for path in paths)


def timed(path):
    descriptor = opened(path)
    place = middle(path)
    began = time.perf_counter_ns()
    os.pread(descriptor, 1, place)
    took = time.perf_counter_ns() - began
    os.close(descriptor)
    return took


def at_once(path):
    descriptor = opened(path)
    try:
        return os.preadv(descriptor, [bytearray(1)], middle(path), RWF_NOWAIT) == 1
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)


def resident(path):
    """Ask which pages are in memory; the kernel answers "all" for files of others."""
    pages = (ctypes.c_ubyte * 1)()
    address = ctypes.c_void_p(ends.mapped(path, middle(path)))
    ends.checked(ends.LIBC.mincore(address, ctypes.c_size_t(mmap.PAGESIZE), pages))
    return pages[0] & 1


WAYS = {"nowait": at_once, "mincore": resident}
