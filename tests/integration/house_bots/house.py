"""House bots played in this process, through the same lines that they get over pipes."""

import importlib.util
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

from botkit import Bot, Conversation
from botkit.manifest import MANIFEST_NAME, parsed
from engine.clock import ClockSpec
from engine.protocol import Answer, Ask, Failure
from engine.record import PlayerId, Record
from engine.referee import play
from engine.registry import find, resolve_options
from engine.variant import Variant
from tests.tree import ROOT

BOTS = ROOT / "bots"
LADDERS: Mapping[str, Sequence[str]] = {  # by variant, the weakest bot first
    "cards": (
        *("drunkard", "ensign", "avenger"),
        *("gambler", "bookkeeper", "actuary"),
    ),
    "classic": (
        *("drunkard", "brawler", "raider", "poacher"),
        *("bully", "assessor", "marshal", "seer"),
    ),
    "general": (
        *("drunkard", "brawler", "raider", "poacher"),
        *("bully", "marshal", "seer"),
    ),
    "siege": (
        *("drunkard", "vagrant", "lookout", "forager"),
        *("watchman", "escort", "castellan", "sapper", "engineer"),
    ),
    "skirmish": (
        *("drunkard", "brawler", "raider"),
        *("sleuth", "marshal", "oracle"),
    ),
}
# Bots that play a game as well as others of its ladder do.
BESIDE = [
    ("cards", "cardsharp"),
    ("classic", "sleuth"),
    ("general", "sleuth"),
    *(("skirmish", name) for name in ("poacher", "bully", "assessor", "seer")),
]
# A program that speaks another protocol, behind the adapter. It has no place in the order.
OUTSIDER = ("classic", "veteran")
NEIGHBOURS = [(slug, *two) for slug, ladder in LADDERS.items() for two in pairwise(ladder)]
YARDSTICKS = [  # variant, house bot, and a bot that is not the next weaker one
    ("cards", "actuary", "cardsharp"),
    ("siege", "engineer", "castellan"),
    ("classic", "marshal", "veteran"),
]
PLAYED = [
    *((slug, name) for slug, ladder in LADDERS.items() for name in ladder),
    *BESIDE,
    OUTSIDER,
]
HOUSE = sorted({name for _, name in PLAYED})


def manifest_of(name: str) -> Path:
    """Return the manifest of a bot, which may be a further one in the folder of another bot."""
    return next(BOTS.glob(f"*/{name}.toml"), BOTS / name / MANIFEST_NAME)


def load(name: str) -> type[Bot[Any]]:
    """Return the class of a bot, with the settings of its manifest."""
    manifest = manifest_of(name)
    program = _program(manifest.parent)
    settings = {**program.settings, **parsed(manifest.read_bytes()).settings}
    return type(name.capitalize(), (program,), {"settings": settings})


def _program(folder: Path) -> type[Bot[Any]]:
    """Import a bot's folder as its own program would, without leaving its modules behind."""
    name = folder.name
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    try:
        spec = importlib.util.spec_from_file_location(f"house_{name}", folder / "bot.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(folder))
        for added in set(sys.modules) - before:
            if not added.startswith(("botkit", "engine")):
                del sys.modules[added]
    return cast("type[Bot[Any]]", getattr(module, name.capitalize()))


class BotTable:
    """Bots as objects. Nothing is charged, so that equal games give equal records."""

    clock_basis = "cpu"

    def __init__(self, makers: Mapping[str, type[Bot[Any]]]) -> None:
        self._games = {seat: Conversation(make) for seat, make in makers.items()}
        self.spent_s: defaultdict[str, float] = defaultdict(float)
        self.asked: Counter[str] = Counter()

    def ask(self, asks: Mapping[str, Ask]) -> dict[str, Answer | Failure]:
        return {seat: self._ask(seat, ask) for seat, ask in asks.items()}

    def _ask(self, seat: str, ask: Ask) -> Answer:
        began = time.thread_time()
        line = self._games[seat].receive(ask.line)
        self.spent_s[seat] += time.thread_time() - began
        self.asked[seat] += 1
        assert line is not None
        return Answer(line.rstrip(b"\n"), 0.0)

    def limits(self, seat: str) -> Mapping[str, int]:
        return {"line_bytes": 4096}

    def note(self, seat: str, text: str) -> None:
        """Nobody reads it."""

    def tell(self, seat: str, line: bytes) -> None:
        self._games[seat].receive(line)

    def close(self) -> None:
        self._games.clear()


Player = str | type[Bot[Any]]


def called(player: Player) -> str:
    """Return the name of a house bot, or of a class that plays as one."""
    return player if isinstance(player, str) else player.__name__.lower()


def play_game(
    game: str | Variant[Any],
    first: Player,
    second: Player,
    rng_seed: int,
    *,
    options: Mapping[str, Any] | None = None,
) -> tuple[Record, BotTable]:
    """Play one game, each bot in all seats of one side; the table tells what it cost each seat."""
    variant = find(game) if isinstance(game, str) else game
    two = dict(zip(variant.sides, (first, second), strict=True))
    makers = {each: load(each) if isinstance(each, str) else each for each in (first, second)}
    seated = {seat: two[variant.side_of(seat)] for seat in variant.seats}
    table = BotTable({seat: makers[player] for seat, player in seated.items()})
    record = play(
        variant,
        options=resolve_options(variant, options or {}),
        rng_seed=rng_seed,
        game=f"{variant.name}-{called(first)}-{called(second)}-{rng_seed}",
        players={seat: PlayerId(called(player), "") for seat, player in seated.items()},
        clock=ClockSpec(),
        table=table,
        isolation="none",
    )
    return record, table


def points(
    game: str | Variant[Any], first: Player, second: Player, rng_seed: int
) -> tuple[float, float]:
    """Play one game and give what either bot got."""
    outcome = play_game(game, first, second, rng_seed)[0].result.points
    assert outcome is not None
    sides = (find(game) if isinstance(game, str) else game).sides
    one, other = (outcome[side] for side in sides)
    return one, other
