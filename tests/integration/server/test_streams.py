"""Streams of running matches over real connections: what arrives, how it goes on, how it ends."""

import socket

import pytest

from arena.domain.matches import lifecycle, live, live_log
from arena.models import Release
from arena.server import streams
from tests.factories import get_ladder, make_match, make_user
from tests.integration.server.served import (
    ENOUGH_S,
    RunningGame,
    ask,
    cookies_of,
    served,
    watching,
)
from tests.integration.web.played import finished_match, players_of
from tests.waiting import until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("impatient")]


@pytest.fixture(params=["redis", "files"])
def log(request, settings):
    """Use the log of production, or that of an embedded site."""
    if request.param == "files":
        settings.CELERY_BROKER_URL = "filesystem://localhost"
    live_log.live_log.cache_clear()
    yield
    live_log.live_log.cache_clear()


@pytest.fixture
def redis_log():
    live_log.live_log.cache_clear()


@pytest.fixture
def game(redis_log):
    return RunningGame(make_match(ladder=get_ladder("general")))


def kinds(events):
    return [kind for kind, _, _ in events]


def plies(events):
    """Return the plies of the steps that came, from their starts and later."""
    return [step["ply"] for kind, _, data in events for step in data.get("steps", [])]


def test_stream_begins_with_game_follows_moves_and_ends(log, site):
    game = RunningGame(make_match(ladder=get_ladder("general")))
    game.play(4)
    with watching(f"{site}{game.url}") as watcher:
        game.publish_once_watched()
        ((_, _, start),) = watcher.read_until("start")
        assert (start["game"], start["observer"], start["plies"]) == (1, "public", 4)
        game.play(1)
        game.play(2)
        assert plies(watcher.read_until("steps", 2)) == [5, 6, 7]

        game.finish()

        ended = watcher.has_ended()
        assert kinds(ended)[-1] == "over"


def test_returning_client_gets_what_it_missed_only_once(site, game):
    game.play(1)
    with watching(f"{site}{game.url}") as stays:
        game.publish_once_watched()
        stays.read_until("start")
        game.play(1)
        ((_, first, _),) = stays.read_until("steps")
        game.play(1)
        game.play(2)
        stays.read_until("steps", 2)

        with watching(f"{site}{game.url}", after=first) as returns:
            assert plies(returns.read_until("steps", 2)) == [3, 4, 5]
            assert kinds(returns.events) == ["steps", "steps"]
        with watching(f"{site}{game.url}", after="1-1") as forgotten:
            ((_, _, start),) = forgotten.read_until("start")
            assert start["plies"] == 1


def test_returning_client_goes_on_at_another_server_process(log):
    game = RunningGame(make_match(ladder=get_ladder("general")))
    game.play(1)
    with served() as one, served() as other:
        with watching(f"{one}{game.url}") as watcher:
            game.publish_once_watched()
            watcher.read_until("start")
            game.play(1)
            ((_, last, _),) = watcher.read_until("steps")
        game.play(1)
        with watching(f"{other}{game.url}", after=last) as watcher:
            assert plies(watcher.read_until("steps")) == [3]
            assert kinds(watcher.events) == ["steps"]


def test_game_replayed_by_another_runner_replaces_first(site, game):
    game.play(3)
    with watching(f"{site}{game.url}") as watcher:
        game.publish_once_watched()
        watcher.read_until("start")
        late, match = game.broadcast, game.match
        game.leave()
        again = RunningGame(match, rng_seed=4)
        again.play(1)
        *_, (_, _, start) = watcher.read_until("start")  # perhaps behind `changed`: it waited
        assert start["plies"] == 1

        late.publish(game.actions[:8])  # the first runner does not know yet that it has lost
        again.play(1)

        assert plies(watcher.read_until("steps")) == [2]


def test_everybody_gets_public_view_and_owners_their_bot(site, game):
    ann, bob = (version.bot.owner for version in players_of(game.match))
    seat_of = {position: seat for seat, position in game.game.seats.items()}
    game.play(1)
    answers = {
        (name, view): ask(
            f"{site}{game.url}", "HEAD", params={"view": view}, headers={"Cookie": cookies}
        ).status_code
        for name, cookies in (
            ("visitor", ""),
            ("stranger", cookies_of(make_user())),
            ("staff", cookies_of(staff())),
            ("ann", cookies_of(ann)),
            ("bob", cookies_of(bob)),
        )
        for view in ("public", "bot-0", "bot-1", "full", seat_of[0])
    }
    assert {key for key, status in answers.items() if status == 200} == {
        *((name, "public") for name in ("visitor", "stranger", "staff", "ann", "bob")),
        ("ann", "bot-0"),
        ("bob", "bot-1"),
    }
    assert set(answers.values()) == {200, 404}

    with watching(f"{site}{game.url}", view="bot-1", cookies=cookies_of(bob)) as watcher:
        game.publish_once_watched("bot-1")
        ((_, _, start),) = watcher.read_until("start")
        assert start["observer"] == seat_of[1]


