# verdict: plays | botkit
# contained by: nothing to contain
# levels: docker, process
"""The SDK can be imported, and nothing else of ours."""

import importlib.util

import wire

import botkit

start = wire.hear()
others = [name for name in ("engine", "sandbox", "django") if importlib.util.find_spec(name)]
wire.note(" ".join([botkit.__name__, *others]))
wire.play(start)
