# verdict: output_limit | more than 4096 bytes | all
"""Never ends its line."""

import os
import sys

sys.stdin.readline()
while True:
    os.write(1, b"x" * 65536)
