# verdict: plays | stopped by ENOENT
# contained by: masked folder of terminals, system-call filter
# levels: docker, bubblewrap
# under gvisor: plays | stopped by EPERM | terminals of its own kernel, and the filter
"""Opens terminals, of which the whole host has only so many."""

import os

import wire

MOST = 128
kept = []
start = wire.hear()
wire.note(f"stopped by {wire.refusal(lambda _number: kept.append(os.openpty()), MOST)}")
wire.play(start)
