"""The house bots: whole games without a fault, the same every time, and in order of strength."""

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from botkit.home import find_bot, house_bots
from botkit.manifest import MANIFEST_NAME
from engine.outcome import FAULTS
from engine.registry import find, resolve_options
from sandbox.host.kit import copy_kit
from tests.integration.house_bots.house import (
    BOTS,
    HOUSE,
    LADDERS,
    NEIGHBOURS,
    OUTSIDER,
    PLAYED,
    YARDSTICKS,
    load,
    manifest_of,
    play_game,
    points,
)
from tests.unit.botkit.messages import (
    act_message,
    end_message,
    line,
    start_message,
)
from tests.unit.engine.games import readings

PAIRS = {"cards": 6, "general": 4}  # which show who is stronger; elsewhere games take too long
PAIR_SEED = 101
ENOUGH = 0.55  # share of the points that shows it
TWO_STEPS = [  # neighbours are so close that only `strength` tells them apart
    (slug, *two) for slug in PAIRS for two in zip(LADDERS[slug], LADDERS[slug][2:], strict=False)
]
READINGS = [  # each bot plays under each of them, the last of an odd number with the one before
    pytest.param(slug, *two, options, id=f"{slug}-{number}-{two[0]}")
    for slug, ladder in LADDERS.items()
    for number, options in enumerate(readings(find(slug)))
    for two in dict.fromkeys([*zip(ladder[::2], ladder[1::2], strict=False), ladder[-2:]])
]


def test_every_house_bot_is_named() -> None:
    assert sorted(house_bots()) == HOUSE


@pytest.mark.parametrize("name", HOUSE)
def test_manifest_says_games_and_sets_what_program_reads(name: str) -> None:
    table = tomllib.loads(manifest_of(name).read_text())["bot"]
    settings = table.pop("settings", {})
    assert table == {
        "name": name,
        "language": "python",
        "entry": "bot.py",
        "variants": sorted(slug for slug, each in PLAYED if each == name),
    }
    assert bool(settings) == (manifest_of(name).name != MANIFEST_NAME)
    read = load(manifest_of(name).parent.name).settings
    assert {key: type(value) for key, value in settings.items()} == {
        key: type(read[key]) for key in settings
    }
    assert settings.items().isdisjoint(read.items())


def chain_elsewhere(slug: str, one: str, two: str) -> str:
    """Play a game in a process that orders its sets differently, and return its chain."""
    code = (
        "from tests.integration.house_bots.house import play_game\n"
        f"print(play_game({slug!r}, {one!r}, {two!r}, {PAIR_SEED})[0].chain)\n"
    )
    hash_seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=BOTS.parent,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        check=True,
        text=True,
        timeout=600,
    )
    return done.stdout.strip()


@pytest.mark.parametrize(("slug", "weaker", "stronger"), NEIGHBOURS + YARDSTICKS)
@pytest.mark.kept("cards-bookkeeper-actuary", "*-poacher-bully", "siege-drunkard-vagrant")
def test_two_bots_play_pair_alike_in_two_processes(slug: str, weaker: str, stronger: str) -> None:
    for one, other in ((stronger, weaker), (weaker, stronger)):
        record, _ = play_game(slug, one, other, PAIR_SEED)
        assert record.result.fault is None, record.result.detail
        assert record.result.termination not in FAULTS

    if slug != "classic":  # its games take too long to be played twice
        assert chain_elsewhere(slug, weaker, stronger) == record.chain


@pytest.mark.parametrize(("name", "slug"), {name: slug for slug, name in PLAYED}.items())
@pytest.mark.kept("drunkard-*", "escort-*", "veteran-*", "actuary-*", "seer-*")
def test_a_bot_against_itself_is_no_fault_either(name: str, slug: str) -> None:
    record, _ = play_game(slug, name, name, rng_seed=7)
    assert record.result.fault is None, record.result.detail


@pytest.mark.parametrize(("slug", "one", "other", "options"), READINGS)
@pytest.mark.kept("cards-*-bookkeeper", "*-*-bully", "siege-*-watchman")
def test_game_under_any_reading_played_without_fault(
    slug: str, one: str, other: str, options: Mapping[str, Any]
) -> None:
    record, _ = play_game(slug, one, other, rng_seed=2, options=options)
    assert record.result.fault is None, record.result.detail


@pytest.mark.parametrize("options", readings(find(OUTSIDER[0])))
@pytest.mark.kept("options0")
def test_outsider_plays_under_any_reading_but_one(
    options: Mapping[str, Any],
) -> None:
    slug, name = OUTSIDER
    known = {**options, "scout_move_and_strike": True}  # its protocol has no word for options
    for one, other in ((name, "raider"), ("sleuth", name)):
        record, _ = play_game(slug, one, other, rng_seed=2, options=known)
        assert record.result.fault is None, record.result.detail


@pytest.mark.parametrize(("slug", "weaker", "stronger"), TWO_STEPS)
@pytest.mark.kept("cards-ensign-*", "general-raider-*")
def test_each_bot_beats_the_one_two_steps_weaker(slug: str, weaker: str, stronger: str) -> None:
    won = 0.0
    for rng_seed in range(PAIRS[slug]):
        won += (
            points(slug, stronger, weaker, rng_seed)[0]
            + points(slug, weaker, stronger, rng_seed)[1]
        )
    assert won >= ENOUGH * 2 * PAIRS[slug], won


@pytest.mark.parametrize(("name", "slug"), {name: slug for slug, name in PLAYED}.items())
def test_bot_folder_runs_with_nothing_but_kit(
    slug: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    copy_kit(tmp_path)
    variant = find(slug)
    state = variant.begin(resolve_options(variant, {}), 1)
    seat = variant.asked(state)[0]
    before = variant.phase(state), variant.asked(state)
    start = {**start_message(), "variant": variant.name, "seat": seat}
    act = {**act_message("deploy"), "view": variant.view(state, seat)}
    done = subprocess.run(
        [sys.executable, "-S", "bot.py"],
        cwd=find_bot(name).folder,
        env={"PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"},
        input=line(start) + line(act) + line(end_message()),
        capture_output=True,
        check=True,
        timeout=30,
    )
    ready, deployed = map(json.loads, done.stdout.splitlines())
    assert (ready, done.stderr) == (
        {"type": "ready", "wants": {"legal": True, "view": load(name).wants_view}},
        b"",
    )
    variant.apply(state, seat, deployed["action"])  # raises if it is no set-up
    assert (variant.phase(state), variant.asked(state)) != before
