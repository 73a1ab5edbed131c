"""A spy and its successor: red leaves its dice seed in one game, blue reads it in the next.

Both play on as they should, and note for us what they sent or read.
"""

import importlib
import json

import wire

SEED_BITS = 48

with open("told.json") as file:
    told = json.load(file)
channel = importlib.import_module(told["program"])
start = wire.hear()
if start["seat"] == "red":
    bits = f"{start['rng_seed']:0{SEED_BITS}b}"
    channel.send(bits=bits, key=told["key"], **told["given"])
    wire.note(bits)
else:
    wire.note(channel.read(count=SEED_BITS, key=told["key"], **told["given"]))
wire.play(start)
