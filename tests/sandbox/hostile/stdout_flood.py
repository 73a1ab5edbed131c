# verdict: output_limit | more than 4096 bytes
# contained by: line cap, a full pipe stops the writer
# levels: docker, process
"""Never ends its line."""

import os

import wire

wire.begin()
while True:
    os.write(1, b"x" * 65536)
