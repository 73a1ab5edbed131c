"""Playing a siege: placing the garrison, a move of each seat, whose turn it is, and the end."""

from collections.abc import Mapping
from itertools import permutations
from types import MappingProxyType
from typing import Any

from engine.errors import IllegalAction
from engine.outcome import PLY_CAP, RESIGN, Result, ended, resignation, resigned
from engine.variant import Event
from engine.variants.siege.army import (
    ARMIES,
    BLACK,
    CYCLE,
    GARRISON,
    IDS,
    SEATS,
    SIDES,
    SOLDIER,
    WHITE,
    seat_of,
)
from engine.variants.siege.board import CIRCLES, NAMES, PLACES
from engine.variants.siege.endings import (
    BESIEGERS_DESTROYED,
    FORT_ENTERED,
    GARRISON_BLOCKED,
    NO_PROGRESS_CAP,
    SOLDIER_IN_FORT,
)
from engine.variants.siege.moves import answers, besieger_moves, captures, garrison_moves
from engine.variants.siege.notation import DEMAND, PASS
from engine.variants.siege.readings import NOWHERE, is_circle
from engine.variants.siege.refusals import check_deployment, out_of_turn, refusal
from engine.variants.siege.state import EMPTY, Demand, State

SIEGE_WON: Mapping[str, float] = MappingProxyType({"garrison": 0.0, "besiegers": 1.0})
SIEGE_LIFTED: Mapping[str, float] = MappingProxyType({"garrison": 1.0, "besiegers": 0.0})
DRAWN: Mapping[str, float] = MappingProxyType({"garrison": 0.5, "besiegers": 0.5})
ALL_SOLDIERS = sum(ARMIES[SEATS[seat]][SOLDIER] for seat in (WHITE, BLACK))
ENOUGH_OFFICERS = 6  # D23
ALL_TO_TAKE = (ALL_SOLDIERS, ENOUGH_OFFICERS)


def play(state: State, seat: int, text: str) -> tuple[Event, ...]:
    """Do what a seat asks. Raise MalformedAction or IllegalAction, and then changes nothing."""
    if state.result is not None:
        raise IllegalAction("the game is over")
    if text == RESIGN and seat == state.to_move:
        state.ply += bool(state.deployed)
        state.result = resigned(SIDES, [SEATS[seat]])  # a besieger gives up for both of them
        return (resignation(SEATS[seat]), ended(state.result))
    if not state.deployed:
        check_deployment(seat, text)
        for number, (rank, circle) in enumerate(zip(text, CIRCLES, strict=True)):
            state.stand(number, rank, PLACES[circle])
        state.deployed = text
        begin_turn(state)
        return (Event("deployed", {"seat": SEATS[GARRISON], "deployment": text}),)
    if seat != state.to_move:
        raise out_of_turn(state, seat)
    move, asked, named = text.partition(DEMAND)
    if move not in state.moves or (asked and not _may_demand(state, seat, text)):
        raise refusal(state, seat, text)
    demand = Demand(seat, PLACES.get(named, NOWHERE)) if asked else None
    state.ply += 1
    state.quiet_plies += 1
    kind, facts = ("passed", {}) if move == PASS else _move(state, seat, move)
    state.demand = demand
    state.result = _fort_entered(state, seat) or _victory(state, seat)
    if state.result is None:
        next_turn(state)
        if state.to_move == GARRISON and not state.moves:  # D6, D21
            detail = "the garrison cannot move"
            state.result = Result(SIEGE_WON, GARRISON_BLOCKED.word, detail=detail)
        else:
            state.result = _worn_out(state)
    if kind == "moved":
        facts["demand"] = demand and demand_word(demand)
        facts["binds"] = state.demand is not None and state.demand.binds
    event = Event(kind, {"seat": SEATS[seat], **facts, "turn": state.slot})
    return (event,) if state.result is None else (event, ended(state.result))


def legal(state: State) -> list[str]:
    """List all that the seat to move may do: placings, moves, and moves with a demand."""
    if not state.deployed:
        return list(PLACINGS)
    if state.to_move == GARRISON or state.moves == [PASS]:
        return state.moves[:]
    if state.rules.named_demands:
        return [*state.moves, *(text for move in state.moves for text in _named(state, move))]
    return [*state.moves, *(text + DEMAND for text in state.moves)]


def next_turn(state: State) -> None:
    """Hand the turn on, and work out what the next seat may do."""
    while True:
        state.slot = (state.slot + 1) % len(CYCLE)
        state.to_move = CYCLE[state.slot]
        begin_turn(state)
        if state.moves or state.to_move == GARRISON:
            return


def begin_turn(state: State) -> None:
    """Work out the moves of the seat whose turn it is.

    A besieger that has none passes (DX6); under the other reading its ally moves in its place, or
    nobody where that one has none either.
    """
    if state.to_move == GARRISON:
        state.moves = garrison_moves(state)
        wanted = answers(state, state.moves)
        if state.demand is not None and wanted:
            state.moves = wanted
            state.demand = state.demand._replace(binds=True)
        return
    state.moves = besieger_moves(state, state.to_move)
    if state.moves:
        return
    if state.rules.passes:
        state.moves = [PASS]
        return
    ally = WHITE + BLACK - state.to_move
    state.moves = besieger_moves(state, ally)
    if state.moves:
        state.to_move = ally


