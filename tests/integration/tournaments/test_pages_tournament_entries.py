"""Entering a tournament on its pages, leaving it, and what organizers bring in."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from arena.domain.tournaments.entry import entries
from tests import factories
from tests.integration.tournaments import making

pytestmark = pytest.mark.django_db


def post(client, name, row, status=302, **data):
    response = client.post(reverse(name, args=[row.slug]), data)
    assert response.status_code == status, response.status_code
    return response.content.decode()


def inside(row):
    rows = row.entrants.filter(status="entered").select_related("bot__owner", "version")
    return [(str(each.bot), each.version and each.version.number) for each in rows.order_by("pk")]


def refresh(version):
    version.bot.refresh_from_db()
    return version


def test_owner_enters_bot_active_or_with_version(client):
    row = making.make_open()
    first, second = (refresh(factories.make_ready()) for _ in range(2))

    for version, number in ((first, ""), (second, "1")):
        client.force_login(version.bot.owner)
        page = client.get(row.get_absolute_url()).content.decode()
        assert f'value="{version.bot.slug}:{number}"' in page
        post(client, "tournament-enter", row, bot=f"{version.bot.slug}:{number}")

    assert inside(row) == [(str(first.bot), None), (str(second.bot), 1)]


def test_unenterable_bot_is_said_at_field(client):
    row, mine = making.make_open(), refresh(factories.make_ready())
    client.force_login(mine.bot.owner)

    for chosen in ("nobody:", "", ":1", "%s:7", "%s:x", "%s:99999999999"):
        said = chosen.replace("%s", mine.bot.slug)
        assert 'class="errorlist"' in post(client, "tournament-enter", row, status=400, bot=said)
        assert inside(row) == []


def test_owner_changes_version_and_takes_bot_out(client):
    row, version = making.make_open(), refresh(factories.make_ready())
    entrant = making.enter(row, version)
    client.force_login(version.bot.owner)

    post(client, "tournament-version", row, entrant=entrant.pk, version="1")
    assert inside(row) == [(str(version.bot), 1)]
    text = post(client, "tournament-version", row, status=400, entrant=entrant.pk, version="5")
    assert "has no version 5." in text
    asked = client.get(reverse("tournament-leave", args=[row.slug]), {"entrant": entrant.pk})
    assert "It can enter again until the freeze." in asked.content.decode()
    assert inside(row) == [(str(version.bot), 1)]
    post(client, "tournament-leave", row, entrant=entrant.pk)
    assert inside(row) == []


@pytest.mark.parametrize(("said", "status"), [("accept", "entered"), ("decline", "declined")])
def test_an_invitation_is_answered_on_the_page(client, said, status):
    row, version = making.make_open(entry_policy="invited"), refresh(factories.make_ready())
    entrant = entries.invite(tournament=row, bot=version.bot, by=making.organizer(row))
    client.force_login(version.bot.owner)
    assert "It is invited." in client.get(row.get_absolute_url()).content.decode()

    post(client, "tournament-answer", row, entrant=entrant.pk, answer=said)

    entrant.refresh_from_db()
    assert entrant.status == status


def test_who_is_invited_is_between_owners_and_organizers(client):
    row, version = making.make_open(entry_policy="invited"), refresh(factories.make_ready())
    entries.invite(tournament=row, bot=version.bot, by=making.organizer(row))
    address = reverse("tournament-entrants", args=[row.slug])

    assert str(version.bot) not in client.get(address).content.decode()
    client.force_login(making.organizer(row))
    assert str(version.bot) in client.get(address).content.decode()


def test_organizers_enter_bots_singly_from_ladder_by_list(client):
    row = making.make_open(entry_policy="listed")
    one, two, three = (refresh(factories.make_ready()).bot for _ in range(3))
    client.force_login(making.organizer(row))

    post(client, "tournament-take-one", row, bot=str(one), do="enter")
    file = SimpleUploadedFile("list.csv", f"bot,version,seed\n{two},1,1\n".encode())
    post(client, "tournament-take-list", row, text="", file=file)
    post(client, "tournament-take-one", row, bot=f"@{three}", do="invite")
    assert dict(inside(row)) == {str(one): None, str(two): 1}
    assert row.entrants.get(bot=three).status == "invited"
    post(client, "tournament-take-top", row, top_n=8)
    assert {str(one), str(two), str(three)} <= dict(inside(row)).keys()


def test_stale_list_does_not_override_later_changes(client):
    row, version = making.make_open(), refresh(factories.make_ready())
    client.force_login(making.organizer(row))
    seen = row.revision
    entries.take_csv(tournament=row, by=making.organizer(row), text=f"bot,version\n{version.bot},1")
    sent = {"text": f"bot\n{version.bot}\n"}

    late = post(client, "tournament-take-list", row, status=400, revision=seen, **sent)

    row.refresh_from_db()
    assert inside(row) == [(str(version.bot), 1)]
    assert f'name="revision" value="{row.revision}"' in late  # as it is shown now
    post(client, "tournament-take-list", row, revision=row.revision, **sent)
    assert inside(row) == [(str(version.bot), None)]
