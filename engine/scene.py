"""A picture before it is drawn: cells, pieces with stable ids, marks. It knows no rules."""

from dataclasses import asdict, dataclass
from typing import Any

from engine.faces import PLAIN, Pictures


@dataclass(frozen=True, slots=True)
class Cell:
    """A place on the board at column `x`, row `y` (0, 0 is the top left of the picture).

    Places of a board that is no grid lie between the columns: a half is allowed.
    """

    x: float
    y: float
    kind: str = "land"  # land | lake | dark | light | circle | wall | slot
    name: str = ""  # what a screen reader calls it, such as "a4"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece on the board; `face` is None where the observer sees only its back."""

    id: str
    x: float
    y: float
    side: str  # whose body it has: a key of `Pictures.bodies`
    face: str | None  # a key of `Pictures.faces`
    text: str  # what a screen reader says, such as "red miner" or "blue, unknown"
    known_to_all: bool = False
    moved: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """A highlight on a cell: `from`, `to` or `fight`."""

    kind: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Line:
    """A way between two places of a board that is no grid."""

    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True, slots=True)
class Note:
    """A word or a number on a place, such as how many cards a pile has."""

    x: float
    y: float
    text: str


@dataclass(frozen=True, slots=True)
class Label:
    """A coordinate beside the board; `edge` is `left` or `bottom`, `at` the row or column."""

    edge: str
    at: int
    text: str


@dataclass(frozen=True, slots=True)
class Removed:
    """A piece that has left the board, for the tray beside it."""

    id: str
    side: str
    face: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Scene:
    """All that one picture shows; `columns` by `rows` cells, and how its pieces are drawn."""

    columns: int
    rows: int
    cells: tuple[Cell, ...]
    pieces: tuple[Piece, ...]
    marks: tuple[Mark, ...] = ()
    labels: tuple[Label, ...] = ()
    removed: tuple[Removed, ...] = ()
    lines: tuple[Line, ...] = ()
    notes: tuple[Note, ...] = ()
    pictures: Pictures = PLAIN


def as_json(scene: Scene) -> dict[str, Any]:
    """Return a scene as JSON-ready words, field by field, without its pictures."""
    return {
        "columns": scene.columns,
        "rows": scene.rows,
        "cells": [asdict(cell) for cell in scene.cells],
        "pieces": [asdict(piece) for piece in scene.pieces],
        "marks": [asdict(mark) for mark in scene.marks],
        "labels": [asdict(label) for label in scene.labels],
        "removed": [asdict(gone) for gone in scene.removed],
        "lines": [asdict(line) for line in scene.lines],
        "notes": [asdict(note) for note in scene.notes],
    }


def changes(before: Scene, after: Scene) -> list[dict[str, Any]]:
    """Return what turns one scene into the next: pieces that are new or differ, and pieces gone.

    A changed piece is its fields; a gone one is `{"id", "gone": true, "side", "face", "text"}`, to
    go to the tray, or only `{"id", "gone": true}` where it goes to no tray, such as a card that is
    shuffled back.
    """
    old = {piece.id: piece for piece in before.pieces}
    new = [asdict(piece) for piece in after.pieces if old.get(piece.id) != piece]
    left = {gone.id for gone in before.removed}
    gone = [{**asdict(gone), "gone": True} for gone in after.removed if gone.id not in left]
    stays = {piece.id for piece in after.pieces} | {gone.id for gone in after.removed}
    away = [{"id": piece, "gone": True} for piece in old if piece not in stays]
    return new + gone + away
