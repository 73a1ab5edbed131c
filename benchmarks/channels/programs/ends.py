"""The two ends of a channel: does what the meter asks for, and what the programs share.

A request is a line such as `{"program": "locks", "do": "send", "given": {"bits": "01"}}`. The reply
is `{"gives": …, "ms": …}`, or `{"refused": …}` where the system did not allow it.
"""

import ctypes
import errno
import functools
import hashlib
import importlib
import json
import mmap
import os
import stat
import sys
import time
import traceback

LIBC = ctypes.CDLL(None, use_errno=True)
LIBRARY = "/usr/lib"
LEAST_BYTES = 4 * mmap.PAGESIZE  # so that no file is read whole because its start was read
MOST_BYTES = 1 << 20
M_ARENA_MAX = -8
STACK_BYTES = 1 << 18  # of a thread: some levels limit the address space


def serve():
    """Do what each line asks for, until there are no more."""
    LIBC.mallopt(M_ARENA_MAX, 1)  # or every thread would take a part of the address space for good
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


def answer(request):
    began_s = time.perf_counter()
    try:
        act = getattr(importlib.import_module(request["program"]), request["do"], None)
        gives = act(**request["given"]) if act else None
    except OSError as error:
        return {"refused": f"{errno.errorcode.get(error.errno or 0)} in {request['do']}"}
    except Exception:  # noqa: BLE001 - the meter must hear of every mistake
        return {"failed": traceback.format_exc()[-1500:]}
    return {"gives": gives, "ms": (time.perf_counter() - began_s) * 1000}


@functools.cache
def library_files():
    """Return files that every container of an image has."""
    found = []
    for folder, _, names in os.walk(LIBRARY):
        for name in names:
            about = os.lstat(path := f"{folder}/{name}")
            if stat.S_ISREG(about.st_mode) and LEAST_BYTES <= about.st_size <= MOST_BYTES:
                found.append(path)
    return sorted(found)


def files(count, key):
    """Return as many files of the image, chosen by a key that both ends know."""
    rank = {path: hashlib.sha256(f"{key}{path}".encode()).digest() for path in library_files()}
    return sorted(rank, key=rank.__getitem__)[:count]


def ones(bits):
    """Return the places of the ones in a text of bits."""
    return [place for place, bit in enumerate(bits) if bit == "1"]


def checked(result):
    """Raise what a function of the C library has failed with; it says so by -1."""
    if result == -1:
        raise OSError(ctypes.get_errno(), "refused")
    return result


def syscall(number, *arguments):
    return checked(LIBC.syscall(ctypes.c_long(number), *arguments))


def split(times):
    """Return "1" for each time on the short side of the widest gap, "0" for the others."""
    ranked = sorted(max(each, 1) for each in times)
    edge = len(ranked) // 8  # outliers at either end make gaps of their own
    inner = ranked[edge : len(ranked) - edge]
    at = max(range(len(inner) - 1), key=lambda place: inner[place + 1] / inner[place])
    limit = (inner[at] * inner[at + 1]) ** 0.5
    return "".join("1" if each <= limit else "0" for each in times)


def mapped(path, place):
    """Map a page of a file for reading; return its address."""
    descriptor = os.open(path, os.O_RDONLY)
    LIBC.mmap.restype = ctypes.c_void_p
    shape = (mmap.PAGESIZE, mmap.PROT_READ, mmap.MAP_SHARED, descriptor, ctypes.c_long(place))
    address = LIBC.mmap(None, *shape)
    os.close(descriptor)
    if address == ctypes.c_void_p(-1).value:
        raise OSError(ctypes.get_errno(), "not mapped")
    return address
