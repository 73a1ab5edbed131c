"""The house bots: whole games without a fault, the same every time, and in order of strength."""

import itertools
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from botkit import DuelView
from engine.record import BOARD_ENDINGS
from engine.registry import find, resolve_options
from tests.integration.house_bots.house import (
    BOTS,
    HOUSE,
    LADDERS,
    OUTSIDER,
    PLAYED,
    load,
    play_game,
    points,
)
from tests.tree import ROOT
from tests.unit.botkit.messages import (
    act_message,
    end_message,
    line,
    start_message,
    view_json,
)
from tests.unit.engine.games import readings

MEETINGS = [
    *(
        (slug, *two)
        for slug, ladder in LADDERS.items()
        for two in itertools.combinations(ladder, 2)
    ),
    *((OUTSIDER[0], name, OUTSIDER[1]) for name in LADDERS[OUTSIDER[0]]),
]
NEIGHBOURS = [
    (slug, *two) for slug, ladder in LADDERS.items() for two in itertools.pairwise(ladder)
]
PAIRS = {
    "cards": 10,
    "classic": 3,
    "general": 10,
    "siege": 5,
}  # in which neighbours show who is stronger
ENOUGH = 0.55  # share of the points that shows it
READINGS = [
    pytest.param(slug, ladder, options, id=f"{slug}-{number}")
    for slug, ladder in LADDERS.items()
    for number, options in enumerate(readings(find(slug)))
]


def test_every_bot_folder_is_named() -> None:
    assert sorted(path.parent.name for path in BOTS.glob("*/bot.py")) == HOUSE


@pytest.mark.parametrize("name", HOUSE)
def test_a_bot_folder_is_whole(name: str) -> None:
    manifest = tomllib.loads((BOTS / name / "drapeau.toml").read_text())
    assert manifest == {
        "bot": {
            "name": name,
            "language": "python",
            "entry": "bot.py",
            "variants": sorted(slug for slug, each in PLAYED if each == name),
        }
    }
    assert (BOTS / name / "README.md").read_text().startswith(f"# {name.capitalize()}\n")
    suffixes = {path.suffix for path in (BOTS / name).iterdir() if path.is_file()}
    assert suffixes == {".py", ".toml", ".md"}


@pytest.mark.parametrize(("slug", "weaker", "stronger"), MEETINGS)
def test_two_bots_play_a_pair_to_its_end_without_a_fault(
    slug: str, weaker: str, stronger: str
) -> None:
    for one, other in ((weaker, stronger), (stronger, weaker)):
        record, _ = play_game(slug, one, other, rng_seed=101)
        assert record.result.fault is None, record.result.detail
        assert record.result.termination in BOARD_ENDINGS


@pytest.mark.parametrize(("slug", "name"), PLAYED)
def test_a_bot_against_itself_is_no_fault_either(slug: str, name: str) -> None:
    record, _ = play_game(slug, name, name, rng_seed=7)
    assert record.result.fault is None, record.result.detail


@pytest.mark.parametrize(("slug", "ladder", "options"), READINGS)
def test_a_game_under_any_reading_is_played_without_a_fault(
    slug: str, ladder: Sequence[str], options: Mapping[str, Any]
) -> None:
    for one, other in itertools.pairwise(ladder):
        record, _ = play_game(slug, one, other, rng_seed=2, options=options)
        assert record.result.fault is None, record.result.detail


@pytest.mark.parametrize("options", readings(find(OUTSIDER[0])))
def test_the_outsider_plays_under_any_reading_but_the_one_that_its_moves_depend_on(
    options: Mapping[str, Any],
) -> None:
    slug, name = OUTSIDER
    known = {**options, "scout_move_and_strike": True}  # its protocol has no word for options
    for one, other in ((name, "raider"), ("sleuth", name)):
        record, _ = play_game(slug, one, other, rng_seed=2, options=known)
        assert record.result.fault is None, record.result.detail


@pytest.mark.parametrize(("slug", "one", "two"), [m for m in NEIGHBOURS if m[0] != "classic"])
def test_the_same_game_is_played_twice_alike_and_another_seed_differs(
    slug: str, one: str, two: str
) -> None:
    first, _ = play_game(slug, one, two, rng_seed=5)
    again, _ = play_game(slug, one, two, rng_seed=5)
    other, _ = play_game(slug, one, two, rng_seed=6)
    assert first == again
    assert first.actions != other.actions


def test_games_do_not_depend_on_the_hash_seed_of_the_process() -> None:
    """Two processes that order their sets differently still play the same game."""
    code = (
        "from tests.integration.house_bots.house import play_game; "
        "from tests.integration.house_bots.house import LADDERS; "
        "print(*(play_game(slug, one, two, 5)[0].chain for slug in LADDERS if slug != 'classic' "
        "for one, two in zip(LADDERS[slug][::2], LADDERS[slug][1::2])))"
    )
    chains = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=BOTS.parent,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            check=True,
            timeout=60,
        ).stdout
        for hash_seed in ("1", "2")
    }
    assert len(chains) == 1


@pytest.mark.timeout(600)  # some ten seconds of computing, on a machine that may be busy
@pytest.mark.parametrize(("slug", "weaker", "stronger"), NEIGHBOURS)
def test_each_bot_beats_the_next_weaker_one(slug: str, weaker: str, stronger: str) -> None:
    won = 0.0
    for rng_seed in range(PAIRS[slug]):
        won += (
            points(slug, stronger, weaker, rng_seed)[0]
            + points(slug, weaker, stronger, rng_seed)[1]
        )
    assert won >= ENOUGH * 2 * PAIRS[slug], won


FOUGHT = {
    "type": "fought",
    "seat": "red",
    "from": "b3",
    "to": "b4",
    "attacker": {"id": "r9", "rank": "2"},
    "defender": {"id": "b2", "rank": "4"},
    "winner": "defender",
    "boom": False,
}


@pytest.mark.parametrize("name", ["sleuth", "marshal"])
def test_a_rank_named_in_a_fight_is_remembered_when_the_board_forgets_it(name: str) -> None:
    bot: Any = load(name)()
    bot.seat = "red"
    bot.begin()
    view = DuelView(view_json())
    odds = bot.suspect if name == "sleuth" else bot.beliefs.update
    assert odds(view)["b2"] == {"2": 1.0}  # the only rank that is left
    bot.hear(FOUGHT)
    assert odds(view)["b2"] == {"4": 1.0}


@pytest.mark.parametrize(("slug", "name"), PLAYED)
def test_a_bot_folder_runs_as_a_program_with_nothing_but_the_kit(
    slug: str, name: str, tmp_path: Path
) -> None:
    (tmp_path / "botkit").symlink_to(ROOT / "botkit")
    variant = find(slug)
    state = variant.begin(resolve_options(variant, {}), 1)
    seat = variant.asked(state)[0]
    before = variant.phase(state), variant.asked(state)
    start = {**start_message(), "variant": variant.name, "seat": seat}
    act = {**act_message("deploy"), "view": variant.view(state, seat)}
    done = subprocess.run(
        [sys.executable, "-S", "bot.py"],
        cwd=BOTS / name,
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


def test_loading_a_bot_leaves_its_modules_behind() -> None:
    """Two bots may have modules of the same name."""
    before = set(sys.modules)
    load("marshal")
    assert set(sys.modules) == before
