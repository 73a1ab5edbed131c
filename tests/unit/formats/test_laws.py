"""Random tournaments of every format hold the laws, and a format that breaks one is found out."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from arena.domain.formats.catalogue import FORMATS
from arena.domain.formats.single_elimination import SingleElimination
from arena.domain.formats.swiss import Swiss
from tests.unit.formats import laws, simulator
from tests.unit.formats.__main__ import FIRSTS_APART, SIZES, breaches, examine

KNOCKOUT = SingleElimination()
SWISS = Swiss()

FEW = 40  # `python -m tests.unit.formats` plays thousands


def assert_laws(slug: str, size: int, found: laws.Findings, tournaments: int) -> None:
    assert breaches(slug, size, found) == []
    assert found.tournaments == tournaments
    assert found.meetings > tournaments


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("slug", FORMATS)
def test_laws_hold(slug, size):
    assert_laws(slug, size, examine(slug, size, range(FEW)), FEW)


@pytest.mark.parametrize("slug", FORMATS)
def test_laws_hold_where_two_of_three_win_a_game(slug):
    found = examine(slug, 3, range(FEW // 2), two_win=True)
    assert_laws(slug, 3, found, FEW // 2)


def test_trouble_is_made():
    """Everything that can go wrong does, or the laws would hold for nothing."""
    decisions = set()
    left = late = forfeits = added = odd = 0
    for rng_seed in range(60):
        for slug in ("swiss", "single_elimination"):
            played = play(slug, FORMATS[slug], rng_seed)
            state = played.state
            decisions |= {meeting.decision for meeting in state.meetings}
            left += sum(entry.until_round is not None for entry in state.entries)
            late += sum(entry.from_round > 1 for entry in state.entries)
            odd += played.entrants % 2
            scores = [score for meeting in state.meetings for score in meeting.scores]
            forfeits += sum(score.forfeits for score in scores)
            added += sum(score.games > played.setup.games for score in scores)
    assert decisions == {"", "bye", "walkover", "award", "void"}
    assert min(left, late, forfeits, added, odd) > 20


def play(slug, format_, rng_seed, *, size=2, troubled=True):
    return simulator.play(
        formats={slug: format_}, slug=slug, size=size, rng_seed=rng_seed, troubled=troubled
    )


# Swiss systems that break a law each, and what of the findings tells.


def forgetful(state):
    """Draw every round as if it were the first."""
    if SWISS.next_round(state) is None:
        return None
    drawn = SWISS.initial_pairings(state.setup, state.entries)
    return replace(
        drawn, meetings=tuple(replace(one, round=state.rounds + 1) for one in drawn.meetings)
    )


def endless(state):
    return SWISS.next_round(
        replace(state, setup=replace(state.setup, options={"rounds": SWISS.options[0].most}))
    )


def with_the_gone(state):
    """Draw whoever was ever there."""
    return SWISS.next_round(
        replace(state, entries=[replace(entry, until_round=None) for entry in state.entries])
    )


def in_order_of_rows(state):
    """Draw as the entries happen to be ordered."""
    seeded = enumerate(state.entries, start=1)
    return SWISS.next_round(
        replace(state, entries=[replace(entry, seed=seed) for seed, entry in seeded])
    )


def of_one_slot(state):
    drawn = SWISS.next_round(state)
    return drawn and replace(
        drawn, meetings=tuple(replace(one, slot="W1.1") for one in drawn.meetings)
    )


def ranked_as_they_came(state):
    rows = {row.entrant: row for row in SWISS.standings(state)}
    return tuple(
        replace(rows[entry.id], rank=rank) for rank, entry in enumerate(state.entries, start=1)
    )


BROKEN: dict[str, dict[str, Any]] = {
    "rematches": {"next_round": forgetful},
    "second_byes": {"next_round": forgetful},
    "firsts_apart": {"next_round": forgetful},
    "unfinished": {"next_round": endless, "is_finished": lambda state: False},
    "order_dependent": {"next_round": in_order_of_rows},
    "somebody is to play who is not there": {"next_round": with_the_gone},
    "a slot is there twice": {"next_round": of_one_slot},
    "not everybody is in the standings once": {
        "standings": lambda state: SWISS.standings(state)[1:]
    },
    "ranks are not 1 to n": {"standings": lambda state: SWISS.standings(state)[::-1]},
    "the standings do not say": {"standings": ranked_as_they_came},
    "finished before round 1": {"is_finished": lambda state: True},
    "not finished, but no next round": {"is_finished": lambda state: False},
    "as announced": {"outline": lambda setup, entrants: SWISS.outline(setup, entrants + 2)},
    " rounds, 1 announced": {"outline": lambda setup, entrants: SWISS.outline(setup, entrants)[:1]},
}


@pytest.mark.parametrize("law", BROKEN)
def test_a_format_that_breaks_a_law_is_found_out(law):
    kept = {name: getattr(SWISS, name) for name in dir(SWISS) if not name.startswith("_")}
    format_ = SimpleNamespace(**{**kept, **BROKEN[law]})
    found = laws.Findings()
    for rng_seed in range(16):
        found.take(play("swiss", format_, rng_seed, troubled=rng_seed % 2 > 0))
    if hasattr(found, law):
        assert getattr(found, law) > FIRSTS_APART["swiss", 2]
        assert any(law in sentence for sentence in breaches("swiss", 2, found))
    else:
        assert any(law in sentence for sentence in found.broken)


# Knockouts whose log, bracket and standings do not say the same.


def with_notes(**changed):
    """Return a knockout that says of all that was level what is not so."""

    def told(notes):
        return tuple(
            replace(note, details={**note.details, **changed}) if note.meeting else note
            for note in notes
        )

    def next_round(state):
        drawn = KNOCKOUT.next_round(state)
        return drawn and replace(drawn, notes=told(drawn.notes))

    return {
        "next_round": next_round,
        "closing_notes": lambda state: told(KNOCKOUT.closing_notes(state)),
    }


def with_the_second_first(state):
    first, second, *others = KNOCKOUT.standings(state)
    return (replace(second, rank=1), replace(first, rank=2), *others)


FALSE: dict[str, dict[str, Any]] = {
    "who won the bracket is not the first": {"standings": with_the_second_first},
    "another one goes on than was said": with_notes(entrant=-1),
    "it is not the seeds that decided": with_notes(left=[]),
    "the bracket and the log give different reasons": with_notes(extra=99),
}


@pytest.mark.parametrize("law", FALSE)
def test_a_knockout_that_says_what_is_not_so_is_found_out(law):
    kept = {name: getattr(KNOCKOUT, name) for name in dir(KNOCKOUT) if not name.startswith("_")}
    format_ = SimpleNamespace(**{**kept, **FALSE[law]})
    found = laws.Findings()
    for rng_seed in range(60):
        found.take(play("single_elimination", format_, rng_seed))
    assert any(law in sentence for sentence in found.broken)
