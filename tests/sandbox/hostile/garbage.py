# verdict: protocol_error | not UTF-8
# contained by: strict reading
# levels: docker
"""Answers the very first line with rubbish."""

import os
import sys

sys.stdin.readline()
os.write(1, b"\xff\x00 not a message {{{\n")
sys.stdin.readline()
