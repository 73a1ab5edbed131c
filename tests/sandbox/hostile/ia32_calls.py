# verdict: plays | kept in
# contained by: system-call filter
# levels: docker, bubblewrap
# under gvisor: plays | open: getpid, socketcall | calls of 64 bits, which are filtered
"""Enters the kernel by the door of 32-bit programs, where calls have other numbers."""

import ctypes
import mmap

import wire

GETPID_32, SOCKETCALL_32 = 20, 102
SOCKET_64 = 41  # `dup` in the table of 32 bits


def by_interrupt(number):
    """mov eax, number; xor ebx, ebx; xor ecx, ecx; int 0x80; ret"""
    code = b"\xb8" + number.to_bytes(4, "little") + b"\x31\xdb\x31\xc9\xcd\x80\xc3"
    page = mmap.mmap(-1, len(code), prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(code)
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    result = ctypes.CFUNCTYPE(ctypes.c_int)(address)()
    if result == -38:  # there is no such call
        raise OSError
    return result


def must_succeed(result):
    if result < 0:
        raise OSError(-result, "refused")


wire.probe(
    {
        "getpid": lambda: wire.in_child(lambda: by_interrupt(GETPID_32)),
        "socketcall": lambda: wire.in_child(lambda: by_interrupt(SOCKETCALL_32)),
        "dup or socket": lambda: wire.in_child(lambda: must_succeed(by_interrupt(SOCKET_64))),
    }
)
