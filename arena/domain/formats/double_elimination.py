"""Double elimination: a loser moves to the lower bracket, and a loser there is out.

The upper bracket is that of a single elimination. The lower one has two rounds for each of the
upper: in one its entrants meet each other, in the next those who come down from the upper bracket.
Those cross over, so that the chance of meeting somebody again is as small as it can be. The
unbeaten entrant and the best of the lower bracket play the final. With the option `reset` they play
again if the unbeaten one loses it, so that everybody but the winner has lost twice.

A round has what may be played side by side: a round of the upper bracket waits for the lower one,
which needs more of them. Byes are in round 1 of the upper bracket only; an empty slot of the lower
bracket is passed without a pairing.

In a game for three the upper bracket is one of threes, and the lower one a pool: in each round
those who are in it, and those who come down to it, meet in threes, or in twos if their number is no
multiple of three, until one is left. The final is for two.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache

from arena.domain.formats import elimination, seeding, trees
from arena.domain.formats.elimination import BRACKETS_KEPT, Elimination
from arena.domain.formats.slots import EXTRA_MATCHES, BracketState
from arena.domain.formats.trees import Node, Part, Source
from arena.domain.formats.types import (
    PAIR,
    DecisionNote,
    Draw,
    FormatOption,
    RoundOutline,
    Setup,
    TournamentState,
    Unplayable,
    _,
    by_seed,
)

FINAL, RESET_FINAL = "G1.1", "G2.1"  # slots
RESET = FormatOption(
    name="reset",
    label=_("Second grand final"),
    help=_("Played if the unbeaten entrant loses the first one."),
    default=1,
    least=0,
    most=1,
    is_switch=True,
)
TEXTS = {
    "double_round:upper": _("Upper bracket, round %(upper)s"),
    "double_round:lower": _("Lower bracket, round %(lower)s"),
    "double_round:both": _("Upper bracket, round %(upper)s, and lower bracket, round %(lower)s"),
    "grand_final": _("Grand final"),
    "grand_final_reset": _("Second grand final, if the unbeaten entrant loses the first"),
    "bracket_reset": _(
        "%(entrant)s lost to %(by)s for the first time, so they play a second final."
    ),
}


class DoubleElimination(Elimination):
    """A loser moves to the lower bracket, and a loser there is out."""

    slug = "double_elimination"
    label = _("double elimination")
    meaning = _("A loser moves to the lower bracket. A loser there is out.")
    stage_meaning = _("The winner of the grand final, its loser, and so on down the lower bracket.")
    position = 50
    texts = TEXTS

    options = (RESET, EXTRA_MATCHES)
    tie_breaks = ("buchholz", "wins", "fewer_forfeits")

    def check(self, setup: Setup, entrants: int) -> None:
        """Raise Unplayable if the two brackets cannot be made for so many."""
        elimination.require(setup, entrants, least=3)
        if PAIR not in (setup.size, *setup.sizes):
            raise Unplayable("bracket_needs_pairs", entrants=entrants, playable=[])

    def outline(self, setup: Setup, entrants: int) -> tuple[RoundOutline, ...]:
        """Return the rounds; the last is played only if the unbeaten entrant is beaten."""
        plan = nodes(setup, entrants)
        rounds = []
        for number in range(1, plan[-1].round + 1):
            own = [node for node in plan if node.round == number]
            if own[0].part == Part.FINAL:
                code = "grand_final" if own[0].column == 1 else "grand_final_reset"
                rounds.append(RoundOutline(code, {}, pairings=1))
            else:
                columns = {node.part.value: node.column for node in own}
                byes = sum(1 for node in own if len(node.sources) == 1)
                details = {
                    part.value: columns.get(part.value, 0) for part in (Part.UPPER, Part.LOWER)
                }
                rounds.append(RoundOutline("double_round", details, len(own) - byes, byes))
        return tuple(rounds)

    def bracket_state_of(self, state: TournamentState) -> BracketState:
        """Return both brackets and the final, and what was played of them."""
        ranked = by_seed(state.entries)
        return BracketState.of(state, nodes=nodes(state.setup, len(ranked)), ranked=ranked)

    def next_round(self, state: TournamentState) -> Draw | None:
        """Draw the round after the last one; None after the final."""
        bracket_state = self.bracket_state_of(state)
        draw = bracket_state.draw()
        if draw is None or draw.meetings[0].slot != RESET_FINAL or draw.meetings[0].is_over:
            return draw
        first = bracket_state.slot_states[FINAL]
        reset = DecisionNote("bracket_reset", {"entrant": first.entrants[0], "by": first.order[0]})
        return Draw(draw.meetings, (*draw.notes, reset))


def nodes(setup: Setup, entrants: int) -> tuple[Node, ...]:
    """Return the slots of both brackets and of the final in the order in which they are played."""
    return _nodes(setup.size, entrants, bool(RESET.value(setup)))


@lru_cache(BRACKETS_KEPT)
def _nodes(size: int, entrants: int, has_reset: bool) -> tuple[Node, ...]:  # noqa: FBT001 - a key of the cache
    tree = list(_twos(entrants) if size == PAIR else _threes(entrants))
    last = max(tree, key=lambda node: node.step)
    unbeaten = max((node for node in tree if node.part == Part.UPPER), key=lambda node: node.step)
    sources = (Source(slot=unbeaten.slot), Source(slot=last.slot))
    stage, step = last.stage + 1, last.step + 1
    prize = 0 if has_reset else stage + 1
    tree.append(Node(FINAL, Part.FINAL, 1, 1, sources, step, stage, prize))
    if has_reset:  # it is idle if the unbeaten entrant has won
        again = (sources[0], Source(slot=FINAL))
        tree.append(Node(RESET_FINAL, Part.FINAL, 2, 1, again, step + 1, stage, prize=stage + 1))
    return trees.pruned(sorted(tree, key=lambda node: node.step), entrants)


def _twos(entrants: int) -> Iterator[Node]:
    """Yield both brackets for a game of two. Round i of the upper one goes down to 2i - 2."""
    width = seeding.slots_for(entrants)
    rounds = width.bit_length() - 1
    for node in elimination.upper(2, entrants):
        step = max(1, 2 * node.column - 2)
        yield replace(node, step=step, stage=step)
    is_first_empty = 4 * entrants <= 3 * width  # then no slot of it is needed, and it has no name
    crossings = _crossings(rounds)
    for number in range(1, 2 * rounds - 1):
        column = number - is_first_empty
        positions = width >> ((number + 1) // 2 + 1)
        for position in range(1, positions + 1):
            yield Node(
                slot=f"L{column}.{position}",
                part=Part.LOWER,
                column=column,
                position=position,
                sources=_lower(number, position, crossings, before=column - 1),
                step=number + 1,
                stage=number,
                positions=positions,
            )


def _lower(
    number: int, position: int, crossings: Sequence[int], *, before: int
) -> tuple[Source, Source]:
    """Return the sources of a slot in a round of the lower bracket.

    `before` is the column of the round before.
    """
    feeders = (2 * position - 1, 2 * position)
    if number == 1:
        above, below = (Source(slot=f"W1.{feeder}", place=2) for feeder in feeders)
        return above, below
    if number % 2:
        above, below = (Source(slot=f"L{before}.{feeder}") for feeder in feeders)
        return above, below
    upper = number // 2 + 1
    crossed = ((position - 1) ^ crossings[upper]) + 1
    return Source(slot=f"W{upper}.{crossed}", place=2), Source(slot=f"L{before}.{position}")


@cache  # one for every power of two, so there are few
def _crossings(rounds: int) -> tuple[int, ...]:
    """Return by round of the upper bracket the number that crosses its losers over.

    The loser at position p (from 0) comes to position p xor this number. Round by round it is the
    number with the smallest chance of a repeat if every meeting is an even chance. Of several it is
    the largest, which turns the first such round upside down.
    """
    crossings = [0, 0]
    for number in range(2, rounds + 1):
        choices = range(2 ** (rounds - number))
        risk = {choice: _risk(number, choice, crossings) for choice in choices}
        crossings.append(max(choices, key=lambda choice: (-risk[choice], choice)))
    return tuple(crossings)


def _risk(number: int, crossing: int, crossings: Sequence[int]) -> float:
    """Return how likely a loser of a round meets somebody again that it has beaten before.

    Those that it has beaten in an earlier round have been in the lower bracket since, in the same
    part of it as all the others from the same part of the upper bracket.
    """
    risk = 0.0
    enters = 2 * number - 2
    for earlier in range(1, number):
        crossed = crossings[earlier] >> (number - earlier)
        began = max(1, 2 * earlier - 2)
        apart = (crossed ^ crossing).bit_length()  # rounds in which the lower bracket halves
        meets = enters + (2 * apart - 1 if apart else 0)
        risk += 0.5 ** (meets - began) * 0.5 ** (meets - enters)
    return risk


def _threes(entrants: int) -> Iterator[Node]:
    """Yield both brackets for a game of three; a pool of one advances without a slot."""
    pool: list[Source] = []
    past: dict[str, frozenset[str]] = {}
    upper = trees.pruned(elimination.upper(3, entrants), entrants)
    step, column = 0, 0
    while step < upper[-1].step or len(pool) > 1:
        step += 1
        down = [node for node in upper if node.step == step]
        for node in down:
            past[node.slot] = _past(node.sources, past) | {node.slot}
            yield node
        places = [(place, node) for place in (2, 3) for node in down if place <= len(node.sources)]
        pool += [Source(slot=node.slot, place=place) for place, node in places]
        groups = _groups(pool, past) if len(pool) > 1 else []
        column += bool(groups)
        names = [f"L{column}.{position}" for position in range(1, len(groups) + 1)]
        for position, (name, sources) in enumerate(zip(names, groups, strict=True), start=1):
            past[name] = _past(sources, past)
            yield Node(name, Part.LOWER, column, position, sources, step + 1, step)
        pool = [Source(slot=name) for name in names] or pool


def _past(sources: Sequence[Source], past: dict[str, frozenset[str]]) -> frozenset[str]:
    """Return the slots of the upper bracket where the entrants of these sources may have met."""
    return frozenset().union(*(past.get(source.slot, frozenset()) for source in sources))


def _groups(pool: Sequence[Source], past: dict[str, frozenset[str]]) -> list[tuple[Source, ...]]:
    """Divide a pool evenly into threes and twos, and keep apart those who may have met.

    The source that may have met most of the others is placed first.
    """
    number = -(-len(pool) // 3)
    rooms = [len(pool) // number + (place < len(pool) % number) for place in range(number)]
    groups: list[list[Source]] = [[] for _ in rooms]
    for source in sorted(pool, key=lambda source: -_clashes(source, pool, past)):
        choices = [
            (_clashes(source, group, past), len(group), place)
            for place, group in enumerate(groups)
            if len(group) < rooms[place]
        ]
        groups[min(choices)[2]].append(source)
    return [tuple(group) for group in groups]


def _clashes(source: Source, others: Sequence[Source], past: dict[str, frozenset[str]]) -> int:
    return sum(len(past[source.slot] & past[other.slot]) for other in others)
