"""Organizers add each other on the manage page, and leave."""

import pytest
from django.urls import reverse

from arena.domain.accounts import permissions
from tests import factories
from tests.integration.tournaments import making

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    return making.make_open(factories.make_user("grace"))


def send(client, tournament, doing, **said):
    url = reverse(f"tournament-organizer-{doing}", args=[tournament.slug])
    return client.post(url, said, follow=True)


def test_added_organizer_may_remove_the_first(client, tournament):
    client.force_login(making.organizer(tournament))
    ada = factories.make_user("ada")

    page = send(client, tournament, "add", username="ada", revision=tournament.revision)

    assert page.redirect_chain == [(reverse("tournament-manage", args=[tournament.slug]), 302)]
    assert "Remove ada" in page.content.decode()
    assert permissions.may_organize(ada, tournament)
    client.force_login(ada)
    page = send(client, tournament, "remove", username="grace")
    assert "Remove" not in page.content.decode()  # the last one stays
    assert [*tournament.organizers.all()] == [ada]


def test_what_cannot_be_is_said_on_the_page(client, tournament):
    client.force_login(making.organizer(tournament))
    factories.make_user("ada")

    page = send(client, tournament, "add", username="ada", revision="1")

    assert "changed the tournament meanwhile" in page.content.decode()
    assert tournament.organizers.count() == 1
