"""What the pages say and offer before the first round: to owners, and of a draft."""

import re

import pytest
from django.urls import reverse

from arena.domain.tournaments.entry import entries
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


def test_where_entry_is_closed_no_form_is_shown_and_what_is_sent_is_refused_so(client, version):
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


def test_what_is_invited_can_be_entered_and_nothing_else(client, version):
    row = making.make_open(entry_policy="invited")
    other = refresh(factories.make_ready(factories.make_bot(version.bot.owner)))
    entries.invite(tournament=row, bot=version.bot, by=making.organizer(row))
    client.force_login(version.bot.owner)

    shown = page(client, "tournament-enter", row)

    assert f'value="{version.bot.slug}:"' in shown
    assert f'value="{other.bot.slug}:"' not in shown
    assert "Only invited bots may enter." not in shown


def test_an_organizer_enters_a_bot_of_their_own_whoever_may_enter(client, version):
    row = making.make_open(entry_policy="listed")
    row.organizers.add(version.bot.owner)
    client.force_login(version.bot.owner)
    address = reverse("tournament-enter", args=[row.slug])

    assert f'value="{version.bot.slug}:"' in client.get(row.get_absolute_url()).content.decode()
    assert client.post(address, {"bot": f"{version.bot.slug}:"}).status_code == 302
    assert row.entrants.get().bot == version.bot


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        ("open", "It can enter again until the freeze."),
        ("listed", "After that only an organizer can enter it again, until the freeze."),
    ],
)
def test_who_leaves_is_told_who_can_bring_it_back(client, version, policy, said):
    row = making.make_open(entry_policy=policy)
    entry = entries.enter(tournament=row, bot=version.bot, by=making.organizer(row))
    client.force_login(version.bot.owner)

    assert said in page(client, "tournament-leave", row, entrant=entry.pk)


def test_a_list_says_what_it_did_and_twice_it_does_nothing(client, version):
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


def test_a_draft_offers_what_can_be_done_with_a_draft(client):
    row = making.make_draft()
    client.force_login(making.organizer(row))

    overview = client.get(row.get_absolute_url()).content.decode()
    console = reverse("tournament-manage", args=[row.slug])

    assert f'<a class="button" href="{console}">Open it under Manage</a>' in overview
    assert "Come back when it is" not in overview
    assert "Embed it in another site" not in overview
    bringing_in = page(client, "tournament-entrants", row)
    assert 'value="enter"' in bringing_in
    assert 'value="invite"' not in bringing_in
    printed = page(client, "tournament-print", row)
    assert printed.count("Nobody is in it yet.") == 2
    assert "<table" not in printed


def test_an_open_one_can_be_shown_on_other_sites_and_invites(client):
    row = making.make_open()
    client.force_login(making.organizer(row))

    assert "Embed it in another site" in client.get(row.get_absolute_url()).content.decode()
    assert 'value="invite"' in page(client, "tournament-entrants", row)


def test_a_printed_log_has_the_times_themselves(client):
    row = making.make_open()

    log = page(client, "tournament-log", row).partition('class="log')[2].partition("</ol>")[0]
    printed = page(client, "tournament-print", row).partition('class="log')[2]

    assert "data-moment" in log  # which a script turns into “8 minutes ago”
    assert re.search(r"\d{4}, \d\d:\d\d UTC", printed)
    assert "data-moment" not in printed.partition("</ol>")[0]
