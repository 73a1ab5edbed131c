"""Bots of tests, in folders, and `drapeau` run in this process."""

import json
from pathlib import Path
from typing import Any

import pytest

from botkit.cli import main

MANIFEST = '[bot]\nname = "{name}"\nvariants = ["{variant}"]\n'
BOT = """
import json, random, sys, time

TURNS = 0

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        dice = random.Random(message["rng_seed"])
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "act" and "legal" in message:
        TURNS += 1
        # HERE
        print(json.dumps({"action": dice.choice(message["legal"])}), flush=True)
    elif message["type"] == "act":
        army = message["view"]["army"]
        ranks = [rank for rank, count in army.items() for _ in range(count)]
        print(json.dumps({"action": "".join(dice.sample(ranks, len(ranks)))}), flush=True)
"""


def make_bot(folder: Path, name: str, *, does: str = "pass", variant: str = "general") -> str:
    """Make the folder of a bot that plays at random, and does something before each turn."""
    place = folder / name
    place.mkdir()
    (place / "drapeau.toml").write_text(MANIFEST.format(name=name, variant=variant))
    (place / "bot.py").write_text(BOT.replace("# HERE", does))
    return str(place)


def drapeau(capfd: pytest.CaptureFixture[str], *words: object, status: int = 0) -> str:
    """Run a command, check its exit status, and return what it printed."""
    capfd.readouterr()
    ended = main([*map(str, words)])
    said = capfd.readouterr()
    assert ended == status, said
    return said.out


def refusal(capfd: pytest.CaptureFixture[str], *words: object, status: int = 1) -> str:
    """Run a command that fails; return what it printed to stderr."""
    capfd.readouterr()
    ended = main([*map(str, words)])
    said = capfd.readouterr()
    assert (ended, said.out) == (status, ""), said
    return said.err


def played(capfd: pytest.CaptureFixture[str], *words: object, status: int = 0) -> Any:
    """Play games, and return the JSON of `drapeau play`."""
    return json.loads(drapeau(capfd, "play", *words, "--json", status=status))
