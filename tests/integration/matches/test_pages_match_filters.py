"""The filters on the list of matches, and two bots head to head."""

import re
from html import unescape

import pytest

from arena.models import Game
from tests.factories import make_bot, make_ready
from tests.integration.matches.test_pages_forensics import read
from tests.integration.web.played import finished_match

pytestmark = pytest.mark.django_db


def test_nonsense_filter_is_reported_at_its_field(client):
    match = finished_match()

    page = read(client, "/matches/", status=400, since="<b>")

    assert "Write a date, such as 2026-11-21." in page
    assert page.count('aria-invalid="true"') == 1
    assert match.get_absolute_url() not in page
    assert "<b>" not in page


def test_termination_finds_each_match_once_across_pages(client, monkeypatch):
    """Its list has an order of its own; a match has the termination in both of its games."""
    monkeypatch.setattr("arena.web.matches.views.matches.MATCHES_SHOWN", 1)
    first, second = make_ready(), make_ready()
    wanted = [finished_match(first, second, rng_seed=seed) for seed in (1, 9, 17)]
    Game.objects.update(termination="crash")
    other = finished_match(first, second, rng_seed=25)
    Game.objects.filter(match=other).update(termination="timeout")

    pages, api = [], []
    query, address = "?termination=crash", "/api/v1/matches?termination=crash&page_size=1"
    while query:
        page = read(client, f"/matches/{query}")
        pages.append([row for row in (*wanted, other) if row.get_absolute_url() in page])
        query = unescape(next(iter(re.findall(r'href="(\?[^"]*before=[^"]*)"', page)), ""))
    while address:
        found = client.get(address).json()
        api.append([row["id"] for row in found["results"]])
        address = found["next"]

    assert pages == [[row] for row in reversed(wanted)]
    assert api == [[row.public_id] for row in reversed(wanted)]


def versus(first, second):
    return f"{first.get_absolute_url()}vs/{second.owner.username}/{second.slug}/"


def test_bot_against_itself_or_nobody_is_refused(client):
    bot, other = make_bot(), make_bot()

    itself = read(client, versus(bot, bot), status=400)
    unknown = read(client, f"{bot.get_absolute_url()}vs/", status=400, opponent="no/body")
    nothing = read(client, f"{bot.get_absolute_url()}vs/", status=400)
    read(client, f"{bot.get_absolute_url()}vs/no/body/", status=404)

    found = client.get(f"{bot.get_absolute_url()}vs/", {"opponent": str(other)})

    assert (found.status_code, found.url) == (302, versus(bot, other))
    assert "A bot does not play against itself" in itself
    assert "There is no bot no/body." in unknown
    assert 'value="no/body"' in unknown
    assert "Write owner/bot" in nothing
