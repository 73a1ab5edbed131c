"""The house bots: whole games without a fault, the same every time, and in order of strength."""

import itertools
import json
import os
import subprocess
import sys
import tomllib
from collections import defaultdict
from typing import Any

import pytest

from botkit import DuelView
from engine.outcome import Termination
from engine.registry import find, resolve_options
from tests.botkit.messages import (
    ROOT,
    act_message,
    end_message,
    line,
    start_message,
    view_json,
)
from tests.bots.house import BOTS, LADDER, VARIANTS, load, play_game

PLAYED_OUT = {
    Termination.FLAG_CAPTURED,
    Termination.NO_MOVES,
    Termination.BOTH_IMMOBILE,
    Termination.PLY_CAP,
    Termination.NO_ATTACK_CAP,
}
MEETINGS = [(slug, *two) for slug in VARIANTS for two in itertools.combinations(LADDER, 2)]
NEIGHBOURS = [(slug, *two) for slug in VARIANTS for two in itertools.pairwise(LADDER)]
GAMES = {"classic": 6, "general": 20}


def test_the_ladder_names_every_bot_folder() -> None:
    assert sorted(LADDER) == sorted(path.parent.name for path in BOTS.glob("*/bot.py"))


@pytest.mark.parametrize("name", LADDER)
def test_a_bot_folder_is_whole(name: str) -> None:
    manifest = tomllib.loads((BOTS / name / "drapeau.toml").read_text())
    assert manifest == {
        "bot": {
            "name": name,
            "language": "python",
            "entry": "bot.py",
            "variants": ["classic", "general"],
        }
    }
    assert (BOTS / name / "README.md").read_text().startswith(f"# {name.capitalize()}\n")
    suffixes = {path.suffix for path in (BOTS / name).iterdir() if path.is_file()}
    assert suffixes == {".py", ".toml", ".md"}


@pytest.mark.parametrize(("slug", "weaker", "stronger"), MEETINGS)
def test_two_bots_play_a_pair_to_its_end_without_a_fault(
    slug: str, weaker: str, stronger: str
) -> None:
    for red, blue in ((weaker, stronger), (stronger, weaker)):
        record, _ = play_game(slug, red, blue, rng_seed=101)
        assert record.result.fault is None, record.result.detail
        assert record.result.termination in PLAYED_OUT


@pytest.mark.parametrize("name", LADDER)
def test_a_bot_against_itself_is_no_fault_either(name: str) -> None:
    record, _ = play_game("general", name, name, rng_seed=7)
    assert record.result.fault is None


@pytest.mark.parametrize(("red", "blue"), list(itertools.pairwise(LADDER)))
def test_the_same_game_is_played_twice_alike_and_another_seed_differs(red: str, blue: str) -> None:
    first, _ = play_game("general", red, blue, rng_seed=5)
    again, _ = play_game("general", red, blue, rng_seed=5)
    other, _ = play_game("general", red, blue, rng_seed=6)
    assert first == again
    assert first.actions != other.actions


def test_games_do_not_depend_on_the_hash_seed_of_the_process() -> None:
    """Two processes that order their sets differently still play the same game."""
    code = (
        "from tests.bots.house import play_game; "
        "print(play_game('general', 'marshal', 'sleuth', 5)[0].chain, "
        "play_game('general', 'raider', 'drunkard', 5)[0].chain)"
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


@pytest.mark.parametrize(("slug", "weaker", "stronger"), NEIGHBOURS)
def test_each_bot_beats_the_next_weaker_one(slug: str, weaker: str, stronger: str) -> None:
    points: defaultdict[str, float] = defaultdict(float)
    for rng_seed in range(GAMES[slug] // 2):
        for red, blue in ((weaker, stronger), (stronger, weaker)):
            outcome = play_game(slug, red, blue, rng_seed)[0].result.points
            assert outcome is not None
            points[red] += outcome["red"]
            points[blue] += outcome["blue"]
    assert points[stronger] >= 0.6 * GAMES[slug], dict(points)


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


@pytest.mark.parametrize("name", LADDER)
def test_a_game_in_which_the_board_forgets_is_played_without_a_fault(name: str) -> None:
    forget = {"reveal_after_fight": "forget"}
    record, _ = play_game("general", name, "raider", rng_seed=2, options=forget)
    assert record.result.fault is None, record.result.detail


@pytest.mark.parametrize("name", LADDER)
def test_a_bot_folder_runs_as_a_program_with_nothing_but_the_kit(name: str, tmp_path) -> None:
    (tmp_path / "botkit").symlink_to(ROOT / "botkit")
    general = find("general")
    state = general.begin(resolve_options(general, {}), 1)
    start = {**start_message(), "variant": general.name}
    act = {**act_message("deploy"), "view": general.view(state, "red")}
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
    assert (ready, done.stderr) == ({"type": "ready", "legal": True}, b"")
    general.apply(state, "red", deployed["action"])  # raises if it is no set-up
    assert general.asked(state) == ("blue",)


def test_loading_a_bot_leaves_its_modules_behind() -> None:
    """Two bots may have modules of the same name."""
    before = set(sys.modules)
    load("marshal")
    assert set(sys.modules) == before