def staff():
    user = make_user()
    user.is_staff = user.is_superuser = True
    user.save()
    return user


def test_finished_or_unannounced_match_has_no_stream(site, redis_log):
    over = finished_match()
    waiting = make_match(ladder=get_ladder("general"))

    answers = [ask(f"{site}/matches/{match.public_id}/live/") for match in (over, waiting)]

    assert [answer.status_code for answer in answers] == [204, 404]


def test_stream_ends_when_fewer_people_may_see_match(site, game, monkeypatch):
    game.play(1)
    with watching(f"{site}{game.url}") as watcher:
        game.publish_once_watched()
        watcher.read_until("start")
        states = live.states
        monkeypatch.setattr(
            live,
            "states",
            lambda **asked: {
                name: type(state)(state.status, Release.HIDDEN, state.game, state.ply)
                for name, state in states(**asked).items()
            },
        )

        assert "over" not in kinds(watcher.has_ended())


def test_a_cancelled_match_ends_its_streams(site, game):
    with watching(f"{site}{game.url}") as watcher:
        lifecycle.cancel(match=game.match, reason="Not wanted.")

        assert kinds(watcher.has_ended()) == ["over"]


def test_stream_says_behind_while_runner_publishes_nothing(site, game):
    game.play(2)
    with watching(f"{site}{game.url}") as watcher:
        ((_, _, behind),) = watcher.read_until("behind")
        assert behind is True

        game.publish_once_watched()

        assert [data for kind, _, data in watcher.read_until("behind") if kind == "behind"] == [
            False
        ]
        assert "start" in kinds(watcher.events)


def test_site_without_log_answers_and_stream_is_behind(site, game, settings):
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"
    live_log.live_log.cache_clear()
    try:
        with watching(f"{site}{game.url}") as watcher:
            ((_, _, behind),) = watcher.read_until("behind")
            assert behind is True
            assert ask(f"{site}/matches/").status_code == 200
    finally:
        live_log.live_log.cache_clear()


def open_streams(site, path, count):
    """Open as many streams, one after the other, and return their connections."""
    host, port = site.removeprefix("http://").split(":")
    opened = []
    for _ in range(count):
        connection = socket.create_connection((host, int(port)), timeout=ENOUGH_S)
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        assert connection.recv(12) == b"HTTP/1.1 200"
        opened.append(connection)
    return opened


def test_pages_answer_while_one_tailer_serves_many_streams(settings, game, monkeypatch):
    settings.REQUESTS_AT_ONCE, settings.REQUESTS_WAITING = 2, 1
    made: list[str] = []

    class Counted(streams._Tailer):
        def __init__(self, threads):
            super().__init__(threads)
            made.append("a tailer")

    monkeypatch.setattr(streams, "_Tailer", Counted)
    game.play(1)
    with served() as site:
        opened = open_streams(site, game.url, 30)
        game.publish_once_watched()

        answers = [
            ask(f"{site}{page}").status_code
            for page in ("/matches/", "/ladders/", f"/matches/{game.match.public_id}/", "/healthz")
        ]

        assert answers == [200] * 4
        assert all("event: start" in read_more(connection) for connection in opened)
        for connection in opened:
            connection.close()
    assert made == ["a tailer"]


def read_more(connection):
    """Read from a connection until it has had the beginning of a game."""
    text = ""
    while "event: start" not in text:
        text += connection.recv(65_536).decode()
    return text


def test_surplus_stream_is_refused_until_one_leaves(settings, game, monkeypatch, site):
    """All may open so many, and one client a share of them."""
    settings.STREAMS = 3
    opened = open_streams(site, game.url, 3)
    refused = ask(f"{site}{game.url}")
    assert (refused.status_code, refused.headers["retry-after"]) == (503, "5")

    opened.pop().close()

    until(
        lambda: ask(f"{site}{game.url}", "HEAD").status_code == 200,
        "there is room",
    )
    monkeypatch.setattr(streams, "OF_ONE_CLIENT", 2)
    assert ask(f"{site}{game.url}").status_code == 503
    for connection in opened:
        connection.close()


def test_quiet_stream_has_heartbeat_and_ends_with_server(game, monkeypatch):
    monkeypatch.setattr(streams, "HEARTBEAT_S", 0.05)
    with served() as site:
        opened = open_streams(site, game.url, 2)
        text = ""
        while text.count(": still here\n\n") < 3:
            text += opened[0].recv(65_536).decode()

    for connection in opened:
        while connection.recv(65_536):
            pass
        connection.close()


def test_stream_ends_after_while_to_recheck_client(site, game, monkeypatch):
    monkeypatch.setattr(streams, "LONGEST_S", 0.1)
    monkeypatch.setattr(streams, "HEARTBEAT_S", 0.1)

    with watching(f"{site}{game.url}") as watcher:
        assert watcher.has_ended() == []
