"""A replay document at one ply, as a page shows it before any script runs.

All data comes from the document, which was made for one observer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, gettext_noop

from arena.web import words
from engine import svg
from engine.scene import Cell, Label, Mark, Piece, Removed, Scene

BEGINNING = gettext_noop("Both set-ups stand. Red begins.")
NO_PLIES = gettext_noop("The game ended before its first ply.")
VALUETEXT = gettext_noop("Ply %(ply)s of %(last)s: %(say)s")
MOVES_AROUND = 20  # how many plies of the list a page without script shows on either side


@dataclass(frozen=True, slots=True)
class Taken:
    """Pieces of one kind that have left the board."""

    face: str
    text: str
    count: int


@dataclass(frozen=True, slots=True)
class Rank:
    """A row of the board in words: its name and what stands on each square."""

    name: str
    squares: Sequence[tuple[Cell, str]]


@dataclass(frozen=True, slots=True)
class Picture:
    """One ply of a replay for one observer, with the addresses of its neighbours."""

    document_url: str
    svg: SafeString
    ply: int
    last: int
    view: str
    flipped: bool
    say: str
    start: str
    valuetext: str
    files: Sequence[str]
    ranks: Sequence[Rank]
    trays: Mapping[str, Sequence[Taken]]
    links: Mapping[str, str]
    views: Sequence[Mapping[str, str]]
    moves: Sequence[Mapping[str, Any]]
    moves_from: int


def picture(
    document: Mapping[str, Any],
    *,
    document_url: str,
    ply: int,
    views: Sequence[str],
    flipped: bool = False,
) -> Picture:
    """Make the picture of a ply; numbers beyond the ends mean the first or last."""
    last = len(document["steps"])
    shown = max(0, min(last, ply))
    here = _Address(document["observer"], flipped=flipped)
    scene = scene_at(document, shown)
    start = gettext(BEGINNING if last else NO_PLIES)
    say = document["steps"][shown - 1]["say"] if shown else start
    valuetext = gettext(VALUETEXT) % {"ply": shown, "last": last, "say": say}
    return Picture(
        document_url=document_url,
        svg=draw(scene, title=valuetext, flipped=flipped),
        ply=shown,
        last=last,
        view=here.view,
        flipped=flipped,
        say=say,
        start=start,
        valuetext=valuetext,
        files=[label.text for label in scene.labels if label.edge == "bottom"],
        ranks=_ranks(scene),
        trays={side: _taken(scene, side) for side in words.SEATS},
        links=_links(shown, last, here),
        views=_views(shown, views, here),
        moves=_moves(document["steps"], shown, here),
        moves_from=max(1, shown - MOVES_AROUND),
    )


def scene_at(document: Mapping[str, Any], ply: int) -> Scene:
    """Apply the changes of the first `ply` steps to the first scene of a replay document."""
    first = document["first"]
    pieces = {piece["id"]: piece for piece in first["pieces"]}
    removed = {gone["id"]: gone for gone in first["removed"]}
    for step in document["steps"][:ply]:
        for change in step["changes"]:
            if change.get("gone"):
                pieces.pop(change["id"], None)
                removed[change["id"]] = change
            else:
                pieces[change["id"]] = change
    marks = document["steps"][ply - 1]["marks"] if ply else first["marks"]
    return Scene(
        columns=first["columns"],
        rows=first["rows"],
        cells=tuple(Cell(**cell) for cell in first["cells"]),
        pieces=tuple(Piece(**piece) for piece in pieces.values()),
        marks=tuple(Mark(**mark) for mark in marks),
        labels=tuple(Label(**label) for label in first["labels"]),
        removed=tuple(
            Removed(gone["id"], gone["side"], gone["face"], gone["text"])
            for gone in removed.values()
        ),
    )


def draw(scene: Scene, *, title: str, flipped: bool = False) -> SafeString:
    """Draw a scene for a page."""
    drawn = svg.draw(scene, title=title, flipped=flipped)
    return mark_safe(drawn)  # noqa: S308 - the engine escapes what it draws


def _taken(scene: Scene, side: str) -> list[Taken]:
    kinds: dict[tuple[str, str], int] = {}
    for gone in scene.removed:
        if gone.side == side:
            key = (gone.face or "back", gone.text)
            kinds[key] = kinds.get(key, 0) + 1
    return [Taken(face, text, count) for (face, text), count in kinds.items()]


def _ranks(scene: Scene) -> list[Rank]:
    """Give the board row by row, from the top of the picture."""
    standing = {(piece.x, piece.y): piece.text for piece in scene.pieces}
    names = {label.at: label.text for label in scene.labels if label.edge == "left"}
    rows: dict[int, list[tuple[Cell, str]]] = {}
    for cell in scene.cells:
        lake = gettext("lake") if cell.kind == "lake" else ""
        rows.setdefault(cell.y, []).append((cell, standing.get((cell.x, cell.y), lake)))
    return [
        Rank(names.get(y, ""), sorted(rows[y], key=lambda square: square[0].x))
        for y in sorted(rows)
    ]


def _links(ply: int, last: int, here: "_Address") -> dict[str, str]:
    return {
        "first": here.at(0),
        "previous": here.at(max(0, ply - 1)),
        "next": here.at(min(last, ply + 1)),
        "last": here.at(last),
        "flip": _Address(here.view, flipped=not here.flipped).at(ply),
    }


def _views(ply: int, views: Sequence[str], here: "_Address") -> list[dict[str, str]]:
    return [
        {"view": view, "label": str(label), "url": _Address(view, flipped=here.flipped).at(ply)}
        for view, label in words.VIEWS.items()
        if view in views
    ]


def _moves(steps: Sequence[Mapping[str, Any]], ply: int, here: "_Address") -> list[dict[str, Any]]:
    first = max(1, ply - MOVES_AROUND)
    return [
        {**step, "ply": number, "url": here.at(number)}
        for number, step in enumerate(steps[first - 1 : ply + MOVES_AROUND], start=first)
    ]


class _Address:
    """Where the plies of one perspective are, relative to the page."""

    def __init__(self, view: str, *, flipped: bool) -> None:
        self.view = view
        self.flipped = flipped

    def at(self, ply: int) -> str:
        query = {"ply": str(ply), "view": self.view}
        if self.flipped:
            query["flip"] = "1"
        return f"?{urlencode(query)}"
