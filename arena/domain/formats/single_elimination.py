"""Single elimination: a loser is out.

Round 1 follows the standard table of `seeding`. If the number of entrants is no power of two, the
best seeds have byes in round 1, and nobody has one later. With the option `third_place` the losers
of the semi-finals meet while the final is played.

In a game for three the bracket is one of threes. If there are too few for that, some pairings of
round 1 are for two, with the best seeds in them, and if need be the best have byes. Two may only
meet if the game can be played by two, so a game for exactly three takes 3, 9, 27 … entrants. The
final of three has a second and a third place of its own.

The play-off after groups is such a bracket too.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from arena.domain.formats import elimination, trees
from arena.domain.formats.elimination import BRACKETS_KEPT, Elimination
from arena.domain.formats.slots import EXTRA_MATCHES, BracketState
from arena.domain.formats.trees import Node, Part, Source
from arena.domain.formats.types import (
    PAIR,
    FormatOption,
    RoundOutline,
    Setup,
    TournamentState,
    _,
    by_seed,
)

THIRD_PLACE = FormatOption(
    name="third_place",
    label=_("Match for third place"),
    help=_("Between the losers of the semi-finals."),
    default=0,
    least=0,
    most=1,
    is_switch=True,
)


class SingleElimination(Elimination):
    """A loser is out."""

    slug = "single_elimination"
    label = _("single elimination")
    meaning = _("A loser is out. The last one left wins.")
    meaning_for_more = _("The best of every %(size)d advances. The last one left wins.")
    stage_meaning = _("The winner of the final, its loser, and so on down.")
    position = 40

    options = (THIRD_PLACE, EXTRA_MATCHES)
    tie_breaks = ("buchholz", "wins", "fewer_forfeits")

    def check(self, setup: Setup, entrants: int) -> None:
        """Raise Unplayable if a bracket cannot be made for so many."""
        elimination.require(setup, entrants)

    def outline(self, setup: Setup, entrants: int) -> tuple[RoundOutline, ...]:
        """Return the rounds: how many entrants are left, and what is played."""
        plan = nodes(setup, entrants)
        last = max(node.round for node in plan)
        rounds = []
        for number in range(1, last + 1):
            own = [node for node in plan if node.round == number]
            byes = sum(1 for node in own if len(node.sources) == 1)
            details = {
                "left": setup.size ** (last - number + 1),
                "is_final": number == last,
                "third_place": int(any(node.part == Part.THIRD_PLACE for node in own)),
            }
            rounds.append(RoundOutline("bracket_round", details, len(own) - byes, byes))
        return tuple(rounds)

    def bracket_state_of(self, state: TournamentState) -> BracketState:
        """Return what was played of the bracket."""
        ranked = by_seed(state.entries)
        return BracketState.of(state, nodes=nodes(state.setup, len(ranked)), ranked=ranked)


def nodes(setup: Setup, entrants: int, prefix: str = "") -> tuple[Node, ...]:
    """Return the slots of the bracket in the order in which they are played."""
    return _nodes(setup.size, entrants, prefix, bool(THIRD_PLACE.value(setup)))


@lru_cache(BRACKETS_KEPT)
def _nodes(size: int, entrants: int, prefix: str, has_third_place: bool) -> tuple[Node, ...]:  # noqa: FBT001 - a key of the cache
    return trees.pruned(_tree(size, entrants, prefix, has_third_place), entrants)


def _tree(size: int, entrants: int, prefix: str, has_third_place: bool) -> Iterator[Node]:  # noqa: FBT001 - as above
    *earlier, final = elimination.upper(size, entrants, prefix)
    last = final.step
    yield from earlier
    if last > 1 and has_third_place and size == PAIR:
        losers = tuple(Source(slot=source.slot, place=2) for source in final.sources)
        stage = last - 1  # that of the semi-final: who loses here is fourth
        yield Node(f"{prefix}T1.1", Part.THIRD_PLACE, 1, 1, losers, last, stage, prize=last)
    second = last + 2 if size > PAIR else 0
    yield replace(final, stage=last + 1, prize=max(last + 1, second) + 1, second=second)
