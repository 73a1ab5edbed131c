"""Mapped pages: the kernel tells whether somebody else has the same page of a file mapped."""

import ctypes
import mmap
import os

import ends

EXCLUSIVE = 1 << 56  # of an entry of /proc/self/pagemap
ENTRY_BYTES = 8
KEPT: list[int] = []


def touched(path):
    """Map the first page of a file and read it; return the address."""
    address = ends.mapped(path, 0)
    KEPT.append(address)
    ctypes.string_at(address, 1)
    return address


def send(bits, key, how):
    """Map the files of the ones."""
    paths = ends.files(len(bits), key)
    for place in ends.ones(bits):
        touched(paths[place])


def read(count, key, how):
    addresses = [touched(path) for path in ends.files(count, key)]
    if how == "smaps":
        shared = shared_by_address()
        return "".join("1" if shared[address] else "0" for address in addresses)
    with open("/proc/self/pagemap", "rb", buffering=0) as entries:
        found = (os.pread(entries.fileno(), ENTRY_BYTES, entry(each)) for each in addresses)
        alone = [int.from_bytes(each, "little") & EXCLUSIVE for each in found]
    return "".join("0" if each else "1" for each in alone)


def entry(address):
    return address // mmap.PAGESIZE * ENTRY_BYTES


def shared_by_address():
    """Return how many KiB of each mapping others have mapped, too."""
    shared, start = {}, 0
    with open("/proc/self/smaps") as lines:
        for line in lines:
            words = line.split()
            if "-" in words[0]:
                start = int(words[0].partition("-")[0], 16)
            elif words[0] == "Shared_Clean:":
                shared[start] = int(words[1])
    return shared


def rest():
    while KEPT:
        address = ctypes.c_void_p(KEPT.pop())
        ends.checked(ends.LIBC.munmap(address, ctypes.c_size_t(mmap.PAGESIZE)))
