"""Why an action is refused: every reason with the sentence behind it."""

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

from engine.errors import EngineError, IllegalAction, IllegalDeployment, MalformedAction, quoted
from engine.variants.siege.army import (
    ARMIES,
    CAPTAIN,
    COLONEL,
    FIRST,
    GARRISON,
    GENERAL,
    LIEUTENANT,
    RANK_NAMES,
    SEATS,
    SOLDIER,
    WHITE,
    seat_of,
)
from engine.variants.siege.board import CIRCLES, COLOURS, EXITS, NAMES, PLACES, SHADE, grid
from engine.variants.siege.moves import garrison_moves, is_protected, is_safe
from engine.variants.siege.notation import DEMAND, MOVE, PASS
from engine.variants.siege.readings import is_circle
from engine.variants.siege.state import EMPTY, State

LIKE = "a move looks like c3-d4, W-NW or W-e6, a demand like c3-d4!"
OWN = ("D28", "D27", "D29")  # each seat moves pieces of its own
GOES = (
    MappingProxyType({GENERAL: "D7", COLONEL: "D9", SOLDIER: "D12"}),
    MappingProxyType(
        {GENERAL: "DX4", COLONEL: "DX4", CAPTAIN: "DX4", LIEUTENANT: "D1", SOLDIER: "D3"}
    ),
)  # how a rank goes, garrison and besiegers
TAKES: Mapping[str, str] = MappingProxyType({GENERAL: "D8", COLONEL: "D10", SOLDIER: "D13"})
Reason = tuple[str, str]  # the sentence and the words


def check_deployment(seat: int, text: str) -> None:
    """Look at an action while the garrison has not been placed.

    Raise MalformedAction, IllegalDeployment, or IllegalAction where another seat acts.
    """
    if seat != GARRISON:
        raise IllegalAction("the garrison is placed and plays first", rule="D26")
    if text == PASS or MOVE.fullmatch(text):
        raise IllegalDeployment("the garrison is placed before anything moves", rule="D18")
    army, order = ARMIES[SEATS[GARRISON]], " ".join(CIRCLES)
    strange = sorted(set(text) - army.keys())
    if strange or not text:
        raise MalformedAction(
            f"a deployment is a code G, C or S for each of the circles {order}, such as GCSSSSSS;"
            f" these are none: {quoted(''.join(strange))}"
        )
    if len(text) > len(CIRCLES):
        raise IllegalDeployment(f"the fort has room for {len(CIRCLES)} pieces", rule="D18")
    counts = Counter(text)
    if counts != army:
        placed = ", ".join(f"{counts[code]} {code}" for code in army)
        raise IllegalDeployment(
            f"the garrison is one general, one colonel and six soldiers, not {placed}", rule="D17"
        )


def out_of_turn(state: State, seat: int) -> IllegalAction:
    """Refuse a seat that is not to move."""
    turn, who = SEATS[state.to_move], SEATS[seat]
    return IllegalAction(f"it is {turn}'s turn, not {who}'s", rule="D30")


def refusal(state: State, seat: int, text: str) -> EngineError:
    """Return why the seat to move may not do what it asks."""
    if text == PASS:
        return _pass_refused(state, seat)
    match = MOVE.fullmatch(text)
    if match is None:
        if len(text) == len(CIRCLES) and not set(text) - set(RANK_NAMES):
            return IllegalAction("the garrison has been placed already", rule="D18")
        return MalformedAction(f"{quoted(text)} is no action: {LIKE}; without a move it is {PASS}")
    for name in (match[1], match[2], match[4]):
        if name is not None and name not in PLACES:
            return IllegalAction(f"{name} lies under the fort, which has circles only", rule="DE1")
    start, target = PLACES[match[1]], PLACES[match[2]]
    reason = _move_refused(state, seat, start, target)
    if reason is None and match[3]:
        reason = _demand_refused(state, seat, match[4])
    if reason is None:
        if text in garrison_moves(state):
            reason = "D22", "a capture has been asked for and there is one"
        else:
            reason = "D37", "the soldiers on the board are immobilised: a piece has to come out"
    return IllegalAction(f"{text}: {reason[1]}", rule=reason[0])


