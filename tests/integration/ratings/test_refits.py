import os
import subprocess
import sys
from datetime import timedelta

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from arena.domain.ladders import leaderboards
from arena.domain.ratings import recomputation, refits
from arena.domain.ratings.fit import GameCounts, MatchCounts
from arena.models import Entrant, Ladder, RatingEvent
from arena.tasks import refit
from tests import factories
from tests.factories import play_duel as play
from tests.integration.ratings.test_sides import BOTH_LOST, DRAWN, LIFTED, TAKEN

pytestmark = pytest.mark.django_db


def forget_the_cost(ladder):
    """Let the next fit be due at once."""
    Ladder.objects.filter(pk=ladder.pk).update(fitted_in_s=0.0)


def span_of(version):
    columns = "rating_low", "rating", "rating_high"
    return Entrant.objects.values_list(*columns).get(version=version, ladder__slug="classic")


def results(ladder):
    found = refits._results(refits.Span(ladder, ladder.next_finish_number - 1))
    return duels(found) if isinstance(found, np.ndarray) else sorted(found)


def duels(found):
    """Return rows of columns as they are listed."""
    return [
        MatchCounts((GameCounts((own,), (other,), *counts),), times)
        for own, other, *counts, times in sorted(found.tolist())
    ]


def test_duel_evidence_is_counted_by_database(ladder, two, django_assert_num_queries):
    one, other = two
    for _ in range(3):
        play(one, other, 1.0, 0.5)
    play(other, one, 1.0, 0.0)
    play(one, other, 0.0, 0.0)
    ladder.refresh_from_db()

    with django_assert_num_queries(1):
        found = results(ladder)

    assert found == [
        MatchCounts((GameCounts((one.pk,), (other.pk,), 0, 0, 2),), 1),
        MatchCounts((GameCounts((one.pk,), (other.pk,), 1, 0, 1),), 1),
        MatchCounts((GameCounts((one.pk,), (other.pk,), 1, 1, 0),), 3),
    ]


def test_side_evidence_has_every_game_rated_for_all():
    versions = [factories.make_ready(variants=["siege"]) for _ in range(3)]
    ladder = factories.get_ladder("siege-3")
    match = factories.make_match(*versions, ladder=ladder)
    factories.finish_with(match, (LIFTED, "white"), (TAKEN, ""), (DRAWN, ""))
    match = factories.make_match(*versions, ladder=ladder)
    factories.finish_with(match, (BOTH_LOST, "garrison"), (LIFTED, "black"), (LIFTED, "white"))
    ladder.refresh_from_db()
    first, second, third = (version.pk for version in versions)

    assert results(ladder) == [
        MatchCounts(
            (
                GameCounts((second,), (third, first), 0, 0, 1),
                GameCounts((third,), (first, second), 0, 1, 0),
            )
        )
    ]


def test_a_refresh_stores_ratings_and_ranges_of_ranks(ladder, two):
    new = factories.make_ready()
    for _ in range(8):
        play(*two, 1.0, 1.0)
        play(*two, 1.0, 0.5)

    refits.refresh(ladder=ladder)

    rows = {row.entrant.version: row for row in leaderboards.leaderboard(ladder=ladder)}
    best, worst = (rows[version] for version in two)
    (low, value, _high), (_low, other, other_high) = (span_of(version) for version in two)
    assert value + other == pytest.approx(3000)
    assert low > other_high
    assert (best.rank, best.rank_range, worst.rank_range) == (1, (1, 1), (2, 2))
    assert (rows[new].rank, rows[new].rank_range, rows[new].entrant.rating) == (None,) * 3
    ladder.refresh_from_db()
    assert ladder.fitted_finish_number == 16
    assert ladder.fitted_at is not None


def test_a_refresh_stores_only_what_changed(ladder, two):
    play(*two, 1.0, 1.0)
    refits.refresh(ladder=ladder)
    before = list(ladder.entrants.order_by("pk").values())

    with CaptureQueriesContext(connection) as asked:
        refits.refresh(ladder=ladder)
        again = [query["sql"] for query in asked if 'INSERT INTO "arena_entrant"' in query["sql"]]
        ladder.entrants.filter(version=two[0]).update(rating=0.0, online_elo=1.0)
        refits.refresh(ladder=ladder)
    inserted = [query["sql"] for query in asked if 'INSERT INTO "arena_entrant"' in query["sql"]]

    assert (len(again), len(inserted)) == (0, 1)
    for row in before:
        if row["version_id"] == two[0].pk:
            row["online_elo"] = 1.0
    assert list(ladder.entrants.order_by("pk").values()) == before


def test_version_has_rank_from_twentieth_game(ladder, two, settings):
    settings.RANKED_FROM_GAMES = 20

    def rows_after(matches):
        for _ in range(matches):
            play(*two, 1.0, 0.5)
        refits.refresh(ladder=ladder)
        return [(row.rank, row.provisional) for row in leaderboards.leaderboard(ladder=ladder)]

    assert rows_after(matches=9) == [(None, True)] * 2
    assert rows_after(matches=1) == [(1, False), (2, False)]
    factories.make_ready(two[0].bot)
    play(two[0].bot.versions.latest("number"), two[1], 1.0, 1.0)
    assert rows_after(matches=0) == [(1, False), (None, True)]


