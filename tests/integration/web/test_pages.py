"""Pages without rows, names from right to left, isolation, and as many queries for more rows."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from arena.models import Bot, Game, Match
from arena.texts.names import END_OF_ISOLATE, ISOLATE
from arena.web.matches import labels
from tests.factories import make_begun_match, make_bot, make_ready, make_upload
from tests.integration.web.played import finished_match

pytestmark = pytest.mark.django_db

FROM_RIGHT = "\u05e9\u05dc\u05d5\u05dd"


def page(client, name, *args, **query):
    response = client.get(reverse(name, args=args), query)
    assert response.status_code == 200, response.content
    return response.content.decode()


def test_right_to_left_name_does_not_turn_text(client):
    match = finished_match()
    version = match.entrants.get(position=0).version
    Bot.objects.filter(pk=version.bot_id).update(name=FROM_RIGHT)
    bot = version.bot.get_absolute_url()
    client.force_login(version.bot.owner)
    pages = [
        *("/bots/", bot, f"{bot}versions/1/", f"{bot}versions/new/", f"{bot}vs/"),
        *("/matches/", match.get_absolute_url(), f"{match.get_absolute_url()}games/1/"),
        *("/ladders/classic/", version.bot.owner.get_absolute_url()),
    ]

    for address in pages:
        text = client.get(address).content.decode()
        places = re.findall(rf"<(\w+)[^>]*>([^<]*{FROM_RIGHT}[^<]*)<", text)
        isolated = f"{ISOLATE}{FROM_RIGHT}{END_OF_ISOLATE}"
        assert [
            (tag, words)
            for tag, words in places
            if tag not in {"bdi", "title"} and isolated not in words
        ] == [], address
        assert f"<bdi>{FROM_RIGHT}</bdi>" in text, address


def test_every_page_names_isolation_and_unsafe(client):
    match = finished_match()
    version = match.entrants.first().version
    for isolation, badge in (
        ("docker", "in containers"),
        ("docker (runsc)", "in containers (runsc)"),
        ("bubblewrap", "unsafe: in bubblewrap"),
        ("process", "unsafe: plain processes"),
        ("something", "unsafe: something"),
    ):
        match.games.update(isolation=isolation)
        type(version).objects.filter(pk=version.pk).update(isolation=isolation)
        pages = [page(client, "match", match.public_id), page(client, "game", match.public_id, 1)]
        pages.append(client.get(version.get_absolute_url()).content.decode())

        said = [
            set(re.findall(r'<span class="badge( badge-warn)?">\s*([^<]*?)\s*<', text))
            for text in pages
        ]

        marked = "" if isolation.startswith("docker") else " badge-warn"
        assert [(marked, badge) in badges for badges in said] == [True, True, True]
        unsafe = "Unsafe: at least one game was not played in containers." in pages[0]
        assert unsafe == bool(marked)


def test_running_match_shows_score_of_games_over(client):
    match = make_begun_match()
    score = re.compile(r'class="scoreboard-points">([^<]*)<')

    before = score.findall(page(client, "match", match.public_id))
    won = next(seat for seat, position in match.games.get(number=1).seats.items() if position == 1)
    lost = next(seat for seat in match.games.get(number=1).seats if seat != won)
    match.games.filter(number=1).update(
        status="finished", outcome={won: 1.0, lost: 0.0}, termination="flag_captured"
    )

    assert before == ["\N{EN DASH}"] * 2
    assert score.findall(page(client, "match", match.public_id)) == ["0", "1"]


@pytest.mark.parametrize(
    "address",
    [
        "/ladders/classic/?page=x",
        "/bots/nobody/none/",
        "/matches/?before=m_none",
        "/variants/classic@1/",
        "/variants/classic/xx/",
        "/nothing/here/",
    ],
)
def test_missing_page_is_not_found_in_words(client, address):
    response = client.get(address)

    assert response.status_code == 404
    assert "There is no page at this address." in response.content.decode()


def test_pages_take_same_queries_for_more_rows(client):
    first, second = make_ready(), make_ready()
    finished_match(first, second)
    make_upload(make_bot())
    pages = [["home"], ["ladder-list"], ["ladder", "general"], ["bot-list"], ["match-list"]]
    pages += [["queue"], ["bot", first.bot.owner.username, first.bot.slug]]

    few = [queries_of(client, each) for each in pages]
    finished_match(first, second)
    finished_match()
    make_upload(make_bot())
    make_upload(first.bot)

    assert [queries_of(client, each) for each in pages] == few


def queries_of(client, names):
    """Count the queries of a page that was asked for before."""
    page(client, *names)
    with CaptureQueriesContext(connection) as captured:
        page(client, *names)
    return len(captured)


@pytest.mark.parametrize(
    ("fault", "detail", "said"),
    [
        ("red", "red: illegal: no such move", "Red made an illegal move: no such move"),
        ("blue", "", "Blue made an illegal move."),
        ("red", "red: x; blue: y", "Red made an illegal move: red: x; blue: y"),
    ],
)
def test_forfeit_said_once_names_both_where_both_failed(fault, detail, said):
    game = Game(
        match=Match(status="finished"),
        number=1,
        seats={"red": 0, "blue": 1},
        status="finished",
        outcome={"red": 0.0, "blue": 1.0},
        termination="illegal_action",
        fault=fault,
        detail=detail,
    )

    assert labels.ending(game) == said
