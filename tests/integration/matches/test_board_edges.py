"""The frame of a game for other sites, and the clocks at the edges of its board."""

import re
from dataclasses import asdict, replace

import pytest

from arena.models import MatchKind
from engine.clock import ClockSpec, SeatClock
from engine.record import sealed
from tests import factories
from tests.integration.web.played import finished_match, random_record

pytestmark = pytest.mark.django_db

SPEC = ClockSpec(bank_ms=61_000, increment_ms=7)
CLOCK = re.compile(r'data-clock="(\w+)"\s+data-left-ms="(\d+)"\s+data-increment-ms="7">([^<]+)<')


def timed(variant, rng_seed):
    """Return a record whose seats had a clock."""
    return sealed(replace(random_record(variant, rng_seed), clock={**asdict(SPEC), "basis": "cpu"}))


def test_other_sites_may_show_the_frame(client):
    match = finished_match()
    address = f"{match.get_absolute_url()}games/1/embed/?ply=2&view=red&theme=dark"
    shown = client.get(address)
    page = client.get(f"{match.get_absolute_url()}games/1/")

    assert "X-Frame-Options" not in shown.headers
    assert "frame-ancestors *" in shown.headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]
    assert 'data-theme="dark"' in shown.content.decode()
    assert 'ply="2" view="red"' in shown.content.decode()


def test_open_match_has_no_frame(client):
    match = factories.make_begun_match()

    assert client.get(f"{match.get_absolute_url()}games/1/embed/").status_code == 404


@pytest.mark.parametrize("ladder", ["classic", "siege"])
def test_clocks_show_what_is_left_at_ply(client, ladder):
    match = finished_match(ladder=ladder, record_of=timed)
    record = timed(match.ladder.variant, 2)
    plies = match.games.get(number=1).plies
    opening = len(record.actions) - plies

    def left(ply):
        clocks = {seat: SeatClock.full(SPEC) for seat in record.players}
        for played in record.actions[: opening + ply]:
            clocks[played.seat].charge(played.charged_ms)
        return {seat: clock.bank_ms for seat, clock in clocks.items()}

    for ply in (0, 9, plies):
        page = client.get(f"{match.get_absolute_url()}games/1/?ply={ply}").content.decode()
        shown = {seat: (int(first), text) for seat, first, text in CLOCK.findall(page)}
        assert shown == {
            seat: (left(0)[seat], f"{int(ms // 60_000)}:{ms % 60_000 // 100 / 10:04.1f}")
            for seat, ms in left(ply).items()
        }


def test_without_a_clock_for_all_there_is_none(client):
    match = finished_match(record_of=timed)
    type(match).objects.update(kind=MatchKind.PERSON)

    for each in (match, finished_match()):
        assert "data-clock" not in client.get(f"{each.get_absolute_url()}games/1/").content.decode()
