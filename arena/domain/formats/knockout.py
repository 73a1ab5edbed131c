"""Single elimination: who loses is out.

Round 1 follows the standard table of `seeding`; where the entrants are no power of two the best
seeds have byes in it, and nobody has one later. With the option `third_place` the losers of the
semi-finals meet while the final is played.

In a game for three the bracket is one of threes. Where there are too few for that, some meetings of
round 1 are for two, the best seeds being in them, and if need be the best have byes. Two may only
meet if the game can be played by two, so a game for exactly three takes 3, 9, 27 … entrants. The
final of three has a second and a third place of its own.

The play-off after groups is such a bracket too: see `bracket_state`.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from arena.domain.formats import seeding, slots, tables, trees
from arena.domain.formats.slots import BracketState
from arena.domain.formats.trees import Node, Part, Source
from arena.domain.formats.types import (
    DecisionNote,
    Draw,
    Entry,
    FormatOption,
    PairingState,
    RoundOutline,
    Setup,
    StandingsRow,
    TournamentState,
    Unplayable,
)

THIRD_PLACE = FormatOption("third_place", default=0, least=0, most=1, is_switch=True)
OPTIONS: tuple[FormatOption, ...] = (THIRD_PLACE, slots.EXTRA_MATCHES)
TAKES_LATE_ENTRIES = False
PER_GAME = True
TIE_BREAKS: tuple[str, ...] = ("buchholz", "wins", "fewer_forfeits")
LEAST = PAIR = 2
BRACKETS_KEPT = 32  # of those asked for lately; one for a thousand takes a megabyte


def check(setup: Setup, entrants: int) -> None:
    """Raise Unplayable where so many cannot play it by this setup."""
    require(setup, entrants, LEAST)


def require(setup: Setup, entrants: int, least: int) -> None:
    """Raise Unplayable where a bracket cannot be made for so many, or they are below `least`."""
    if setup.size not in (PAIR, PAIR + 1):
        raise Unplayable("bracket_size", size=setup.size)
    if entrants < least:
        raise Unplayable("too_few_entrants", least=least, entrants=entrants)
    if PAIR not in (setup.size, *setup.sizes) and seeding.slots_for(entrants, 3) != entrants:
        raise Unplayable("bracket_needs_pairs", entrants=entrants, playable=[3, 9, 27])


def nodes(setup: Setup, entrants: int, prefix: str = "") -> tuple[Node, ...]:
    """Return the slots of the bracket in the order in which they are played."""
    return _nodes(setup.size, entrants, prefix, bool(setup.options.get(THIRD_PLACE.name)))


@lru_cache(BRACKETS_KEPT)
def _nodes(size: int, entrants: int, prefix: str, has_third_place: bool) -> tuple[Node, ...]:  # noqa: FBT001 - a key of the cache
    return trees.pruned(_tree(size, entrants, prefix, has_third_place), entrants)


def upper(size: int, entrants: int, prefix: str) -> Iterator[tuple[int, int, tuple[Source, ...]]]:
    """Yield round, position and sources of every slot of a bracket for all, empty slots too."""
    seeds = seeding.table(seeding.slots_for(entrants, size), size)
    sources = [Source(seed=seed) for seed in seeds]
    round_number = 0
    while len(sources) > 1:
        round_number += 1
        starts = range(0, len(sources), size)
        for position, start in enumerate(starts, start=1):
            yield round_number, position, tuple(sources[start : start + size])
        sources = [
            Source(slot=f"{prefix}W{round_number}.{position}")
            for position in range(1, len(starts) + 1)
        ]


def _tree(size: int, entrants: int, prefix: str, has_third_place: bool) -> Iterator[Node]:  # noqa: FBT001 - as above
    tree = list(upper(size, entrants, prefix))
    last = max(number for number, _, _ in tree)
    for number, position, sources in tree:
        if number == last > 1 and has_third_place and size == PAIR:
            losers = tuple(Source(slot=source.slot, place=2) for source in sources)
            slot = f"{prefix}T1.1"
            stage = last - 1  # that of the semi-final: who loses here is fourth
            yield Node(slot, Part.THIRD_PLACE, 1, 1, losers, last, stage, prize=last)
        is_final = number == last
        second = last + 2 if is_final and size > PAIR else 0
        yield Node(
            slot=f"{prefix}W{number}.{position}",
            part=Part.UPPER,
            column=number,
            position=position,
            sources=sources,
            step=number,
            stage=number + is_final,
            prize=max(last + 1, second) + 1 if is_final else 0,
            second=second,
            positions=size ** (last - number),
        )


def bracket_state(
    *,
    setup: Setup,
    ranked: Sequence[int],
    entries: Sequence[Entry],
    meetings: Sequence[PairingState],
    prefix: str = "",
    first_round: int = 1,
) -> BracketState:
    """Return a bracket of the entrants in `ranked`, the best first, and what was played of it.

    Of `meetings` only those count whose slots begin with the prefix. `slots` draws it and says how
    far everybody came.
    """
    plan = nodes(setup, len(ranked), prefix)
    known = {node.slot for node in plan}
    played = {meeting.slot: meeting for meeting in meetings if meeting.slot in known}
    by_id: Mapping[int, Entry] = {entry.id: entry for entry in entries}
    return BracketState(setup, plan, tuple(ranked), by_id, played, first_round)


def by_seed(entries: Sequence[Entry]) -> tuple[int, ...]:
    """Return the entrants in the order of their seeds."""
    return tuple(entry.id for entry in sorted(entries, key=lambda entry: entry.seed))


def bracket_state_of(state: TournamentState) -> BracketState:
    """Return the bracket of a tournament that is nothing else."""
    return bracket_state(
        setup=state.setup,
        ranked=by_seed(state.entries),
        entries=state.entries,
        meetings=state.meetings,
    )


def outline(setup: Setup, entrants: int) -> tuple[RoundOutline, ...]:
    """Return the rounds as they will be: how many are left, and what is played."""
    plan = nodes(setup, entrants)
    last = max(node.round for node in plan)
    return tuple(_outlined(setup, plan, number, last) for number in range(1, last + 1))


def _outlined(setup: Setup, plan: Sequence[Node], number: int, last: int) -> RoundOutline:
    there = [node for node in plan if node.round == number]
    byes = sum(1 for node in there if len(node.sources) == 1)
    details = {
        "left": setup.size ** (last - number + 1),
        "is_final": number == last,
        "third_place": int(any(node.part == Part.THIRD_PLACE for node in there)),
    }
    return RoundOutline("bracket_round", details, len(there) - byes, byes)


def initial_pairings(setup: Setup, entries: Sequence[Entry]) -> Draw:
    """Draw round 1."""
    return next_round(TournamentState(setup, entries)) or Draw(())


def next_round(state: TournamentState) -> Draw | None:
    """Draw the round after the last; None where the final is over."""
    return slots.draw(bracket_state_of(state))


def extra_matches(state: TournamentState, meeting: PairingState) -> int:
    """Return 1 where a meeting is level and a match may be added."""
    return slots.extra_matches(bracket_state_of(state), meeting)


def closing_notes(state: TournamentState) -> tuple[DecisionNote, ...]:
    """Return what decided the last round where its games did not."""
    return slots.closing_notes(bracket_state_of(state))


def standings(state: TournamentState) -> tuple[StandingsRow, ...]:
    """Return everybody's place: by how far it came, then by points per game and the tie-breaks.

    Points per game, since matches that were added because it was level must not pay.
    """
    return tables.standings(state, stages=slots.stages(bracket_state_of(state)), per_game=True)


def is_finished(state: TournamentState) -> bool:
    """Return whether the final is over, and what is played beside it."""
    return slots.is_finished(bracket_state_of(state))
