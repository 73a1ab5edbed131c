"""Organizers add each other on the manage page, and leave."""

import pytest
from django.urls import reverse

from arena.domain.accounts import permissions
from tests import factories
from tests.integration.tournaments import making

pytestmark = pytest.mark.django_db


def send(client, tournament, doing, **said):
    url = reverse(f"tournament-organizer-{doing}", args=[tournament.slug])
    return client.post(url, said, follow=True)


def test_added_organizer_may_remove_the_first(client):
    tournament = making.make_open(factories.make_user("grace"))
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
