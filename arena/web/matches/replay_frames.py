"""A replay document at one ply, as a page shows it before any script runs.

All data comes from the document, which was made for one observer.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any
from urllib.parse import urlencode

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from arena.models import Ladder
from arena.web.matches import board_text, labels
from arena.web.matches.board_text import BoardWords
from engine import registry, svg
from engine.faces import Pictures
from engine.scene import Cell, Label, Line, Mark, Note, Piece, Removed, Scene
from engine.variant import FULL, PUBLIC

MOVES_AROUND = 20  # plies that a page without scripts lists before and after this one


@dataclass(frozen=True, slots=True)
class Taken:
    """Pieces of one kind that have left the board."""

    body: str
    face: str
    text: str
    count: int


@dataclass(frozen=True, slots=True)
class Tray:
    """The pieces of a side that left the board; the first tray is above the board, others below."""

    side: str
    label: str
    is_above: bool
    taken: Sequence[Taken]


@dataclass(frozen=True, slots=True)
class ReplayFrame:
    """One ply of a replay for one observer, with the URLs of the previous and next plies."""

    document_url: str
    svg: SafeString
    ply: int
    last: int
    view: str
    flipped: bool
    say: str
    start: str
    valuetext: str
    board: BoardWords
    position: str
    is_wide: bool
    trays: Sequence[Tray]
    can_flip: bool
    links: Mapping[str, str]
    views: Sequence[Mapping[str, str]]
    moves: Sequence[Mapping[str, Any]]
    moves_from: int
    live_url: str = ""  # of the stream, while the match is open


def picture(
    document: Mapping[str, Any],
    *,
    document_url: str,
    ply: int,
    views: Sequence[str],
    flipped: bool = False,
) -> ReplayFrame:
    """Return the picture of a ply; numbers out of range mean the first or last ply."""
    last = len(document["steps"])
    shown = max(0, min(last, ply))
    here = _Address(document["observer"], flipped=flipped)
    scene = scene_at(document, shown)
    seats = registry.find(document["variant"]).seats
    if last:
        seat = labels.seat_name(document["steps"][0]["seat"])
        start = gettext("All is set up. %(seat)s begins.") % {"seat": seat}
    else:
        start = gettext("The game ended before its first ply.")
    say = document["steps"][shown - 1]["say"] if shown else start
    words = {"ply": shown, "last": last, "say": say}
    valuetext = gettext("Ply %(ply)s of %(last)s: %(say)s") % words
    first_move = max(1, shown - MOVES_AROUND)
    moves = document["steps"][first_move - 1 : shown + MOVES_AROUND]
    return ReplayFrame(
        document_url=document_url,
        svg=draw(scene, title=valuetext, flipped=flipped),
        ply=shown,
        last=last,
        view=here.view,
        flipped=flipped,
        say=say,
        start=start,
        valuetext=valuetext,
        board=board_text.of(scene),
        position=document["positions"][shown],
        is_wide=scene.columns > svg.WIDE,
        trays=_trays(document, scene, seats),
        can_flip=len(seats) == svg.FACING,
        links=_links(shown, last, here),
        views=[
            {
                "view": view,
                "label": labels.view_name(view),
                "url": _Address(view, flipped=flipped).at(shown),
            }
            for view in (PUBLIC, *seats, FULL)
            if view in views
        ],
        moves=[
            {**step, "ply": number, "url": here.at(number)}
            for number, step in enumerate(moves, start=first_move)
        ],
        moves_from=first_move,
    )


def url_at(frame: ReplayFrame, ply: int) -> str:
    """Return the URL of another ply of the same picture."""
    return _Address(frame.view, flipped=frame.flipped).at(ply)


def live_picture(ladder: Ladder, *, live_url: str, perspectives: Mapping[str, str]) -> ReplayFrame:
    """Return the board of a running match before its first event: without any piece.

    `perspectives` are the names of those that the visitor may choose.
    """
    variant = registry.find(ladder.variant)
    options = registry.resolve_options(variant, ladder.options)
    whole = variant.scene(variant.view(variant.begin(options, 0), PUBLIC))
    scene = Scene(
        whole.columns,
        whole.rows,
        whole.cells,
        (),
        labels=whole.labels,
        lines=whole.lines,
        pictures=whole.pictures,
    )
    here = _Address(PUBLIC, flipped=False)
    waiting = gettext("The board appears as soon as the seats have set up their pieces.")
    return ReplayFrame(
        document_url="",
        svg=draw(scene, title=waiting),
        ply=0,
        last=0,
        view=PUBLIC,
        flipped=False,
        say=waiting,
        start=gettext("All is set up."),
        valuetext=waiting,
        board=board_text.of(scene),
        position="",
        is_wide=scene.columns > svg.WIDE,
        trays=[_tray(seat, scene, variant.seats) for seat in variant.seats],
        can_flip=len(variant.seats) == svg.FACING,
        links=_links(0, 0, here),
        views=[
            {"view": view, "label": label, "url": _Address(view, flipped=False).at(0)}
            for view, label in perspectives.items()
        ],
        moves=[],
        moves_from=1,
        live_url=live_url,
    )


def scene_at(document: Mapping[str, Any], ply: int) -> Scene:
    """Return the scene after the first `ply` steps of a replay document."""
    first = document["first"]
    pieces = {piece["id"]: piece for piece in first["pieces"]}
    removed = {gone["id"]: gone for gone in first["removed"]}
    for step in document["steps"][:ply]:
        for change in step["changes"]:
            if not change.get("gone"):
                pieces[change["id"]] = change
                continue
            pieces.pop(change["id"], None)
            if "side" in change:  # else in no tray, for example a card that is shuffled back
                removed[change["id"]] = change
    here = document["steps"][ply - 1] if ply else first
    return Scene(
        columns=first["columns"],
        rows=first["rows"],
        cells=tuple(Cell(**cell) for cell in first["cells"]),
        pieces=tuple(Piece(**piece) for piece in pieces.values()),
        marks=tuple(Mark(**mark) for mark in here["marks"]),
        labels=tuple(Label(**label) for label in first["labels"]),
        removed=tuple(
            Removed(gone["id"], gone["side"], gone["face"], gone["text"])
            for gone in removed.values()
        ),
        lines=tuple(Line(**line) for line in first["lines"]),
        notes=tuple(Note(**note) for note in here["notes"]),
        pictures=registry.find(document["variant"]).pictures,
    )


def draw(scene: Scene, *, title: str, flipped: bool = False, still: bool = False) -> SafeString:
    """Draw a scene for a page; a `still` picture is smaller and scripts cannot animate it."""
    # A page goes over from the board of one game to that of another in place, by the names in it.
    shown = scene if still else replace(scene, pictures=_pictures_of_all())
    drawn = svg.draw(shown, title=title, flipped=flipped, still=still)
    return mark_safe(drawn)  # noqa: S308 - the engine escapes what it draws


@cache
def _pictures_of_all() -> Pictures:
    """Return the drawings of all games; a name has the same drawing in each."""
    pictures = [variant.pictures for variant in registry.variants().values()]
    return Pictures(
        faces={name: face for own in pictures for name, face in own.faces.items()},
        bodies={name: body for own in pictures for name, body in own.bodies.items()},
    )


def _trays(document: Mapping[str, Any], scene: Scene, seats: Sequence[str]) -> list[Tray]:
    """Return a tray for every side that loses a piece during the game."""
    gone = [*document["first"]["removed"]]
    gone += [change for step in document["steps"] for change in step["changes"] if "gone" in change]
    losing = {change.get("side") for change in gone}
    return [_tray(side, scene, seats) for side in seats if side in losing]


def _tray(side: str, scene: Scene, seats: Sequence[str]) -> Tray:
    kinds = Counter((gone.face, gone.text) for gone in scene.removed if gone.side == side)
    return Tray(
        side,
        gettext("%(side)s: pieces taken") % {"side": labels.seat_name(side)},
        side == seats[-1],
        [
            Taken(scene.pictures.body_of(side), scene.pictures.face_of(face), text, count)
            for (face, text), count in kinds.items()
        ],
    )


def _links(ply: int, last: int, here: "_Address") -> dict[str, str]:
    return {
        "first": here.at(0),
        "previous": here.at(max(0, ply - 1)),
        "next": here.at(min(last, ply + 1)),
        "last": here.at(last),
        "flip": _Address(here.view, flipped=not here.flipped).at(ply),
    }


class _Address:
    """The URLs of the plies of one perspective, relative to the page."""

    def __init__(self, view: str, *, flipped: bool) -> None:
        self.view = view
        self.flipped = flipped

    def at(self, ply: int) -> str:
        query = {"ply": str(ply), "view": self.view}
        if self.flipped:
            query["flip"] = "1"
        return f"?{urlencode(query)}"
