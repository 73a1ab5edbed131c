# verdict: plays | siege 8
# contained by: nothing to contain
# levels: docker
"""The rules of the games are there to look ahead with; the referee and the records are not."""

import importlib.util
import random
from importlib import import_module

import wire

from botkit.worlds import World

start = wire.hear()
siege = import_module("botkit._engine.registry").find("siege")
begun = siege.begin({key: each.default for key, each in siege.options.items()}, 0)
world = World(siege, begun, random.Random(0))
world.apply("GCSSSSSS")
while world.ply < 8:
    world.apply(world.legal()[0])
others = [
    name for name in ("referee", "record") if importlib.util.find_spec(f"botkit._engine.{name}")
]
wire.note(" ".join([siege.slug, str(world.ply), *others]))
wire.play(start)
