"""How a game went, on its page."""

from dataclasses import replace

import pytest

from arena.domain.matches import record_compression
from arena.models import GameRecord, Match, MatchKind
from engine.record import Record
from tests.integration.api import rows

pytestmark = pytest.mark.django_db


def page_of(client, match, query=""):
    response = client.get(f"{match.get_absolute_url()}games/1/{query}")
    return response.content.decode()


def test_turning_points_keep_the_perspective(client):
    page = page_of(client, rows.finished_match(), "?view=red")

    points = page.partition("Where the knowledge turned")[2].partition("</ul>")[0]
    assert points.count("&amp;view=red#game") == points.count("<li>") == 3


def test_chart_of_very_long_times_is_drawn(client):
    match = rows.finished_match()
    blobs = GameRecord.objects.filter(game__match=match, game__number=1)
    record = Record.from_json(record_compression.unpacked(blob=bytes(blobs.get().blob)))
    slow = tuple(replace(played, charged_ms=10_000_000) for played in record.actions)
    text = replace(record, actions=slow).to_json()
    blobs.update(blob=record_compression.packed(text=text))

    assert "Time used, in seconds" in page_of(client, match)


def test_time_of_a_person_is_not_shown(client):
    match = rows.finished_match()
    Match.objects.filter(pk=match.pk).update(kind=MatchKind.PERSON)

    page = page_of(client, match)

    assert "Pieces lost" in page
    assert "Time used" not in page
