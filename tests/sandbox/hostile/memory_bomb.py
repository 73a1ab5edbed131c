# verdict: memory_limit | more memory | all
# ruff: noqa: T201
"""Takes memory until there is none."""

import sys

print("ready") if sys.stdin.readline() else None
sys.stdin.readline()
kept = [bytearray(1 << 30)]  # addresses at once, memory as far as it goes
while True:
    kept.append(bytearray(b"x") * (1 << 28))