PLACINGS = tuple(  # D18: all 56 of them
    "".join("G" if at == general else "C" if at == colonel else "S" for at in range(len(CIRCLES)))
    for general, colonel in permutations(range(len(CIRCLES)), 2)
)


def _named(state: State, move: str) -> list[str]:
    """Return a besieger's move with a demand for each piece that could be captured after it."""
    start, target = state.rules.ends[move]
    piece = state.at[start]
    state.shift(piece, target)
    taking = captures(state, garrison_moves(state))
    state.shift(piece, start)
    places = dict.fromkeys(state.rules.ends[text][1] for text in taking)
    return [f"{move}{DEMAND}{NAMES[place]}" for place in places]


def _may_demand(state: State, seat: int, text: str) -> bool:
    move, _, named = text.partition(DEMAND)
    if seat == GARRISON or move == PASS:
        return False
    return text in _named(state, move) if state.rules.named_demands else not named


def _move(state: State, seat: int, move: str) -> tuple[str, dict[str, Any]]:
    """Make a move. Return the kind of its event and what it tells, but for what follows of it."""
    start, target = state.rules.ends[move]
    piece, victim = state.at[start], state.at[target]
    facts: dict[str, Any] = {
        "piece": IDS[piece],
        "from": NAMES[start],
        "to": NAMES[target],
    }
    if victim != EMPTY:
        state.remove(victim)
        state.quiet_plies = 0
    state.shift(piece, target)
    enters = is_circle(target) and seat != GARRISON and not state.entered[piece]
    if enters:
        state.entered[piece] = True
        state.quiet_plies = 0
    if victim != EMPTY:
        owner = SEATS[seat_of(victim)]
        taken = {"id": IDS[victim], "seat": owner, "rank": state.rank[victim]}
        return "captured", {**facts, "taken": taken}
    return "moved", {**facts, "enters": enters}


def demand_word(demand: Demand) -> str:
    """Return what a demand asks for: `any` capture, or the capture on a place."""
    return "any" if demand.place == NOWHERE else NAMES[demand.place]


def _fort_entered(state: State, seat: int) -> Result | None:
    """Look at the fort after a besieger's move (D5); literally read, one soldier draws (D24)."""
    if seat == GARRISON:
        return None
    soldiers, officers = state.inside()
    if soldiers and state.rules.entry_draws:
        return Result(DRAWN, SOLDIER_IN_FORT.word, detail="a soldier has entered the fort")
    if soldiers >= state.rules.need_soldiers and officers >= state.rules.need_officers:
        detail = f"{soldiers} soldiers and {officers} officers are inside the fort"
        return Result(SIEGE_WON, FORT_ENTERED.word, detail=detail)
    return None


def _victory(state: State, seat: int) -> Result | None:
    """Look at what is captured, and who is inside (D23, D24 as DX10 and DX22 read it)."""
    if len(state.captured) < ENOUGH_OFFICERS:  # as in most positions, which need no more counting
        return None
    if state.rules.draws_at_captures_only and (seat != GARRISON or state.quiet_plies):
        return None
    soldiers, officers = state.taken()
    if officers < ENOUGH_OFFICERS:
        return None
    if soldiers == ALL_SOLDIERS:
        detail = f"all soldiers and {officers} officers of the besiegers are captured"
        return Result(SIEGE_LIFTED, BESIEGERS_DESTROYED.word, detail=detail)
    if soldiers + state.inside()[0] == ALL_SOLDIERS:
        detail = "every soldier that is not captured is inside the fort"
        decides = state.rules.progress_decides_rule10
        return _undecided(state, SOLDIER_IN_FORT.word, detail, progress_decides=decides)
    return None


def _worn_out(state: State) -> Result | None:
    """Look at the caps (DX8, DX9)."""
    rules = state.rules
    if rules.max_plies is not None and state.ply >= rules.max_plies:
        detail, decides = f"{state.ply} plies were played", rules.progress_decides_caps
        return _undecided(state, PLY_CAP.word, detail, progress_decides=decides)
    if rules.no_progress_plies is not None and state.quiet_plies >= rules.no_progress_plies:
        detail = f"{state.quiet_plies} plies went by without a capture or an entry"
        decides = rules.progress_decides_caps
        return _undecided(state, NO_PROGRESS_CAP.word, detail, progress_decides=decides)
    return None


def _undecided(state: State, termination: str, detail: str, *, progress_decides: bool) -> Result:
    """End a game that nobody has won, as a draw or by progress (DX20, DX22).

    Progress is the share of its aim that each side has reached. The burden is on the attack: with
    nobody inside, a siege has failed.
    """
    if not progress_decides:
        return Result(DRAWN, termination, detail=detail)
    aim = (state.rules.need_soldiers, state.rules.need_officers)
    inside, taken = _towards(state.inside(), aim), _towards(state.taken(), ALL_TO_TAKE)
    if not inside:
        return Result(SIEGE_LIFTED, termination, detail=f"{detail}; nobody is inside the fort")
    detail += f"; {inside} of {sum(aim)} are inside, {taken} of {sum(ALL_TO_TAKE)} are captured"
    lead = inside * sum(ALL_TO_TAKE) - taken * sum(aim)
    points = SIEGE_WON if lead > 0 else SIEGE_LIFTED if lead < 0 else DRAWN
    return Result(points, termination, detail=detail)


def _towards(have: tuple[int, int], aim: tuple[int, int]) -> int:
    """Count soldiers and officers, of each no more than the aim asks for."""
    return sum(map(min, have, aim))
