# verdict: memory_limit | more memory
# contained by: memory limit without swap
# levels: docker, bubblewrap, process
"""Takes memory until there is none."""

import wire

wire.hear()
addresses = bytearray(1 << 30)  # at once, memory as far as it goes
kept = []
while True:
    kept.append(b"x" * (1 << 28))
