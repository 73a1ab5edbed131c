import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from arena.domain import finishing
from arena.domain.errors import Refused
from arena.domain.ladders import leaderboards
from arena.domain.ratings import annulments, recomputation, refits, seasons
from arena.models import AppendOnly, Entrant, Ladder, Match, Season
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def played():
    """Two bots: the first won both games of a match, twice."""
    two = factories.make_ready(), factories.make_ready()
    for _ in range(2):
        factories.play_out(factories.make_match(*two), [1.0, 1.0])
    return two


def games(versions):
    return [Entrant.objects.get(version=each, ladder__slug="classic").games for each in versions]


def test_season_end_restarts_counts_and_keeps_ratings(ladder, played):
    refits.refresh(ladder=ladder)
    fitted = [row.entrant.rating for row in leaderboards.leaderboard(ladder=ladder)]

    factories.end_season(ladder=ladder)

    rows = leaderboards.leaderboard(ladder=ladder)
    assert [(row.entrant.games, row.provisional) for row in rows] == [(0, False)] * 2
    assert [row.entrant.rating for row in rows] == fitted
    ladder.refresh_from_db()
    assert (ladder.season_number, ladder.next_finish_number) == (2, 4)
    assert ladder.fitted_finish_number == 2


def test_archive_has_ranks_and_intervals_as_they_stood(ladder, played):
    idle = factories.make_ready()

    referee = factories.make_user("referee")
    season = factories.end_season(ladder=ladder, by=referee)

    assert (season.number, season.first_finish_number, season.last_finish_number) == (1, 1, 3)
    assert season.began_at == ladder.created_at
    assert season.ended_by == referee
    first, second = season.standings.all()  # who has not played has no line
    assert idle.bot_id not in (first.bot_id, second.bot_id)
    assert [first.version, second.version] == list(played)
    assert [first.rank, second.rank] == [1, 2]
    assert (first.games, first.wins, second.losses) == (4, 4, 4)
    fitted = refits.at(ladder=ladder, place=season.last_finish_number)
    assert [(each.rating, each.rating_low, each.rating_high) for each in (first, second)] == [
        pytest.approx(fitted.estimates[version.pk]) for version in played
    ]
    assert [first.rank_range, second.rank_range] == list(
        fitted.rank_ranges([first.version_id, second.version_id]).values()
    )


def test_season_ends_without_fit_and_archives_that_moment(ladder, played, monkeypatch):
    with monkeypatch.context() as without_fit:
        without_fit.delattr(refits, "at")
        season = seasons.end(ladder=ladder)
    assert games(played) == [0, 0]
    factories.play_out(factories.make_match(*played), [0.0, 0.0])
    late = Match.objects.filter(ladder=ladder).latest("pk")
    annulments.annul(matches=[late], by=factories.make_user(), reason="a test")
    assert list(seasons.pending()) == [season]
    assert recomputation.rerate(ladder=ladder) == []

    seasons.archive_due()

    assert not seasons.pending().exists()
    assert [row.games for row in season.standings.all()] == [4, 4]
    assert recomputation.rerate(ladder=ladder) == []


def test_fully_annulled_season_needs_no_archive(ladder, played):
    annulments.annul(
        matches=[*Match.objects.filter(ladder=ladder)], by=factories.make_user(), reason="a test"
    )
    seasons.end(ladder=ladder)

    assert not seasons.pending().exists()

    empty = factories.end_season(ladder=factories.get_ladder("general"))

    assert not empty.standings.exists()


@pytest.mark.django_db(transaction=True)
def test_no_match_waits_for_archive_or_check_fits(ladder, played, monkeypatch):
    refits.refresh(ladder=ladder)
    fit_at, fits = refits.at, []
    other = connection.copy()

    def fit_while_a_match_finishes(**place):
        with other.cursor() as cursor:
            cursor.execute(
                "SELECT 1 FROM arena_ladder WHERE id = %s FOR NO KEY UPDATE NOWAIT", [ladder.pk]
            )
        fits.append(place)
        return fit_at(**place)

    monkeypatch.setattr(refits, "at", fit_while_a_match_finishes)
    try:
        factories.end_season(ladder=ladder)
        assert recomputation.rerate(ladder=ladder) == []
    finally:
        other.close()

    assert len(fits) == 3  # of the archive, and of what was checked: the archive and the entrants


def test_bot_that_skipped_season_has_no_archive_line(ladder, played):
    factories.end_season(ladder=ladder)
    newcomer = factories.make_ready()
    factories.play_out(factories.make_match(played[0], newcomer), [1.0, 1.0])

    second = factories.end_season(ladder=ladder)

    assert {standing.version for standing in second.standings.all()} == {played[0], newcomer}


def test_bot_is_archived_with_last_unannulled_match_version(ladder):
    older, opponent = factories.make_ready(), factories.make_ready()
    factories.play_out(factories.make_match(older, opponent), [1.0, 1.0])
    late = factories.make_match(older, opponent)
    lease = factories.claim(late)
    newer = factories.make_ready(older.bot)
    factories.play_out(factories.make_match(newer, opponent), [1.0, 1.0])
    for game in late.games.all():
        factories.store(lease, game, 1.0)
    finishing.finish(lease=lease)
    annulments.annul(
        matches=[Match.objects.get(pk=late.pk)], by=factories.make_user(), reason="a test"
    )

    season = factories.end_season(ladder=ladder)

    assert season.standings.get(bot=older.bot).version == newer


def test_an_archive_is_made_once_and_frozen(ladder, played):
    season = factories.end_season(ladder=ladder)
    stood = list(season.standings.values())
    seasons.archive(season=season)
    assert list(season.standings.values()) == stood
    assert set(Ladder.objects.exclude(pk=ladder.pk).values_list("season_number", flat=True)) == {1}
    standing = season.standings.get(rank=1)
    standing.rating = 3000

    for attempt in (standing.save, standing.delete, season.save, season.delete):
        with pytest.raises(AppendOnly):
            attempt()


def test_second_season_begins_where_first_ended(ladder, played):
    first = factories.end_season(ladder=ladder)
    factories.play_out(factories.make_match(*played), [0.0, 0.0])

    second = factories.end_season(ladder=ladder)

    assert (second.number, second.first_finish_number, second.last_finish_number) == (2, 4, 5)
    assert second.began_at == first.ended_at
    assert [standing.games for standing in second.standings.all()] == [2, 2]
    assert recomputation.rerate(ladder=ladder) == []
    old = Match.objects.filter(ladder=ladder).earliest("pk")
    with pytest.raises(Refused, match="open season"):
        annulments.annul(matches=[old], by=factories.make_user(), reason="late")


def test_command_ends_season_and_lists_past_ones(ladder, played, capsys):
    call_command("seasons", "end", "classic")
    call_command("seasons", "list")
    call_command("seasons", "list", "general")

    ended, listed = capsys.readouterr().out.splitlines()
    assert ended == listed
    best = Season.objects.get().standings.get(rank=1)
    assert f"classic: season 1, ended {Season.objects.get().ended_at:%Y-%m-%d}, 2 bots" in ended
    assert ended.endswith(f"{best.bot} {best.rating:.1f}")
    with pytest.raises(CommandError, match="no ladder chess"):
        call_command("seasons", "end", "chess")
