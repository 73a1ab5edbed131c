"""The three armies as data: who there is, how each rank goes, and where the besiegers stand."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from engine.variants.siege.board import (
    DARK,
    DIAGONAL,
    EVERY_WAY,
    LIGHT,
    RANKS,
    STRAIGHT,
)

SEATS = ("garrison", "white", "black")
SIDES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"garrison": ("garrison",), "besiegers": ("white", "black")}
)
GARRISON, WHITE, BLACK = range(3)
CYCLE = (GARRISON, WHITE, GARRISON, BLACK)  # D26 to D30
GENERAL, COLONEL, CAPTAIN, LIEUTENANT, SOLDIER = "GCKLS"
RANK_NAMES: Mapping[str, str] = MappingProxyType(
    {
        GENERAL: "general",
        COLONEL: "colonel",
        CAPTAIN: "captain",
        LIEUTENANT: "lieutenant",
        SOLDIER: "soldier",
    }
)

_BESIEGER = MappingProxyType({GENERAL: 1, COLONEL: 1, CAPTAIN: 2, LIEUTENANT: 2, SOLDIER: 12})
ARMIES: Mapping[str, Mapping[str, int]] = MappingProxyType(
    {
        "garrison": MappingProxyType({GENERAL: 1, COLONEL: 1, SOLDIER: 6}),  # D17
        "white": _BESIEGER,
        "black": _BESIEGER,
    }
)  # DE2
STRENGTH = sum(_BESIEGER.values())
FIRST = (0, 8, 8 + STRENGTH)  # the first piece of each seat
PIECES = FIRST[BLACK] + STRENGTH
IDS = tuple(
    f"{prefix}{number}"
    for prefix, strength in (("g", FIRST[WHITE]), ("w", STRENGTH), ("b", STRENGTH))
    for number in range(1, strength + 1)
)


def seat_of(piece: int) -> int:
    return GARRISON if piece < FIRST[WHITE] else WHITE if piece < FIRST[BLACK] else BLACK


class Gait(NamedTuple):
    """How a rank goes over squares: its directions, and how many squares at most."""

    directions: tuple[tuple[int, int], ...]
    reach: int


class Kind(NamedTuple):
    """A rank of the garrison or of a besieger; `shade` where it keeps to squares of one colour."""

    besieger: bool
    rank: str
    shade: int | None = None


KINDS = (
    Kind(besieger=False, rank=GENERAL),
    Kind(besieger=False, rank=COLONEL),
    Kind(besieger=False, rank=SOLDIER),
    Kind(besieger=False, rank=SOLDIER, shade=DARK),
    Kind(besieger=False, rank=SOLDIER, shade=LIGHT),
    Kind(besieger=True, rank=GENERAL),
    Kind(besieger=True, rank=COLONEL),
    Kind(besieger=True, rank=CAPTAIN),
    Kind(besieger=True, rank=LIEUTENANT, shade=DARK),
    Kind(besieger=True, rank=LIEUTENANT, shade=LIGHT),
    Kind(besieger=True, rank=SOLDIER, shade=DARK),
    Kind(besieger=True, rank=SOLDIER, shade=LIGHT),
)
KIND: Mapping[Kind, int] = MappingProxyType({kind: number for number, kind in enumerate(KINDS)})

GARRISON_GAITS: Mapping[str, Gait] = MappingProxyType(
    {
        GENERAL: Gait(EVERY_WAY, 1),  # D7
        COLONEL: Gait(STRAIGHT, 1),  # D9
        SOLDIER: Gait(DIAGONAL, 1),  # D12
    }
)
_LIEUTENANT = Gait(DIAGONAL, 2)  # D1
_SOLDIER = Gait(DIAGONAL, 1)  # D3
BESIEGER_GAITS: Mapping[str, Mapping[str, Gait]] = MappingProxyType(
    {
        "R1": MappingProxyType(
            {
                GENERAL: Gait(EVERY_WAY, 2),
                COLONEL: Gait(STRAIGHT, 2),
                CAPTAIN: Gait(EVERY_WAY, 1),
                LIEUTENANT: _LIEUTENANT,
                SOLDIER: _SOLDIER,
            }
        ),
        "range1": MappingProxyType(
            {
                GENERAL: Gait(EVERY_WAY, 1),
                COLONEL: Gait(STRAIGHT, 1),
                CAPTAIN: Gait(STRAIGHT, 2),
                LIEUTENANT: _LIEUTENANT,
                SOLDIER: _SOLDIER,
            }
        ),
    }
)  # DX4

Setup = tuple[tuple[str, str], ...]  # rank and square, in the order of the pieces
_OFFICERS = "LKCGKL"


def _two_files(seat: int) -> Setup:
    """Fill an end file's middle with officers and the file before it with soldiers (DX3)."""
    files, ranks = (("b", "a"), range(1, 13)) if seat == WHITE else (("o", "p"), range(12, 0, -1))
    return (
        *((SOLDIER, f"{files[0]}{rank}") for rank in ranks),
        *zip(_OFFICERS, (f"{files[1]}{rank}" for rank in tuple(ranks)[3:9]), strict=True),
    )


def _own_colour(seat: int) -> Setup:
    """Stand on squares of the army's colour only, of three files at its end (DE4)."""
    ranks = range(2, RANKS + 1, 2)  # the light squares of file a, the dark ones of file p
    if seat == WHITE:
        soldiers = [f"b{rank - 1}" for rank in ranks] + [f"c{rank}" for rank in ranks]
        officers = [f"a{rank}" for rank in ranks]
    else:
        soldiers = [f"o{rank - 1}" for rank in ranks] + [f"n{rank}" for rank in ranks]
        officers = [f"p{rank}" for rank in reversed(ranks)]
    return (
        *((SOLDIER, square) for square in soldiers),
        *zip(_OFFICERS, officers, strict=True),
    )


SETUPS: Mapping[str, Mapping[int, Setup]] = MappingProxyType(
    {
        "two_files": MappingProxyType({seat: _two_files(seat) for seat in (WHITE, BLACK)}),
        "own_colour": MappingProxyType({seat: _own_colour(seat) for seat in (WHITE, BLACK)}),
    }
)
