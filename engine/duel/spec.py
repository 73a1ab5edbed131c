"""A duel as data, and the rules of one game: the data with the options chosen."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from engine.duel.army import fights
from engine.duel.board import Board, make_board

SEATS: Final = ("red", "blue")
SIDES: Final = MappingProxyType({seat: (seat,) for seat in SEATS})
PREFIX = ("r", "b")


@dataclass(frozen=True, slots=True, eq=False)
class DuelSpec:
    """What makes one duel differ from another.

    `home` are red's home squares in the order of a deployment, blue's being theirs by half a turn.
    `army` counts the pieces of each rank; `lakes` gives the lake squares for each value of the
    option `lakes` (the first is the default); `sentences` maps each reason of a refusal to the rule
    sentence behind it.
    """

    slug: str
    version: int
    title: str
    files: int
    ranks: int
    home: tuple[str, ...]
    lakes: Mapping[str, tuple[str, ...]]
    army: Mapping[str, int]
    spy_beats: str
    sentences: Mapping[str, str]

    @property
    def name(self) -> str:
        """The name on the wire, such as `classic@1`."""
        return f"{self.slug}@{self.version}"


@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """The rules of one game, in the shape that playing needs."""

    spec: DuelSpec
    board: Board
    homes: tuple[tuple[int, ...], tuple[int, ...]]  # squares in the order of a deployment
    ids: tuple[str, ...]
    fights: Mapping[str, str]
    shuttle_limit: int | None
    shuttle_path: bool
    chase: bool
    far_strike: bool
    either_immobile: bool
    forget: bool
    max_plies: int | None
    no_attack_plies: int | None

    @property
    def strength(self) -> int:
        """The number of pieces of one side."""
        return len(self.homes[0])


def whole_rows(files: int, ranks: int) -> tuple[str, ...]:
    """Name the squares of the first ranks, as the home of an army that fills them."""
    return make_board(files, ranks, ()).names


def rules_of(spec: DuelSpec, options: Mapping[str, Any]) -> Rules:
    """Return the rules for a full set of options; equal options share one object."""
    return _rules_of(spec, tuple(sorted(options.items())))


@lru_cache(maxsize=64)
def _rules_of(spec: DuelSpec, chosen: tuple[tuple[str, Any], ...]) -> Rules:
    options = dict(chosen)
    lakes = spec.lakes[options.get("lakes", next(iter(spec.lakes)))]
    board = make_board(spec.files, spec.ranks, lakes)
    red = tuple(board.index[name] for name in spec.home)
    last = spec.files * spec.ranks - 1
    return Rules(
        spec=spec,
        board=board,
        homes=(red, tuple(last - square for square in red)),
        ids=tuple(f"{prefix}{n}" for prefix in PREFIX for n in range(1, len(red) + 1)),
        fights=fights(spec.army, spy_beats=spec.spy_beats, bomb_survives=options["bomb_survives"]),
        shuttle_limit=options["shuttle_limit"],
        shuttle_path=options["shuttle_scout"] == "path",
        chase=options["chase_rule"] == "isf",
        far_strike=options["scout_move_and_strike"],
        either_immobile=options["immobile"] == "either",
        forget=options["reveal_after_fight"] == "forget",
        max_plies=options["max_plies"],
        no_attack_plies=options["no_attack_plies"],
    )
