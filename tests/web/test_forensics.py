"""The page of an abnormal end, the filters on the list of matches, and two bots head to head."""

import re
from html import unescape

import pytest

from arena.domain import matches
from arena.models import GameLog
from arena.web import gauges, meanings
from engine.outcome import Termination
from engine.record import BOARD_ENDINGS
from tests.arena.test_forensics import act, make_forfeit, owner_of
from tests.factories import make_bot, make_evidence, make_match, make_ready, make_user
from tests.web.played import finished_match, players_of, refused_record

pytestmark = pytest.mark.django_db

FAULTS = sorted(set(Termination) - BOARD_ENDINGS)


def read(client, address, viewer=None, status=200, **query):
    client.logout()
    if viewer is not None:
        client.force_login(viewer)
    answer = client.get(address, query)
    assert answer.status_code == status, answer.content
    return answer.content.decode()


def forensics_of(game):
    return f"{game.get_absolute_url()}forensics/"


@pytest.mark.parametrize("termination", FAULTS)
def test_every_fault_is_explained(termination):
    meaning = meanings.of(termination)

    assert all(str(part) for part in (meaning.title, meaning.what, meaning.causes, meaning.advice))


def test_the_owner_sees_all_of_it(client):
    game = make_forfeit()
    make_evidence(
        game,
        "red",
        request=act("turn", view={}, legal=["a4a5", "b4b5"]),
        received=b'{"action": "<b>"}\n',
        signal=11,
        cpu_ms=70.0,
        peak_memory_bytes=300 * 1024 * 1024,
    )
    GameLog.objects.filter(game=game, seat="red").update(stderr="Segmentation & more\n")

    page = read(client, forensics_of(game), owner_of(game, "red"))
    text = unescape(re.sub("<[^>]*>", "", page))

    for said in (
        "Crash",
        "Ended with exit status 1",
        '"phase":"turn"',
        "The square left and the square reached",
        "2 actions were legal",
        '"additionalProperties": false',
        "1.5 ms of 5000 ms",
        "300 MiB of 256 MiB",
        "over the limit",
        "Signal 11 (SIGSEGV)",
        "a wild pointer",
        "Segmentation & more",
    ):
        assert said in " ".join(text.split()), said
    assert "<b>" not in page.replace('<b class="', "")
    assert f"http://testserver/api/v1/games/{game.match.public_id}/1/record" in text
    assert "--seat red" in text


def test_a_dump_is_shown_of_what_is_no_text(client):
    game = make_forfeit("protocol_error")
    make_evidence(game, "red", received=b"\xff<script>")

    page = read(client, forensics_of(game), owner_of(game, "red"))

    assert "ff 3c 73 63" in page
    assert "<script>" not in page


def test_who_may_not_see_inside_sees_what_is_public(client):
    game = make_forfeit()
    make_evidence(game, "red", request=b"a secret request", received=b"a secret answer")
    GameLog.objects.filter(game=game, seat="red").update(stderr="a secret log")
    strangers = (None, make_user("stranger"), owner_of(game, "blue"))

    pages = [read(client, forensics_of(game), viewer) for viewer in strangers]
    own = read(client, forensics_of(game), owner_of(game, "red"))

    for page in pages:
        assert "secret" not in page
        assert "drapeau reproduce" not in page
        assert "are for the owner of the bot and the operators" in page
        assert "Ended with exit status 1" in page
        assert "1.5 ms" in page
    assert own.count("secret") == 3


def test_the_picture_is_what_the_seat_saw(client):
    game = make_forfeit()

    page = read(client, forensics_of(game))

    faces = {
        side: re.findall(rf'class="piece side-{side}[^>]*>.*?href="#face-(\w+)"', page)
        for side in ("red", "blue")
    }
    assert "back" not in faces["red"]
    assert "back" in faces["blue"]


def test_a_bot_that_fell_at_its_set_up_has_a_page(client):
    game = finished_match(record_of=refused_record).games.get(number=1)

    page = read(client, forensics_of(game))

    assert "Illegal set-up" in page
    assert "The army has 1 of F (flag), not 40" in page


def test_both_that_fell_are_on_one_page(client):
    game = make_forfeit(detail="red: crashed; blue: crashed too")

    page = read(client, forensics_of(game))

    assert page.count('<article class="end ') == 2
    assert "Forfeited as well" in page
    assert "Crashed too" in page


def test_what_the_platform_failed_is_said_with_its_reason(client):
    match = make_match()
    matches.void(match=match, reason="a wrong clock")

    page = read(client, f"{match.get_absolute_url()}games/1/forensics/")

    assert "The platform failed" in page
    assert "A wrong clock" in page
    assert "drapeau reproduce" not in page


def test_a_game_that_ended_by_its_rules_has_no_such_page(client):
    match = finished_match()

    read(client, f"{match.get_absolute_url()}games/1/forensics/", status=404)
    read(client, f"{match.get_absolute_url()}games/7/forensics/", status=404)


def test_game_match_and_bot_lead_to_it_and_only_from_what_failed(client):
    game = make_forfeit()
    loser = players_of(game.match)[game.seats["red"]].bot
    winner = players_of(game.match)[game.seats["blue"]].bot
    link = f'href="{forensics_of(game)}"'

    seen = {
        address: read(client, address).count(link)
        for address in (
            game.get_absolute_url(),
            game.match.get_absolute_url(),
            loser.get_absolute_url(),
            winner.get_absolute_url(),
            f"{game.match.get_absolute_url()}games/2/",
        )
    }

    assert list(seen.values()) == [1, 1, 1, 0, 0]


