"""What the pages say and offer before the first round: to owners, and of a draft."""

import re

import pytest
from django.urls import reverse

from tests import factories
from tests.integration.tournaments import making

pytestmark = pytest.mark.django_db

CHANGED = "A list changed these entrants"


def page(client, name, row, **query):
    return client.get(reverse(name, args=[row.slug]), query).content.decode()


def refresh(version):
    version.bot.refresh_from_db()
    return version


@pytest.fixture
def version():
    return refresh(factories.make_ready())


def test_closed_entry_shows_no_form_and_refuses_sent(client, version):
    row = making.make_open(entry_policy="listed")
    client.force_login(version.bot.owner)
    address = reverse("tournament-enter", args=[row.slug])

    shown = client.get(address).content.decode()
    sent = client.post(address, {"bot": f"{version.bot.slug}:"})

    assert "Owners cannot enter bots: the organizers make a list of entrants." in shown
    assert 'name="bot"' not in shown
    assert sent.status_code == 400
    assert "Owners cannot enter bots" in sent.content.decode()
    assert not row.entrants.exists()


def test_organizer_enters_own_bot_whoever_may_enter(client, version):
    row = making.make_open(entry_policy="listed")
    row.organizers.add(version.bot.owner)
    client.force_login(version.bot.owner)
    address = reverse("tournament-enter", args=[row.slug])

    assert f'value="{version.bot.slug}:"' in client.get(row.get_absolute_url()).content.decode()
    assert client.post(address, {"bot": f"{version.bot.slug}:"}).status_code == 302
    assert row.entrants.get().bot == version.bot


def test_list_says_what_it_did_twice_does_nothing(client, version):
    row = making.make_open()
    client.force_login(making.organizer(row))
    other = refresh(factories.make_ready())

    def send(*lines):
        sent = {"text": "\n".join(("bot,version,seed", *lines))}
        response = client.post(reverse("tournament-take-list", args=[row.slug]), sent, follow=True)
        return [str(each) for each in response.context["messages"]]

    assert send(f"{version.bot},,1") == ["1 bot is entered."]
    assert send(f"{version.bot},,1") == [
        "Nothing was changed: all of them were already entered as in the list."
    ]
    assert send(f"{version.bot},,2", f"{other.bot},,1") == [
        "1 bot is entered. 1 bot was already entered; its entry now is as in the list."
    ]
    log = page(client, "tournament-log", row)
    said = re.findall(r'log-what">(.*list.*)</p>', log)
    assert said == [
        f"A list entered these bots: {other.bot.name}. {CHANGED}: {version.bot.name}.",
        f"A list entered these bots: {version.bot.name}.",
    ]
