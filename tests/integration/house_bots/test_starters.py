"""The starter bot in a variant's folder can be uploaded as it is, and plays by the rules."""

import importlib.util

import pytest

from botkit.manifest import read_manifest
from engine.clock import ClockSpec
from engine.outcome import FAULTS
from engine.record import PlayerId
from engine.referee import play
from engine.registry import find, resolve_options, variants
from tests.integration.house_bots.house import BotTable
from tests.unit.engine.games import folder_of

EVERY = pytest.mark.parametrize("slug", variants())


def starter(slug):
    spec = importlib.util.spec_from_file_location(
        f"starter_{slug}", folder_of(slug) / "starter/bot.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Starter


@EVERY
def test_a_starter_says_that_it_plays_its_variant(slug):
    files = {file.name: file.read_bytes() for file in (folder_of(slug) / "starter").glob("*.*")}

    assert read_manifest(files).variants == (slug,)
    assert sorted(files) == ["README.md", "bot.py", "drapeau.toml"]


@EVERY
@pytest.mark.parametrize("rng_seed", range(3))
def test_starter_plays_to_the_end_in_every_seat(slug, rng_seed):
    variant = find(slug)
    record = play(
        variant,
        options=resolve_options(variant, {}),
        rng_seed=rng_seed,
        game=f"starter-{slug}-{rng_seed}",
        players={seat: PlayerId("starter", "") for seat in variant.seats},
        clock=ClockSpec(),
        table=BotTable(dict.fromkeys(variant.seats, starter(slug))),
        isolation="none",
    )

    assert record.result.fault is None
    assert record.result.termination not in FAULTS