@pytest.mark.parametrize(
    ("value", "unit", "said"),
    [
        (1.54, "ms", "1.5 ms"),
        (812.4, "ms", "812 ms"),
        (600_000.0, "ms", "600 s"),
        (12_345.0, "ms", "12.3 s"),
        (31, "bytes", "31 bytes"),
        (20_480, "bytes", "20 KiB"),
        (256 * 1024 * 1024, "bytes", "256 MiB"),
        (5_000_000, "bytes", "4.8 MiB"),
    ],
)
def test_amounts_are_written_with_their_unit(value, unit, said):
    assert gauges.amount(value, unit) == said


# The list of matches and its filters.


def test_a_filter_shows_what_it_asks_for_and_keeps_its_values(client):
    match, other = finished_match(), finished_match()
    bot = players_of(match)[0].bot

    page = read(client, "/matches/", bot=str(bot), rated="yes", termination="", since="2020-01-01")

    assert match.get_absolute_url() in page
    assert other.get_absolute_url() not in page
    assert f'value="{bot}"' in page
    assert 'value="2020-01-01"' in page
    assert '<option value="yes" selected>' in page
    assert page.count(" selected>") == 4
    assert '<details class="card filters" open>' in page


def test_without_a_filter_the_form_is_folded(client):
    finished_match()

    assert '<details class="card filters">' in read(client, "/matches/")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"bot": "ada"}, "Write owner/bot, such as ada/greedy."),
        ({"bot": "nobody/none"}, "There is no bot nobody/none."),
        ({"opponent": "nobody/none"}, "There is no bot nobody/none."),
        ({"termination": "boredom"}, "No game ends by “boredom”."),
        ({"since": "<b>"}, "Write a date, such as 2026-11-21."),
        ({"ladder": "none"}, "There is no ladder none; there are:"),
        ({"kind": "odd"}, "There is no kind “odd”."),
        ({"rated": "odd"}, "Say yes or no."),
    ],
)
def test_what_makes_no_sense_is_said_at_its_field(client, query, said):
    match = finished_match()

    page = read(client, "/matches/", status=400, **query)

    assert said in page
    assert page.count('aria-invalid="true"') == 1
    assert match.get_absolute_url() not in page
    assert "<b>" not in page


def test_nothing_found_says_so(client):
    finished_match()

    assert "No match is like that." in read(client, "/matches/", kind="challenge")


def test_pages_of_a_filtered_list_keep_the_filter(client, monkeypatch):
    monkeypatch.setattr("arena.web.views.matches.MATCHES_SHOWN", 1)
    first, second = make_ready(), make_ready()
    old, new = (finished_match(first, second, rng_seed=seed) for seed in (1, 9))
    finished_match()

    page = read(client, "/matches/", bot=str(first.bot))
    (older,) = re.findall(r'href="(\?[^"]*before=[^"]*)"', page)
    next_page = read(client, f"/matches/{unescape(older)}")

    assert new.get_absolute_url() in page
    assert old.get_absolute_url() in next_page
    assert "before=" not in re.findall(r'href="(\?[^"]*)" rel="prev"', next_page)[0]


# Two bots head to head.


def versus(first, second):
    return f"{first.get_absolute_url()}vs/{second.owner.username}/{second.slug}/"


def test_two_bots_head_to_head(client):
    match = finished_match()
    first, second = (version.bot for version in players_of(match))

    page = read(client, versus(first, second))
    text = " ".join(re.sub("<[^>]*>", " ", page).split())

    assert "of 2 games" in text
    assert "with 95 % confidence between" in text.replace("\N{NO-BREAK SPACE}", " ")
    assert "v1 against v1" in text
    assert match.get_absolute_url() in page
    assert versus(second, first) in page
    assert versus(first, second) in read(client, "/matches/", bot=str(first), opponent=str(second))


def test_bots_that_have_not_met_are_told_so(client):
    first, second = make_ready().bot, make_ready().bot

    page = read(client, versus(first, second))

    assert "They have not met in a rated match yet." in page


def test_a_bot_against_itself_or_nobody_is_refused_in_words(client):
    bot = make_bot()

    itself = read(client, versus(bot, bot), status=400)
    unknown = read(client, f"{bot.get_absolute_url()}vs/", status=400, opponent="no/body")
    nothing = read(client, f"{bot.get_absolute_url()}vs/", status=400)
    read(client, f"{bot.get_absolute_url()}vs/no/body/", status=404)

    assert "A bot does not play against itself" in itself
    assert "There is no bot no/body." in unknown
    assert 'value="no/body"' in unknown
    assert "Write owner/bot" in nothing


def test_the_form_on_the_page_of_a_bot_leads_to_both(client):
    first, second = make_bot(), make_bot()
    page = read(client, first.get_absolute_url())
    assert f'action="{first.get_absolute_url()}vs/"' in page

    answer = client.get(f"{first.get_absolute_url()}vs/", {"opponent": str(second)})

    assert (answer.status_code, answer.url) == (302, versus(first, second))
