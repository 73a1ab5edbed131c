"""The time to the first ladder game, with those that still wait."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.domain.bots import bots
from arena.domain.matches import lifecycle
from arena.domain.matches.purposes import Purpose
from arena.domain.queue import first_game_waits
from arena.models import MatchKind, Version
from tests import factories


def begin(*of, kind=MatchKind.LADDER):
    """Begin the first game of a new match of these versions."""
    match = lifecycle.create_match(
        ladder=factories.get_ladder(), versions=of, purpose=Purpose(kind)
    )
    lifecycle.begin_game(lease=factories.claim(match), game=match.games.get(number=1))
    return match


def first_games(*of):
    return list(
        Version.objects.filter(pk__in=[row.pk for row in of]).values_list(
            "first_game_at", flat=True
        )
    )


@pytest.mark.django_db
def test_the_first_rated_game_is_noted_once(clock):
    mine, other, third = (factories.make_ready() for _ in range(3))
    for kind in (MatchKind.CHALLENGE, MatchKind.PROBE):
        begin(mine, other, kind=kind)
    assert first_games(mine, other) == [None, None]
    began = clock.now
    begin(mine, other)
    clock.move(60)
    lease = factories.claim(factories.make_match(mine, third))
    later = clock.now
    lifecycle.begin_game(lease=lease, game=mine.match_entries.last().match.games.get(number=1))

    assert first_games(mine, other) == [began, began]
    assert first_games(third) == [later]


@pytest.mark.django_db
def test_versions_count_from_upload_and_waiting_ones_count(clock):
    served = [factories.make_ready() for _ in range(4)]
    clock.move(30)
    begin(*served[:2])
    clock.move(10)
    begin(*served[2:])
    factories.make_ready()
    factories.make_upload()
    clock.move(5)

    found = first_game_waits.first_game()

    assert (found.p50_s, found.p95_s, found.counted, found.waiting) == (30.0, 40.0, 4, 2)
    assert found.longest_s == 40.0
    assert found.since == clock.now - first_game_waits.WINDOW


@pytest.mark.django_db
def test_longest_current_wait_makes_quantile_unknown(clock):
    mine, other, late = (factories.make_ready() for _ in range(3))
    clock.move(30)
    begin(mine, other)
    clock.move(100)
    assert late.first_game_at is None

    found = first_game_waits.first_game()

    assert (found.p50_s, found.p95_s, found.longest_s) == (30.0, None, 130.0)
    clock.move(first_game_waits.WINDOW.total_seconds() + 1)
    found = first_game_waits.first_game()
    assert (found.p50_s, found.p95_s, found.longest_s) == (None, None, None)
    assert (found.counted, found.waiting) == (0, 0)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "out",
    [
        lambda version: bots.pause(bot=version.bot),
        lambda version: Version.objects.update(status="rejected", reason="no"),
        lambda version: Version.objects.update(paused_at=version.created_at),
    ],
    ids=["paused", "rejected", "crashed"],
)
def test_version_not_expecting_game_does_not_wait(clock, out):
    version = factories.make_ready(factories.make_ready().bot)
    assert first_game_waits.first_game().waiting == 1  # without the one that it replaced

    out(version)

    assert first_game_waits.first_game().waiting == 0


served = st.lists(st.integers(1, 100).map(float), min_size=1, max_size=30)


@given(served, st.floats(0.01, 0.99))
def test_without_anybody_waiting_it_is_the_plain_quantile(times_s, share):
    found = first_game_waits.quantile(times_s, [], share=share)

    assert found is not None
    assert sum(each <= found for each in times_s) >= share * len(times_s) - 1e-6
    assert sum(each < found for each in times_s) <= share * len(times_s) + 1e-6


@given(served, st.lists(st.integers(0, 150).map(float), max_size=30), st.floats(0.01, 0.99))
def test_waiting_never_makes_a_site_look_quicker(times_s, waiting_s, share):
    alone = first_game_waits.quantile(times_s, [], share=share)
    found = first_game_waits.quantile(times_s, waiting_s, share=share)

    assert alone is not None
    assert found is None or found >= alone


def test_the_estimate_of_a_worked_example():
    """6, 6, 6, 6+, 7, 9+, 10, 10+, 11+, 13 …: the trial of 6-MP of Freireich et al. (1963)."""
    served_s = [6, 6, 6, 7, 10, 13, 16, 22, 23]
    waiting_s = [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35]

    assert first_game_waits.quantile(served_s, waiting_s, share=0.5) == 23
    assert first_game_waits.quantile(served_s, waiting_s, share=0.25) == 13
    assert first_game_waits.quantile(served_s, waiting_s, share=0.9) is None
