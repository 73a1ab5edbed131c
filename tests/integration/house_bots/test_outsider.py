"""A program that speaks another protocol plays as an upload, in a container like every bot."""

import pytest

from botkit.package import pack
from engine.clock import ClockSpec
from engine.outcome import FAULTS
from engine.record import PlayerId, verify
from engine.referee import play
from engine.registry import find, resolve_options
from sandbox.levels.admission import Admission
from sandbox.levels.isolation import choose
from sandbox.table import open_table
from sandbox.uploads.unpacking import unpack
from tests.integration.house_bots.house import BOTS, OUTSIDER

SLUG, NAME = OUTSIDER


@pytest.mark.parametrize("seat", ["red", "blue"])
def test_the_outsider_plays_a_whole_game_in_containers(seat, tmp_path):
    variant, isolation = find(SLUG), choose("docker")
    outsider = unpack(pack(BOTS / NAME), f"{NAME}.zip")
    other = unpack(pack(BOTS / "raider"), "raider.zip")
    seats = {each: outsider if each == seat else other for each in variant.seats}
    nobody = Admission()  # nothing is trusted: they play because they are contained

    with open_table(isolation=isolation, seats=seats, work_dir=tmp_path, admission=nobody) as table:
        record = play(
            variant,
            options=resolve_options(variant, {}),
            rng_seed=7,
            game=f"outsider-{seat}",
            players={each: PlayerId(bot.manifest.name, bot.digest) for each, bot in seats.items()},
            clock=ClockSpec(),
            table=table,
            isolation="docker",
        )

    verify(record)
    assert record.result.fault is None, record.result.detail
    assert record.result.termination not in FAULTS
