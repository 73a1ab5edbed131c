"""What the seats do: set up at the same time, then shoot by turns."""

import re

from engine.errors import IllegalAction, IllegalDeployment, MalformedAction, quoted
from engine.outcome import PLY_CAP, RESIGN, Ending, Result, by_word, ended, resignation, resigned
from engine.outcome import gettext_noop as _
from engine.variant import Event

from .state import State, asked
from .waters import FLEET, NAMES, SEATS, SQUARES, Fleet, Placement, placement

FLEET_SUNK = Ending(
    "fleet_sunk", _("Fleet sunk"), decided=_("%(winner)s sank the whole fleet of %(loser)s.")
)
ENDINGS = by_word(FLEET_SUNK, PLY_CAP)
SIDES = {seat: (seat,) for seat in SEATS}
SET_UP = re.compile(r"[a-h][1-8][ru](,[a-h][1-8][ru])*")
SHOT = re.compile(r"[a-h][1-8]")


def legal(state: State, seat: str) -> list[str] | None:
    """Return the squares that a seat may shoot at; None while it sets up."""
    if seat not in asked(state):
        return []
    if state.deploying:
        return None
    shots = {*state.shots[state.to_move]}
    return [square for square in SQUARES if square not in shots]


def apply(state: State, seat: str, action: str) -> tuple[Event, ...]:
    """Do what a seat asks. Raise an EngineError, and then change nothing."""
    if state.result is not None:
        raise IllegalAction("the game is over")
    number = SEATS.index(seat)
    if state.deploying:
        return _set_up(state, number, action)
    if number != state.to_move:
        raise IllegalAction(f"it is {SEATS[state.to_move]}'s turn", rule="BS4")
    if action == RESIGN:
        state.ply += 1
        return _resign(state, [seat])
    return _shoot(state, number, action)


def _set_up(state: State, seat: int, action: str) -> tuple[Event, ...]:
    if state.answers[seat] is not None:
        raise IllegalAction(f"{SEATS[seat]} has set up already", rule="BS3")
    if action != RESIGN:
        read_fleet(action)
    state.answers[seat] = action
    answers = [answer for answer in state.answers if answer is not None]
    if len(answers) < len(SEATS):
        return ()
    if RESIGN in answers:
        return _resign(state, [SEATS[at] for at in (0, 1) if answers[at] == RESIGN])
    state.fleets = [read_fleet(answer) for answer in answers]
    return tuple(
        Event("deployed", {"seat": name}, {name: {"deployment": answer}})
        for name, answer in zip(SEATS, answers, strict=True)
    )


def read_fleet(text: str) -> Fleet:
    """Read a set-up. Raise MalformedAction or IllegalDeployment."""
    if SHOT.fullmatch(text):
        raise IllegalDeployment(f"{text}: fleets are set up before anybody shoots", rule="BS3")
    if not SET_UP.fullmatch(text):
        raise MalformedAction(f"{quoted(text)} is not a set-up such as a1r,c3u,e5r,h7u")
    words = text.split(",")
    if len(words) != len(FLEET):
        raise IllegalDeployment(f"a fleet has {len(FLEET)} ships, not {len(words)}", rule="BS2")
    fleet: dict[str, Placement] = {}
    for (ship, length), word in zip(FLEET.items(), words, strict=True):
        squares = placement(length, word[:2], word[2])
        if squares is None:
            said = f"the {NAMES[ship]} has {length} squares and leaves the board from {word}"
            raise IllegalDeployment(said, rule="BS3")
        for other, taken in fleet.items():
            if {*taken} & {*squares}:
                said = f"the {NAMES[ship]} lies over the {NAMES[other]}"
                raise IllegalDeployment(said, rule="BS3")
        fleet[ship] = squares
    return fleet


def _shoot(state: State, seat: int, action: str) -> tuple[Event, ...]:
    if not SHOT.fullmatch(action):
        if SET_UP.fullmatch(action):
            raise IllegalAction("the fleets are set up already", rule="BS3")
        raise MalformedAction(f"{quoted(action)} is not a square such as d4")
    if action in state.shots[seat]:
        raise IllegalAction(f"you have shot at {action} already", rule="BS5")
    state.shots[seat].append(action)
    state.ply += 1
    fleet = state.fleets[1 - seat]
    ship = next((ship for ship, squares in fleet.items() if action in squares), None)
    if ship is None:
        told = Event("missed", {"seat": SEATS[seat], "square": action})
    else:
        sunk = {*fleet[ship]} <= {*state.shots[seat]}
        facts = {"seat": SEATS[seat], "square": action, "ship": ship, "sunk": sunk}
        told = Event("hit", facts)
    if ship is None or not state.hit_again:
        state.to_move = 1 - seat
    state.result = _judge(state, seat)
    return (told, ended(state.result)) if state.result else (told,)


def _judge(state: State, seat: int) -> Result | None:
    afloat = {square for squares in state.fleets[1 - seat].values() for square in squares}
    if afloat <= {*state.shots[seat]}:
        points = {name: float(at == seat) for at, name in enumerate(SEATS)}
        return Result(points, FLEET_SUNK.word, detail=f"{SEATS[seat]} sank the last ship")
    if state.max_plies is not None and state.ply >= state.max_plies:
        detail = f"{state.ply} plies were played"
        return Result(dict.fromkeys(SEATS, 0.5), PLY_CAP.word, detail=detail)
    return None


def _resign(state: State, seats: list[str]) -> tuple[Event, ...]:
    state.result = resigned(SIDES, seats)
    return (*(resignation(seat) for seat in seats), ended(state.result))
