"""Leaderboards of today and of seasons that are over, and why a match was worth what it was."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from arena.domain.fairplay import corrections
from arena.domain.ladders import leaderboards
from arena.domain.ratings import histories, refits
from arena.models import Entrant, Match, RatingEvent, User
from arena.web.ladders import views
from arena.web.ratings import intervals
from arena.web.ratings.intervals import Interval
from tests.factories import end_season, get_ladder, make_bot, make_match, make_ready, play_out
from tests.integration.web.played import finished_match, players_of

pytestmark = pytest.mark.django_db


def stand(rating, half=None, ranks=(None, None), games=100):
    """Put a new bot on the ladder with this rating, half interval and range of ranks."""
    version = make_ready(make_bot())
    row = Entrant.objects.get(ladder=get_ladder(), bot=version.bot)
    row.best_rank, row.worst_rank = ranks
    row.rating, row.games, row.wins = rating, games, games
    if half is not None:
        row.rating_low, row.rating_high = rating - half, rating + half
    row.save()
    return row


def text_of(client, address):
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def test_logged_in_users_see_bots_on_other_pages(client, monkeypatch):
    monkeypatch.setattr(views, "ROWS", 1)
    best, other, last = (stand(rating, 20, (1, 3)) for rating in (1700, 1600, 1500))
    heading = "Your bots that are not on this page"
    names = re.compile(
        r'<td class="number rank[^>]*>\s*(\d+)\s*<.*?class="bot-name"[^>]*><bdi>([^<]*)<', re.DOTALL
    )

    assert heading not in text_of(client, "/ladders/classic/")
    client.force_login(last.bot.owner)
    text = text_of(client, "/ladders/classic/")
    assert heading in text
    assert names.findall(text) == [("3", last.bot.name), ("1", best.bot.name)]
    assert f">{other.bot.name}<" not in text
    client.force_login(best.bot.owner)
    assert heading not in text_of(client, "/ladders/classic/")


@pytest.mark.parametrize("address", ["/", "/ladders/"])
def test_top_of_each_ladder_is_listed(client, address):
    row = stand(1700)

    assert f">{row.bot.name}<" in text_of(client, address)


def test_a_leaderboard_is_a_table_for_spreadsheets(client):
    first, second = stand(1700, 20, (1, 2)), stand(1500.5, 170)

    response = client.get("/ladders/classic/leaderboard.csv")

    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response["Content-Disposition"] == 'attachment; filename="classic.csv"'
    assert response.content.decode().splitlines() == [
        (
            "rank,best_rank,worst_rank,bot,version,rating,rating_low,rating_high,"
            "provisional,games,won,drawn,lost"
        ),
        f"1,1,2,{first.bot},1,1700,1680,1720,0,100,100,0,0",
        f",,,{second.bot},1,1500.5,1330.5,1670.5,1,100,100,0,0",
    ]


def test_query_count_does_not_grow_with_leaderboard(client):
    taken = []
    for count in (1, 4):
        for number in range(count):
            stand(1500 + number, 20)
        play_out(make_match(), [1, 0])
        end_season(ladder=get_ladder())
        with CaptureQueriesContext(connection) as queries:
            client.get("/ladders/classic/")
        with CaptureQueriesContext(connection) as archive:
            client.get("/ladders/classic/seasons/1/")
        taken.append((len(queries), len(archive)))

    assert taken[0] == taken[1]


def test_results_that_moved_bot_most_are_on_page(client):
    one, two = make_ready(), make_ready()
    for result in ([1, 1], [0.5, 0.5], [0, 0]):
        play_out(make_match(one, two), result)
        refits.refresh(ladder=get_ladder())
    unrated, drawn, lost = RatingEvent.objects.filter(version=one).order_by("finish_number")

    found = leaderboards.biggest_changes(entrant=one.entries.get(ladder=get_ladder()))

    assert unrated.before is None
    assert {event.pk for event in found} == {drawn.pk, lost.pk}
    changes = [event.change or 0.0 for event in found]
    assert changes == sorted(changes, key=abs, reverse=True)
    text = text_of(client, one.bot.get_absolute_url())
    for event, change in zip(found, changes, strict=True):
        assert event.match.get_absolute_url() in text
        assert f"{abs(change):.1f}" in text


def annul(match):
    operator = User.objects.create_superuser("operator")
    digest = corrections.try_annulment(chosen=[match]).digest
    return corrections.annul(chosen=[match], by=operator, reason="a wrong clock", seen=digest)


def test_annulled_match_is_marked_wherever_listed(client):
    match = finished_match()
    bot = players_of(match)[0].bot
    annul(match)

    page = text_of(client, match.get_absolute_url())
    assert "Annulled by staff. It no longer counts: a wrong clock" in page
    ladder = text_of(client, match.ladder.get_absolute_url())
    assert "1 match: a wrong clock" in ladder
    assert "· annulled" in ladder
    assert "· annulled" in text_of(client, bot.get_absolute_url())


def test_annulled_match_is_not_in_form_and_chart():
    one, two = make_ready(), make_ready()
    rows = []
    for result in ([1, 1], [0, 0]):
        rows.append(make_match(one, two))
        play_out(rows[-1], result)
    ladder = get_ladder()
    refits.refresh(ladder=ladder)
    annul(Match.objects.get(pk=rows[1].pk))

    assert histories.form_of(ladder=ladder, versions=[one.pk]) == {one.pk: ["W"]}
    (point,) = histories.history(bot=one.bot, ladder=ladder)
    assert point.rating == RatingEvent.objects.get(version=one, finish_number=1).after


def test_scale_holds_all_numbers_and_settled_intervals():
    newcomer = Interval(1500, 900, 2100)

    scale = intervals.scale_of([1400, 1750, 1500], [Interval(1740, 1700, 1795)])

    assert scale.low < 1400
    assert 1795 < scale.high < newcomer.high
    assert (scale.place(newcomer.low), scale.place(newcomer.high)) == (0.0, 100.0)
    assert all(scale.low <= line <= scale.high for line in scale.lines)
    assert 2 <= len(scale.lines) <= intervals.MOST_LINES + 1
