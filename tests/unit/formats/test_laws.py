"""Random tournaments of every format hold the laws, and a format that breaks one is found out."""

import pytest

from arena.domain.formats.catalogue import FORMATS
from tests.unit.formats import laws, simulator
from tests.unit.formats.__main__ import SIZES, breaches, examine

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


# Knockouts whose log, bracket and standings do not say the same.
