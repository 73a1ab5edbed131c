# verdict: timeout | ms of
# contained by: CPU quota of one core, CPU charge
# levels: docker
"""Burns the CPU of several cores at once."""

import os

import wire

wire.begin()
for _ in range(3):
    os.fork()
while True:
    pass
