# verdict: crash | signal 25 (SIGXFSZ) during the game
# contained by: limit on the size of a file
# levels: docker, process
"""Makes one file larger than any may be, and leaves the signal for that as it is."""

import os
import signal
import tempfile

import wire

wire.begin()
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
with tempfile.TemporaryFile() as file:
    os.ftruncate(file.fileno(), 1 << 30)