def _pass_refused(state: State, seat: int) -> IllegalAction:
    if seat == GARRISON:
        return IllegalAction("the garrison always moves; it never passes", rule="D28")
    if state.rules.passes:
        return IllegalAction("a besieger passes only where it has no move", rule="DX6")
    return IllegalAction("nobody passes: without a move the ally moves instead", rule="DX6")


def _move_refused(state: State, seat: int, start: int, target: int) -> Reason | None:
    """Look at a move as if nobody had asked for a capture and no soldier were immobilised."""
    piece = state.at[start]
    if piece == EMPTY or seat_of(piece) != seat:
        return OWN[seat], f"no piece of {SEATS[seat]} stands there"
    between = _path(state, piece, start, target)
    if between is None:
        return _out_of_reach(state, piece, start, target)
    if any(state.at[place] != EMPTY for place in between):
        rule = "D1" if state.rank[piece] == LIEUTENANT else "DX5"
        return rule, "another piece is in the way and nobody leaps"
    if state.at[target] == EMPTY:
        return None
    return _occupied(state, seat, start, target)


def _path(state: State, piece: int, start: int, target: int) -> list[int] | None:
    """Return the places between, or None where the piece does not go there even on its own."""
    for line in state.rules.rays[state.kind[piece]][start]:
        places = [place for place, _ in line]
        if target in places:
            return places[: places.index(target)]
    return None


def _occupied(state: State, seat: int, start: int, target: int) -> Reason | None:
    other = seat_of(state.at[target])
    if seat != GARRISON and other == GARRISON:
        return "D19", "besiegers capture nothing"
    if seat != GARRISON or other == GARRISON:
        return "DX5", "a piece of the same side stands there"
    if is_safe(state, target):
        return "D4", "a soldier that has entered the fort cannot be captured"
    if is_protected(state, start, target):
        return "D32", "the piece is protected by another besieging piece"
    return None


def _out_of_reach(state: State, piece: int, start: int, target: int) -> Reason:
    if is_circle(start) and is_circle(target):
        return "D35", "inside the fort a piece goes along a line to the next circle"
    if is_circle(start) or is_circle(target):
        return _wall(state, piece, start, target)
    rank = state.rank[piece]
    if seat_of(piece) != GARRISON:
        if rank == LIEUTENANT and SHADE[start] != SHADE[target]:
            return "D2", "a lieutenant stays on squares of its colour"
        return GOES[1][rank], f"a besieging {RANK_NAMES[rank]} does not go this way"
    if rank == COLONEL and _is_diagonal(start, target):
        return "D11", "a colonel never goes diagonally"
    rule = (TAKES if state.at[target] >= FIRST[WHITE] else GOES[0])[rank]
    return rule, f"a {RANK_NAMES[rank]} of the garrison does not go this way"


def _is_diagonal(start: int, target: int) -> bool:
    (x1, y1), (x2, y2) = (grid(NAMES[place]) for place in (start, target))
    return 0 < abs(x1 - x2) == abs(y1 - y2)


def _wall(state: State, piece: int, start: int, target: int) -> Reason:
    """Refuse a way between a circle and a square."""
    circle, square = max(start, target), min(start, target)
    if (circle, square) not in state.rules.exits:
        gates = EXITS[state.rules.options["gates"]]
        ways = "; ".join(f"{gate} to {' and '.join(squares)}" for gate, squares in gates.items())
        return "D25", f"the fort is left and entered by its gates only: {ways}"
    if piece < FIRST[WHITE]:
        if state.shade[piece] is None:
            return "D14", f"three soldiers are bound to {COLOURS[SHADE[square]]} squares already"
        return "D15", "this soldier is bound to squares of the other colour"
    if state.rules.options["besiegers_may_leave"]:
        return "D2", "the piece stays on squares of its colour"
    return "DX7", "besiegers that have entered the fort stay there"


def _demand_refused(state: State, seat: int, named: str | None) -> Reason | None:
    if seat == GARRISON:
        return "D22", "only a besieger may ask for a capture"
    if not state.rules.named_demands:
        return ("D22", f"a demand names no piece: {DEMAND} is enough") if named else None
    if named is None:
        return "D22", f"a demand names its piece, as in c3-d4{DEMAND}d4"
    return "D22", f"there is no piece on {named} that the garrison could capture after this"
