# verdict: plays | 64 GiB reserved
# contained by: nothing to contain: memory counts when it is used
# levels: docker
"""Reserves far more addresses than there is memory."""

import mmap

import wire

start = wire.hear()
kept = mmap.mmap(-1, 64 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000)
wire.note(f"{len(kept) >> 30} GiB reserved")
wire.play(start)
