"""Addresses that nobody would type are refused like any other mistake, on either database."""

import pytest

from tests import factories

pytestmark = pytest.mark.django_db

HUGE = "9" * 5000  # more digits than Python reads as a number
NUL = "%00"  # in no text that PostgreSQL holds


@pytest.mark.parametrize(
    ("address", "status"),
    [
        pytest.param("/matches/?since=0001-01-01T00:00:00%2B23:59", 400, id="before all time"),
        pytest.param("/matches/?since=9999-12-31T23:59:59-23:59", 400, id="after all time"),
        pytest.param(f"/matches/?bot=ada{NUL}/bot", 400, id="nul in a bot"),
        pytest.param(f"/matches/?ladder={NUL}", 400, id="nul in a ladder"),
        pytest.param(f"/matches/?before={NUL}", 404, id="nul in a match"),
        pytest.param(f"/bots/?page={HUGE}", 404, id="huge page of bots"),
        pytest.param(f"/queue/?page={HUGE}", 404, id="huge page of the queue"),
        pytest.param(f"/api/v1/matches?bot=ada{NUL}/bot", 400, id="api: nul in a bot"),
    ],
)
def test_what_cannot_be_is_refused_and_breaks_nothing(client, address, status):
    assert client.get(address).status_code == status


def test_trial_against_impossible_number_is_refused(client):
    version = factories.make_ready()
    client.force_login(version.bot.owner)

    response = client.post(f"{version.get_absolute_url()}try/", {"against": HUGE}, follow=True)

    assert "has no version" in response.content.decode()
    assert not version.trials.exists()
