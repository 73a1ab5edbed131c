"""What pages show about chance and records: nothing before its time, then all that verifies."""

import re
from html import unescape

import pytest

from arena.models import Release, Tournament, TournamentStatus
from arena.web.tournaments import rule_cards
from botkit.verification import Known, Verdict, examine
from engine.record import Record
from tests import embargoes

SECRET = "ab" * 32
RECORD = re.compile(r'href="(/api/v1/games/[^"]+)"[^>]*>Record \(JSON\)<')
COMMAND = re.compile(r'<pre class="command".*?</pre>', re.DOTALL)


@pytest.fixture
def world():
    return embargoes.draw_round(embargoes.make_world(), release=Release.PUBLIC)


def page_of(client, row):
    return client.get(row.get_absolute_url()).content.decode()


@pytest.mark.django_db
def test_finished_match_page_gives_records_and_command(client, world):
    match = world.played

    page = page_of(client, match)

    records = RECORD.findall(page)
    assert records == [
        f"/api/v1/games/{match.public_id}/{game.number}/record" for game in match.games.all()
    ]
    (command,) = COMMAND.findall(page)
    text = unescape(re.sub(r"<[^>]+>", "", command))
    site = "http://testserver"
    options = f"--site {site} --commitment {match.commitment}"
    assert text == f"drapeau verify {site}{records[0]} {options}"
    found = examine(
        Record.from_json(client.get(records[0]).content), Known(commitment=match.commitment)
    )
    assert {each.check: each.verdict for each in found}["commitment"] == Verdict.HOLDS
    for game in match.games.all():
        assert RECORD.findall(page_of(client, game)) == [records[game.number - 1]]


@pytest.mark.parametrize(
    ("columns", "words", "values"),
    [
        ({"status": "running"}, "All chance follows from a secret, which is shown when", ""),
        ({"status": "cancelled"}, "not shown because the tournament was cancelled", ""),
        ({"status": "released"}, "All chance follows from the secret, so anybody", SECRET),
    ],
)
def test_tournament_says_where_its_chance_comes_from(columns, words, values):
    shown = rule_cards.chance(Tournament(**{"slug": "cup", "secret": SECRET, **columns}))

    assert shown is not None
    assert words in shown["words"]
    assert shown["secret"] == values
    assert shown["commitment"]
    without = Tournament(slug="cup", secret="", status=TournamentStatus.CANCELLED)
    assert rule_cards.chance(without) is None
