"""Everything that a ladder stores of ratings is made again from matches, annulments and seasons."""

from collections import defaultdict

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.domain.ratings import annulments, rating_events, recomputation, refits, scores
from arena.models import Annulment, Entrant, Match, Season, SeasonStanding
from tests import factories

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

POINTS = [0.0, 0.5, 1.0]


def play(one, other, *points):
    return factories.play_duel(one, other, *(points or [1.0, 0.5]))


def annul(staff, *played):
    return annulments.annul(matches=played, by=staff, reason="a test")


@pytest.fixture
def eventful(trio, staff):
    """A ladder with a season that is over, an annulment in each season, and estimates."""
    ladder = factories.get_ladder()
    played = [play(trio[at % 3], trio[(at + 1) % 3]) for at in range(4)]
    annul(staff, played[1])
    factories.end_season(ladder=ladder)
    played = [play(trio[at % 3], trio[(at + 1) % 3]) for at in range(4)]
    annul(staff, played[2])
    play(trio[0], trio[1])
    refits.refresh(ladder=ladder)
    return ladder


TAMPERINGS = [
    "UPDATE arena_ratingevent SET score = 0.5 WHERE finish_number = 9",
    "UPDATE arena_ratingevent SET wins = wins + 1 WHERE finish_number = 2",
    "UPDATE arena_ratingevent SET finish_number = 12 WHERE finish_number = 7",
    "DELETE FROM arena_ratingevent WHERE finish_number = 3",
    "UPDATE arena_match SET annulment_id = NULL WHERE finish_number = 2",
    (
        "UPDATE arena_match SET annulment_id = (SELECT MIN(id) FROM arena_annulment)"
        " WHERE finish_number = 12"
    ),
    "UPDATE arena_matchentrant SET points = 2 WHERE position = 1",
    "UPDATE arena_annulment SET finish_number = 20 WHERE finish_number = 11",
    "UPDATE arena_season SET first_finish_number = 2",
    "UPDATE arena_season SET number = 2",
    "UPDATE arena_ladder SET season_number = 3 WHERE slug = 'classic'",
    "UPDATE arena_ladder SET next_finish_number = 20 WHERE slug = 'classic'",
    "UPDATE arena_seasonstanding SET rank = 1",
    "UPDATE arena_seasonstanding SET wins = wins + 1, games = games + 1 WHERE rank = 2",
    "UPDATE arena_seasonstanding SET rating = rating + 1 WHERE rank = 2",
    "UPDATE arena_seasonstanding SET rating_low = NULL WHERE rank = 3",
    "UPDATE arena_seasonstanding SET worst_rank = worst_rank + 1 WHERE rank = 3",
    "DELETE FROM arena_seasonstanding WHERE rank = 3",
    "UPDATE arena_entrant SET wins = wins + 1, games = games + 1",
    "UPDATE arena_entrant SET rating = rating + 1",
    "UPDATE arena_entrant SET rating_high = rating_high + 1",
    "UPDATE arena_entrant SET best_rank = 5 WHERE rating > 1500",
]


