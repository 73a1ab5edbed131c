# verdict: plays | stopped by EMFILE
# contained by: limit on open files, the kernel's reserve for the host
# levels: docker
"""Opens terminals, of which the whole host has only so many."""

import os

import wire

MOST = 128
kept = []
start = wire.hear()
wire.note(f"stopped by {wire.refusal(lambda _number: kept.append(os.openpty()), MOST)}")
wire.play(start)
