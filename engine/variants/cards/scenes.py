"""From a view to a picture and to words. Only views come in here, so nothing hidden can go out."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from engine.duel.faces import PICTURES
from engine.scene import Cell, Label, Note, Piece, Removed, Scene
from engine.variant import View
from engine.variants.cards.deck import RANKS
from engine.variants.cards.state import HAND, SEATS, SLOTS

COLUMNS, ROWS = 6, 4
PILE_X = SLOTS
HAND_X = 1  # the hand lies before the middle of the line
ROW = {"red": (3, 2), "blue": (0, 1)}  # the rows of hand and line, from the top


def scene(view: View) -> Scene:
    """Put a view on the table: both hands and piles outside, the two lines face to face.

    While a seat chooses its line, the eight cards dealt lie in its hand and on its slots.
    """
    return Scene(
        columns=COLUMNS,
        rows=ROWS,
        cells=_cells(),
        pieces=tuple(piece for seat in SEATS for piece in _pieces(view, seat)),
        labels=tuple(Label("bottom", slot, str(slot + 1)) for slot in range(SLOTS)),
        removed=tuple(
            Removed(gone["id"], gone["seat"], gone["rank"], _words(gone["seat"], gone["rank"]))
            for gone in view["removed"]
        ),
        notes=tuple(Note(PILE_X, ROW[seat][0], str(view["seats"][seat]["pile"])) for seat in SEATS),
        pictures=PICTURES,
    )


def _pieces(view: View, seat: str) -> Iterator[Piece]:
    shown, (hand_row, line_row) = view["seats"][seat], ROW[seat]
    for slot, card in enumerate(shown["line"]):
        if card is not None:
            text = f"{_words(seat, card['rank'])}, slot {slot + 1}"
            known = card["revealed"]
            yield Piece(card["id"], slot, line_row, seat, card["rank"], text, known_to_all=known)
    for number, rank in enumerate(shown["hand"]):
        x, y = (HAND_X + number, hand_row) if number < HAND else (number - HAND, line_row)
        text = f"{_words(seat, rank)}, in hand"
        yield Piece(f"{seat[0]}h{number + 1}", x, y, seat, rank, text)
    if shown["pile"]:
        text = f"{seat}, pile of {shown['pile']}"
        top = shown["pile_order"][0] if shown["pile_order"] else None
        yield Piece(f"{seat[0]}p", PILE_X, hand_row, seat, top, text)


def describe(event: Mapping[str, Any], before: View) -> tuple[str, str]:
    """Return an event's notation, such as `2x4`, and a sentence for those who cannot see the table.

    The notation is empty for all but one event of an action, and for the opening set-ups.
    """
    if event["type"] == "ended":
        return "", f"the game is over: {event['termination'].replace('_', ' ')}"
    if event["type"] == "fought":
        return f"{event['from'][1]}x{event['to'][1]}", _fight_words(event)
    if event["type"] == "revealed":
        return event["action"], f"{_words(event['seat'], event['rank'])} {event['from']} is shown"
    return _SAID[event["type"]](event, before)


def _deployed(event: Mapping[str, Any], before: View) -> tuple[str, str]:
    dealt = len(before["seats"][event["seat"]]["hand"])
    line = event.get("deployment", "?" * min(SLOTS, dealt))
    return line if before["ply"] else "", f"{event['seat']} has chosen a line"


def _filled(event: Mapping[str, Any], _before: View) -> tuple[str, str]:
    ranks = event.get("ranks", ["?"] * len(event["slots"]))
    filling = ",".join(f"{slot}={rank}" for slot, rank in zip(event["slots"], ranks, strict=True))
    cards = [RANKS.get(rank, "a card") for rank in ranks]
    laid = (f"{card} in slot {slot}" for card, slot in zip(cards, event["slots"], strict=True))
    return filling, f"{event['seat']} lays {', '.join(laid)}"


def _looked(event: Mapping[str, Any], _before: View) -> tuple[str, str]:
    seen = f", a {RANKS[event['rank']]}" if "rank" in event else ""
    return "", f"{event['seat']} looks at {event['to']}{seen}"


_SAID: Mapping[str, Callable[[Mapping[str, Any], View], tuple[str, str]]] = {
    "deployed": _deployed,
    "began": lambda event, _: ("", f"it is {event['seat']}'s turn"),
    "filled": _filled,
    "drew": lambda event, _: ("", f"{event['seat']} draws {_cards(event)}"),
    "redealt": lambda event, _: (
        "",
        f"{event['seat']} mixes all cards and takes {_cards(event)}",
    ),
    "peeked": lambda event, _: ("", f"{event['seat']} looks at the enemy's hand: {_cards(event)}"),
    "looked": _looked,
    "stopped": lambda event, _: ("stop", f"{event['seat']} attacks no more"),
    "resigned": lambda event, _: ("resign", f"{event['seat']} resigns"),
}


def _cards(event: Mapping[str, Any]) -> str:
    """Name cards where the observer sees them, else their number."""
    if "ranks" in event:
        return ", ".join(RANKS[rank] for rank in event["ranks"]) or "nothing"
    return f"{event['count']} card{'' if event['count'] == 1 else 's'}"


def _fight_words(event: Mapping[str, Any]) -> str:
    attacker = f"{_words(event['seat'], event['attacker']['rank'])} {event['from']}"
    defender = f"{RANKS[event['defender']['rank']]} {event['to']}"
    if event["winner"] == "attacker":
        return f"{attacker} beats {defender}"
    boom = "boom: " if event["boom"] else ""
    if event["winner"] == "defender":
        return f"{boom}{attacker} falls to {defender}"
    return f"{attacker} and {defender} both fall"


def _words(seat: str, rank: str | None) -> str:
    return f"{seat}, unknown" if rank is None else f"{seat} {RANKS[rank]}"


@cache
def _cells() -> tuple[Cell, ...]:
    cells = []
    for seat in ("blue", "red"):
        hand, line = ROW[seat]
        cells += [Cell(HAND_X + n, hand, "slot", f"{seat[0]}h{n + 1}") for n in range(HAND)]
        cells.append(Cell(PILE_X, hand, "slot", f"{seat[0]}p"))
        cells += [Cell(n, line, "slot", f"{seat[0]}{n + 1}") for n in range(SLOTS)]
    return tuple(cells)
