# verdict: protocol_error | more than one line | all
"""Prints garbage, a lot of lines of it."""

import os

while True:
    os.read(0, 65536)
    os.write(1, b"\xff\x00 not a message\n{{{\n")
