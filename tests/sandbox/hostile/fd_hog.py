# verdict: plays | stopped by EMFILE
# contained by: limit on open files
# levels: docker, bubblewrap, process
"""Opens files until it may not."""

import os

import wire

MOST = 256
start = wire.hear()
wire.note(f"stopped by {wire.refusal(lambda _number: os.open('/dev/null', os.O_RDONLY), MOST)}")
wire.play(start)