def differences_after(tampering):
    """Return what a recomputation finds, and take the tampering back."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(tampering)
        found = recomputation.rerate(ladder=factories.get_ladder())
        transaction.set_rollback(True)
    return found


def test_check_finds_every_tampering_and_nothing_else(eventful):
    assert recomputation.rerate(ladder=eventful) == []
    assert (Annulment.objects.count(), SeasonStanding.objects.count()) == (2, 3)
    assert [each for each in TAMPERINGS if not differences_after(each)] == []
    Entrant.objects.update(rating=2000)
    with pytest.raises(CommandError) as failed:
        call_command("rerate", "classic", "--check")
    assert failed.value.returncode == 1


def test_equal_bots_may_be_ranked_by_fit_noise(trio):
    """The last digits of a rating depend on who else is in the fit, such as a later version."""
    ladder = factories.get_ladder()
    one, other = trio[:2]
    play(one, other, 0.5, 0.5)
    factories.end_season(ladder=ladder)
    assert set(SeasonStanding.objects.values_list("rank", flat=True)) == {1}

    with connection.cursor() as cursor:
        change = "UPDATE arena_seasonstanding SET {} WHERE bot_id = %s"
        cursor.execute(change.format("rating = rating + 0.001"), [one.bot_id])
        cursor.execute(change.format("rank = 2"), [other.bot_id])

    assert recomputation.rerate(ladder=ladder) == []


def naive(ladder):
    """Count the games of each version from the matches alone, apart from the code under test."""
    begins_after = max((end.last_finish_number for end in ladder.seasons.all()), default=0)
    counts = defaultdict[int, list[int]](lambda: [0, 0, 0])
    rows = Match.objects.filter(ladder=ladder, finish_number__gt=begins_after, annulment=None)
    for match in rows:
        for share in scores.of_match(match=match):
            for game in share.games:
                counts[share.version_id][[1.0, 0.5, 0.0].index(game.points)] += 1
    return counts


def entrants_of(ladder):
    return {
        entrant.bot_id: [entrant.wins, entrant.draws, entrant.losses]
        for entrant in Entrant.objects.filter(ladder=ladder)
    }


doings = st.lists(
    st.one_of(
        st.tuples(
            st.just("play"),
            st.permutations(range(3)),
            st.tuples(st.sampled_from(POINTS), st.sampled_from(POINTS)),
        ),
        st.tuples(st.just("annul"), st.integers(0, 9), st.integers(1, 3)),
        st.tuples(st.just("end")),
        st.tuples(st.just("activate"), st.integers(0, 2), st.integers(0, 2)),
        st.tuples(st.just("upload"), st.integers(0, 2)),
        st.tuples(st.just("refresh")),
    ),
    min_size=4,
    max_size=22,
)


class Story:
    """Bots with their versions on a ladder, to which things happen."""

    def __init__(self, trio, staff):
        self.versions = [[version] for version in trio]
        self.active = list(trio)
        self.staff = staff
        self.ladder = factories.get_ladder()

    def play(self, order, points):
        play(self.active[order[0]], self.active[order[1]], *points)

    def annul(self, first, count):
        standing = annulments.matches_of(ladder=self.ladder, bot=self.active[0].bot)
        chosen = standing[first : first + count]
        if chosen:
            annul(self.staff, *chosen)

    def end(self):
        factories.end_season(ladder=self.ladder)

    def upload(self, bot):
        self.active[bot] = factories.make_ready(self.active[bot].bot)
        self.versions[bot].append(self.active[bot])

    def activate(self, bot, number):
        version = self.versions[bot][number % len(self.versions[bot])]
        go_back_to(version, self.ladder)
        self.active[bot] = version

    def refresh(self):
        refits.refresh(ladder=self.ladder)


def go_back_to(version, ladder):
    """What activating a version does to its bot's line, as far as ratings go."""
    counts = rating_events.counts_of(ladder=ladder, version_id=version.pk)
    Entrant.objects.filter(ladder=ladder, bot=version.bot).update(
        version=version,
        rating=None,
        rating_low=None,
        rating_high=None,
        best_rank=None,
        worst_rank=None,
        **counts,
    )


@settings(
    max_examples=5,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(story=doings)
def test_whatever_happens_a_recomputation_finds_no_difference(story, trio, staff):
    with transaction.atomic():
        told = Story(trio, staff)
        for name, *details in story:
            getattr(told, name)(*details)

        assert recomputation.rerate(ladder=told.ladder) == []
        counts = naive(told.ladder)
        assert entrants_of(told.ladder) == {
            version.bot_id: counts[version.pk] for version in told.active
        }
        transaction.set_rollback(True)


def test_finish_query_count_does_not_grow_with_ladder(trio, staff):
    def cost(match):
        with CaptureQueriesContext(connection) as queries:
            factories.play_out(match, [1.0, 0.5])
        return len(queries)

    play(trio[0], trio[1])
    short = cost(factories.make_match(*trio[:2]))
    annul(staff, *annulments.matches_of(ladder=factories.get_ladder(), bot=trio[0].bot)[:1])
    factories.end_season(ladder=factories.get_ladder())
    for _ in range(5):
        play(trio[0], trio[1])

    assert cost(factories.make_match(*trio[:2])) == short
    assert Season.objects.count() == 1
