# verdict: plays | ok | all
# ruff: noqa: ERA001, T201
"""A bot that does what it should."""

import sys

for _line in sys.stdin:
    print('{"action": "ok"}')
