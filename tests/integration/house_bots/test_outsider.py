"""A program that speaks another protocol plays as an upload, in a container like every bot."""

import pytest

from botkit.package import pack
from engine.outcome import FAULTS
from engine.record import verify
from engine.registry import find
from sandbox.levels.admission import Admission
from sandbox.levels.isolation import choose
from sandbox.table import open_table
from sandbox.uploads.unpacking import unpack
from tests.integration.house_bots.house import BOTS, OUTSIDER
from tests.unit.engine.refereed import record_of

pytestmark = pytest.mark.docker

SLUG, NAME = OUTSIDER


@pytest.mark.parametrize("seat", ["red", "blue"])
def test_the_outsider_plays_a_whole_game_in_containers(seat, tmp_path):
    variant, isolation = find(SLUG), choose("docker")
    outsider = unpack(pack(BOTS / NAME), f"{NAME}.zip")
    other = unpack(pack(BOTS / "raider"), "raider.zip")
    seats = {each: outsider if each == seat else other for each in variant.seats}
    nobody = Admission()  # nothing is trusted: they play because they are contained

    with open_table(isolation=isolation, seats=seats, work_dir=tmp_path, admission=nobody) as table:
        record = record_of(variant, 7, table=table)

    verify(record)
    assert record.result.fault is None, record.result.detail
    assert record.result.termination not in FAULTS
