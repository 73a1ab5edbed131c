from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone

from arena.domain.ladders import ladders, leaderboards
from arena.domain.ratings import annulments, refits
from arena.models import Bot, Entrant, RatingEvent, keyset
from arena.models.keyset import Turn
from tests import factories
from tests.integration.api import rows

pytestmark = pytest.mark.django_db


def rate(version, rating, best_rank=1):
    Entrant.objects.filter(version=version, ladder__slug="classic").update(
        rating=rating, best_rank=best_rank, worst_rank=best_rank
    )


def test_leaderboard_is_ranked_and_equals_share_rank():
    versions = [factories.make_ready() for _ in range(4)]
    for version, rating in zip(versions, (1400, 1700, 1600, 1600), strict=True):
        rate(version, rating)
    rate(newcomer := factories.make_ready(), 1650, best_rank=None)

    board = leaderboards.leaderboard(ladder=factories.get_ladder())

    assert [(row.rank, row.entrant.rating, row.provisional) for row in board] == [
        (1, 1700, False),
        (2, 1600, False),
        (2, 1600, False),
        (4, 1400, False),
        (None, 1650, True),
    ]
    assert leaderboards.standings_of(bot=newcomer.bot)[0].rank is None
    assert board[0].bot == versions[1].bot
    assert leaderboards.leaderboard(ladder=factories.get_ladder(), limit=3, offset=2) == board[2:]


def test_equals_are_in_order_bots_were_made():
    first, second = (factories.make_ready(factories.make_bot(slug=slug)) for slug in ("b", "a"))
    Bot.objects.update(owner=first.bot.owner)  # by their names, they would change places
    Entrant.objects.filter(bot=first.bot).delete()
    ladders.enter(version=first)
    for version in (second, first):
        rate(version, 1600)

    board = leaderboards.leaderboard(ladder=factories.get_ladder())

    assert [row.bot for row in board] == [first.bot, second.bot]


@pytest.fixture
def mixed(settings):
    """Return a leaderboard of ranked entrants with equals, of absent ones, and of unrated ones."""
    for rating in (1400, 1700, 1600, 1600, 1600):
        rate(factories.make_ready(), rating)
    long_ago = timezone.now() - timedelta(days=settings.RANKED_FOR_DAYS + 1)
    for rating in (1800, 1500):
        gone = factories.make_ready()
        rate(gone, rating)
        Entrant.objects.filter(version=gone).update(last_match_at=long_ago)
    for _ in range(2):
        factories.make_ready()
    return leaderboards.leaderboard(ladder=factories.get_ladder())


def walked(size, turn, *, back):
    """Return all pages of a size from a turn on, in the order in which they are read."""
    pages = []
    ladder = factories.get_ladder()
    while page := leaderboards.leaderboard(ladder=ladder, limit=size, turn=turn):
        pages.append(page)
        turn = Turn(page[0 if back else -1].mark, back)
    return pages


def test_pages_from_a_row_keep_lines_and_ranks(mixed, monkeypatch):
    assert [row.rank for row in mixed] == [1, 2, 2, 2, 5, None, None, None, None]
    assert {row.rank for row in leaderboards.standings_of(bot=mixed[-1].bot)} == {None}
    for milestone in (1, 2, 500):
        monkeypatch.setattr(leaderboards, "MILESTONE", milestone)
        cache.clear()  # it keeps the milestones
        for size in (1, 2, 3, 4):
            down = walked(size, Turn(), back=False)
            up = walked(size, Turn(back=True), back=True)

            assert [row for page in down for row in page] == mixed
            assert [row for page in reversed(up) for row in page] == mixed


def test_a_mark_of_another_list_is_refused(mixed):
    marks: list[list[Any]] = [[3, 1], ["x", 1], [0, 1500.0], [2, None], [0, "x", 1]]
    for mark in marks:
        with pytest.raises(keyset.NOT_OF_THE_LIST):
            leaderboards.leaderboard(ladder=factories.get_ladder(), turn=Turn(mark))


def test_not_played_for_long_keeps_rating_loses_rank(settings):
    gone, playing, entered = (factories.make_ready() for _ in range(3))
    for version, rating in ((gone, 2500), (playing, 1600), (entered, 1500)):
        rate(version, rating)
    long_ago = timezone.now() - timedelta(days=settings.RANKED_FOR_DAYS + 1)
    Entrant.objects.filter(version=gone).update(last_match_at=long_ago)
    Entrant.objects.filter(version=playing).update(
        entered_at=long_ago, last_match_at=timezone.now()
    )

    board = leaderboards.leaderboard(ladder=factories.get_ladder())

    assert [(row.rank, row.bot, row.entrant.rating) for row in board] == [
        (1, playing.bot, 1600),
        (2, entered.bot, 1500),
        (None, gone.bot, 2500),
    ]
    assert leaderboards.standings_of(bot=playing.bot)[0].rank == 1


def test_version_record_is_of_standing_matches_by_ladder():
    one, other = factories.make_ready(), factories.make_ready()
    for ladder in ("general", "classic"):
        for points in ([1.0, 1.0], [0.0, 0.5]):
            match = factories.make_match(one, other, ladder=factories.get_ladder(ladder))
            factories.play_out(match, points)
            refits.refresh(ladder=factories.get_ladder(ladder))
    bad = factories.make_match(one, other)
    factories.play_out(bad, [1.0, 1.0])
    annulments.annul(matches=[bad], by=factories.make_user(), reason="a test")

    classic, general = leaderboards.versions_record(version=one)

    assert (classic.ladder.slug, general.ladder.slug) == ("classic", "general")
    assert (classic.matches, classic.games) == (2, 4)
    assert (classic.wins, classic.draws, classic.losses) == (2, 1, 1)
    events = RatingEvent.objects.filter(version=one, ladder__slug="classic", after__isnull=False)
    first, second = [event.after or 0.0 for event in events.order_by("finish_number")]
    assert first > second
    assert (classic.first, classic.highest, classic.lowest) == (None, first, second)
    assert classic.last == second
    assert leaderboards.versions_record(version=factories.make_ready()) == []


def test_seasons_are_listed_and_their_archives_stay(anyone):
    rows.finished_match()
    refits.refresh(ladder=factories.get_ladder("general"))
    stood = anyone.get("/ladders/general/entries").json()["results"]
    factories.end_season(ladder=factories.get_ladder("general"))
    rows.finished_match()
    factories.end_season(ladder=factories.get_ladder("general"))

    listed = anyone.get("/ladders/general/seasons").json()["results"]
    archive = anyone.get("/ladders/general/seasons/1").json()

    assert [row["number"] for row in listed] == [2, 1]
    assert listed[1] == archive["season"]
    assert archive["pending"] is False
    assert [(row["rank"], row["bot"], row["rating"]["rating"]) for row in archive["results"]] == [
        (row["rank"], row["bot"], row["rating"]["rating"]) for row in stood
    ]
    assert anyone.get("/ladders/general/seasons/3").status_code == 404
    ladders = anyone.get("/ladders").json()["results"]
    assert [row["season"] for row in ladders if row["slug"] == "general"] == [3]
