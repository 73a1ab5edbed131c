# verdict: plays | botkit | all
# ruff: noqa: ERA001, T201
"""The SDK can be imported, and nothing else of ours."""

import importlib.util
import sys

import botkit

for _line in sys.stdin:
    others = [name for name in ("engine", "sandbox", "django") if importlib.util.find_spec(name)]
    print(botkit.__name__, *others)