def test_late_fit_does_not_overwrite_newer_one(ladder, two, monkeypatch):
    play(*two, 1.0, 1.0)
    at = refits.at

    def at_while_the_ladder_goes_on(**span):
        fitted = at(**span)
        Ladder.objects.filter(pk=ladder.pk).update(fitted_finish_number=50)
        return fitted

    monkeypatch.setattr(refits, "at", at_while_the_ladder_goes_on)

    refits.refresh(ladder=ladder)

    assert set(Entrant.objects.values_list("rating", flat=True)) == {None}


def test_task_fits_only_ladders_with_something_new(ladder, two):
    play(*two, 1.0, 1.0)

    assert refits.refresh_due() == [ladder]
    assert refits.refresh_due() == []
    play(*two, 1.0, 1.0)
    forget_the_cost(ladder)
    refit()

    ladder.refresh_from_db()
    assert ladder.fitted_finish_number == 2


@pytest.mark.parametrize(
    ("new", "of", "minutes", "due"),
    [(0, 1000, 60, False), (1, 1000, 0, False), (1, 1000, 10, True), (11, 1000, 0, True)],
)
def test_fit_is_due_after_ladder_growth_or_age(ladder, new, of, minutes, due):
    ladder.fitted_at = timezone.now() - timedelta(minutes=minutes)
    ladder.fitted_finish_number, ladder.next_finish_number = of, of + new + 1

    assert refits.is_due(ladder=ladder) is due


def test_version_its_bot_returned_to_is_fitted_again(ladder, two):
    play(*two, 1.0, 1.0)
    refits.refresh(ladder=ladder)
    forget_the_cost(ladder)
    assert refits.refresh_due() == []

    Entrant.objects.filter(version=two[0]).update(rating=None)

    assert refits.refresh_due() == [ladder]
    assert Entrant.objects.get(ladder=ladder, version=two[0]).rating is not None


def test_unplayable_ladder_holds_up_no_other(ladder, two, caplog):
    play(*two, 1.0, 1.0)
    play(*two, 1.0, 1.0, ladder="general")
    Ladder.objects.filter(pk=ladder.pk).update(variant="gone@1")

    assert [each.slug for each in refits.refresh_due()] == ["general"]
    assert "ladder_unplayable" in caplog.messages


def test_long_fit_is_not_repeated_soon(ladder, two):
    play(*two, 1.0, 1.0)
    refits.refresh(ladder=ladder)
    play(*two, 1.0, 1.0)
    Ladder.objects.filter(pk=ladder.pk).update(fitted_in_s=30.0)
    assert refits.refresh_due() == []

    five_minutes_ago = timezone.now() - timedelta(seconds=301)
    Ladder.objects.filter(pk=ladder.pk).update(fitted_at=five_minutes_ago)

    assert refits.refresh_due() == [ladder]


def test_new_version_keeps_previous_rating_until_it_plays(ladder, two):
    play(*two, 1.0, 1.0)
    refits.refresh(ladder=ladder)
    forget_the_cost(ladder)
    low, value, high = span_of(two[0])

    newer = factories.make_ready(two[0].bot)
    assert span_of(newer) == (None, None, None)
    assert refits.refresh_due() == [ladder]

    new_low, new_value, new_high = span_of(newer)
    assert new_value == pytest.approx(value, abs=1)
    assert new_low < low
    assert new_high > high
    assert Entrant.objects.get(version=newer, ladder=ladder).best_rank is None


def test_one_process_fits_at_a_time(ladder, two, monkeypatch):
    play(*two, 1.0, 1.0)
    refresh, meanwhile = refits.refresh, []

    def and_the_next_tick(*, ladder):
        meanwhile.append(refits.refresh_due())
        refresh(ladder=ladder)

    monkeypatch.setattr(refits, "refresh", and_the_next_tick)

    assert refits.refresh_due() == [ladder]
    assert meanwhile == [[]]
    play(*two, 1.0, 1.0)
    forget_the_cost(ladder)
    assert refits.refresh_due() == [ladder]


def test_a_fit_takes_one_thread():
    """More make it seven times slower, and take the time of the runners beside it."""
    count = "import os, arena, numpy; print(len(os.listdir('/proc/self/task')))"
    kept = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}

    said = subprocess.run([sys.executable, "-c", count], env=kept, capture_output=True, check=True)

    assert said.stdout.strip() == b"1"


@pytest.fixture
def back_after(settings, monkeypatch):
    """Return a function that lets so many days pass."""
    settings.RANKED_FOR_DAYS = 30
    now = timezone.now

    def wait(days):
        monkeypatch.setattr(timezone, "now", lambda: now() + timedelta(days=days))

    return wait


def test_returning_bot_is_like_new_version(ladder, two, back_after, settings):
    settings.RANKED_FROM_GAMES = 4
    other, away = two
    third, fourth = factories.make_ready(), factories.make_ready()
    for version in (other, third, fourth):
        for _ in range(4):
            play(away, version, 1.0, 0.0)
            play(other, fourth, 1.0, 0.0)
    refits.refresh(ladder=ladder)
    low, value, high = span_of(away)

    back_after(days=29)
    play(other, third, 1.0, 0.0)
    back_after(days=40)
    play(away, third, 1.0, 0.0)
    refits.refresh(ladder=ladder)

    new_low, new_value, new_high = span_of(away)
    assert new_high - new_low > 1.3 * (high - low)
    assert new_value == pytest.approx(value, abs=40)
    row = Entrant.objects.get(version=away, ladder=ladder)
    assert row.best_rank is None
    returned = RatingEvent.objects.filter(returned=True)
    assert list(returned.values_list("version", flat=True)) == [away.pk]
    assert recomputation.rerate(ladder=ladder) == []
