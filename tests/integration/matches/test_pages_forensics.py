"""The page of an abnormal end: what it says, and to whom."""

import pytest

from arena.web.matches import usage_bars
from tests.integration.web.played import finished_match, refused_record

pytestmark = pytest.mark.django_db


def read(client, address, viewer=None, status=200, **query):
    client.logout()
    if viewer is not None:
        client.force_login(viewer)
    answer = client.get(address, query)
    assert answer.status_code == status, answer.content
    return answer.content.decode()


def test_bot_fallen_at_set_up_has_page(client):
    game = finished_match(record_of=refused_record).games.get(number=1)

    page = read(client, f"{game.get_absolute_url()}forensics/")

    assert "Illegal set-up" in page
    assert "The army has 1 of F (flag), not 40" in page


def test_game_ended_by_rules_has_no_forensics_page(client):
    match = finished_match()

    read(client, f"{match.get_absolute_url()}games/1/forensics/", status=404)
    read(client, f"{match.get_absolute_url()}games/7/forensics/", status=404)


@pytest.mark.parametrize(
    ("value", "unit", "said"),
    [
        (1.54, "ms", "1.5 ms"),
        (600_000.0, "ms", "600 s"),
        (12_345.0, "ms", "12.3 s"),
        (31, "bytes", "31 bytes"),
        (20_480, "bytes", "20 KiB"),
        (256 * 1024 * 1024, "bytes", "256 MiB"),
    ],
)
def test_amounts_are_written_with_their_unit(value, unit, said):
    assert usage_bars.amount(value, unit) == said
