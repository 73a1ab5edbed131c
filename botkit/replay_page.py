"""A recorded game as one web page that needs no site and no network.

The page has the site's own replay element: its scripts and style sheets, which a checkout has in
`arena/static` and an installed kit beside this module, are written into it.
"""

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from hashlib import sha256
from html import escape
from pathlib import Path, PurePosixPath
from string import Template
from typing import Any

from botkit import endings, positions
from engine import registry, replay, svg
from engine.clock import left_ms
from engine.outcome import Result
from engine.record import Record, check_game
from engine.registry import find
from engine.variant import FULL, PUBLIC

SHEETS = [
    f"css/{name}.css"
    for name in ("tokens", "base", "layout", "components", "board", "replay", "moves")
]
MODULES = [  # in the order of their imports
    f"js/replay/{name}.js"
    for name in (
        *("shapes", "trays", "board", "clocks", "keys", "live", "movelist"),
        *("remarks", "timeline", "ticks", "words", "element"),
    )
]
PERSON_SHEET, PERSON_SCRIPT = "css/person.css", "js/person.js"  # of a page for a person who plays
PARTS = (*SHEETS, *MODULES, PERSON_SHEET, PERSON_SCRIPT)  # of the site's static files
TEMPLATE = Path(__file__).with_suffix(".html")
VIEW_NAMES = {PUBLIC: "Public", FULL: "All"}
IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./(\w+)\.js";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:class|function) (\w+))", re.MULTILINE)
FLIP = (
    '<button class="tool" type="button" data-do="flip" aria-label="Flip the board">'
    '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path class="icon-line" '
    'd="M8 20V5m0 0L4 9m4-4l4 4M16 4v15m0 0l4-4m-4 4l-4-4"/></svg></button>'
)


def page(record: Record) -> str:
    """Return the page (HTML) of a game, with the views of everybody. Raise BadRecord.

    The record must be what it claims, so that its result can be told.
    """
    check_game(record)
    variant = find(record.variant)
    observers = (PUBLIC, *variant.seats, FULL)
    documents = {observer: positions.replay(record, observer) for observer in observers}
    first = replay.scene_at(record, FULL, 0)
    script = as_script(MODULES)
    *below, above = (_edge(record, seat, len(documents[FULL]["steps"])) for seat in variant.seats)
    return Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        title=escape(_title(record)),
        ending=escape(_ending(record.result)),
        styles=styles(SHEETS),
        script=script,
        digest=digest(script),
        wide=" replay-wide" if first.columns > svg.WIDE else "",
        board=svg.draw(first, title=_title(record)),
        last=len(documents[FULL]["steps"]),
        above=above,
        below="".join(below),
        flip=FLIP if len(variant.seats) == svg.FACING else "",
        views="".join(
            f'<a href="#{view}" data-view="{view}">{VIEW_NAMES.get(view, view.capitalize())}</a>'
            for view in observers
        ),
        documents="".join(_inline(view, document) for view, document in documents.items()),
    )


def styles(sheets: Iterable[str]) -> str:
    """Return style sheets of the site as one."""
    return "".join(map(part_text, sheets))


def digest(script: str) -> str:
    """Return what the content policy of a page names a script by."""
    return f"sha256-{b64encode(sha256(script.encode()).digest()).decode()}"


def as_script(modules: Iterable[str]) -> str:
    """Return modules, in the order of their imports, as one script.

    A local page may load no modules, and a page of the site loads one file instead of many.
    """
    return "".join(_wrapped(PurePosixPath(part).stem, part_text(part)) for part in modules)


def _edge(record: Record, seat: str, plies: int) -> str:
    """Return who plays a seat, its clock if the record tells of one, and room for what it lost."""
    clock = ""
    if record.clock:
        opening = record.actions[: len(record.actions) - plies]
        own = (played.charged_ms for played in opening if played.seat == seat)
        clock = (
            '<span class="replay-clock"><span class="unseen">Time left: </span>'
            f'<span data-clock="{seat}" data-left-ms="{left_ms(record.clock, own)}"'
            f' data-increment-ms="{record.clock["increment_ms"]}"></span></span>'
        )
    return (
        f'<div class="replay-edge"><p class="replay-seat"><span class="seat seat-{seat}"></span>'
        f'<span class="unseen">{seat.capitalize()}: </span><bdi class="replay-name">'
        f"{escape(record.players[seat].name)}</bdi>{clock}</p>"
        f'<ul class="tray" data-tray="{seat}" aria-label="{seat.capitalize()}: pieces taken"></ul>'
        "</div>"
    )


def _title(record: Record) -> str:
    variant = find(record.variant)
    seats = ", ".join(f"{seat} {record.players[seat].name}" for seat in variant.seats)
    return f"{variant.slug}: {seats}"


def _ending(result: Result) -> str:
    if result.points is None:
        return "Void: the platform failed, not a bot."
    if result.fault is not None:
        seat, detail = result.fault, result.detail
        return endings.told(result.termination, fault=seat, loser=seat.capitalize(), detail=detail)
    *_, loser, winner = sorted(result.points, key=result.points.__getitem__)
    has_winner = len(set(result.points.values())) > 1
    text = registry.endings()[result.termination].sentence(has_winner=has_winner)
    return text % {"winner": winner.capitalize(), "loser": loser.capitalize()}


def _inline(view: str, document: Mapping[str, Any]) -> str:
    # No "<" can end the element early, whatever a name in the document says.
    text = json.dumps(document, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/json" data-document="{view}">{text}</script>'


def part_text(part: str) -> str:
    """Return one of `PARTS`."""
    here = Path(__file__).parent
    installed = here / "replay_assets" / part
    path = installed if installed.is_file() else here.parent / "arena/static" / part
    return path.read_text(encoding="utf-8")


def _wrapped(name: str, module: str) -> str:
    exports = ", ".join(EXPORT.findall(module))
    body = EXPORT.sub("", IMPORT.sub(r"const \1 = module_\2;", module))
    return f"const module_{name} = (() => {{\n{body}\nreturn {{ {exports} }};\n}})();\n"
