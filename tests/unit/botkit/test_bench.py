"""`drapeau bench`: pairs of games, their count, and going on after an interruption."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from random import Random

import pytest

from botkit.bench import Bench, read_plan, results
from botkit.home import find_bot
from botkit.sprt import Verdict
from botkit.strengths import fit
from engine.record import Record
from tests.tree import ROOT
from tests.unit.botkit.homes import drapeau, make_bot, refusal

SHORT = ("--option", "max_plies=24")
THREE = ((0, 1), (0, 2), (1, 2))  # the meetings of three bots


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """Make three bots, work in their folder, and keep records there that no folder is named for."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    make_bot(tmp_path, "first")
    make_bot(tmp_path, "second", does="dice.random()")
    make_bot(tmp_path, "broken", does="sys.exit(3)")
    return tmp_path


def benched(capfd, *words, status=0):
    """Run a bench, and return its JSON without the folder."""
    told = json.loads(drapeau(capfd, "bench", *words, "--json", status=status))
    return {name: value for name, value in told.items() if name != "records"}


def points_of(path, own):
    """Return what the bot of a name took, from the record alone."""
    record = Record.from_json(path.read_bytes())
    (seat,) = [seat for seat, player in record.players.items() if player.name == own]
    assert record.result.points is not None
    return record.result.points[seat]


def test_the_count_is_that_of_the_records(tmp_path, capfd):
    folder = tmp_path / "records"

    told = benched(capfd, "first", "second", "broken", "-n", 4, *SHORT, "--record-dir", folder)

    paths = sorted(folder.glob("game-*.json"))
    points = [points_of(path, "first") for path in paths]
    pairs = [sum(points[index : index + 2]) for index in range(0, 8, 2)]
    for place, name in enumerate(("second", "broken")):
        own = pairs[place::2]
        row = told["against"][place]
        assert (row["name"], row["games"]) == (name, 4)
        assert row["pairs"] == [own.count(half / 2) for half in range(5)]
        assert row["score"] == pytest.approx(sum(own) / 4, abs=1e-4)
        assert row["wins"] + row["draws"] / 2 == sum(own)
    assert told["against"][1]["score"] == 1.0
    assert list(told["faults"].values()) == [[3, 4, 7, 8]]
    assert told["sprt"] is None


def test_round_robin_every_bot_meets_every_other(tmp_path, capfd):
    folder = tmp_path / "records"
    words = ("first", "second", "broken", "--round-robin", "-n", 4, "--seed", 7, *SHORT)

    told = benched(capfd, *words, "--record-dir", folder)

    records = [Record.from_json(path.read_bytes()) for path in sorted(folder.glob("game-*.json"))]
    seats = [(each.players["red"].name, each.players["blue"].name) for each in records]
    pairs = [("first", "second"), ("first", "broken"), ("second", "broken")]
    assert seats == 2 * [seated for two in pairs for seated in (two, two[::-1])]
    assert [(each["bot"], each["name"]) for each in told["meetings"]] == pairs
    assert [each["pairs"][4] for each in told["meetings"][1:]] == [2, 2]  # the broken bot loses all
    last = told["bots"][-1]
    assert [last[key] for key in ("name", "points", "games", "step")] == ["broken", 0, 8, None]
    assert sum(each["points"] for each in told["bots"]) == told["games"] == 12
    assert sum(each["elo"] for each in told["bots"]) == pytest.approx(0, abs=0.2)
    counts = {two: each["pairs"] for two, each in zip(THREE, told["meetings"], strict=True)}
    found = fit(3, counts)
    for row in told["bots"]:
        place = ["first", "second", "broken"].index(row["name"])
        numbers = (row["elo"], row["elo_low"], row["elo_high"])
        assert numbers == pytest.approx(found.of(place), abs=0.06)
    shown = drapeau(capfd, "bench", "--resume", folder).splitlines()
    assert [shown[2].split("┃")[1:-1][at].strip() for at in (0, 1, 3)] == ["bot", "Elo", "step"]
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in shown if "│" in line]
    assert [row[0] for row in rows] == [each["name"] for each in told["bots"]]
    assert max(len(line) for line in shown if "│" in line) <= 80


def test_round_robin_of_neighbours_alone_resumes(tmp_path, capfd):
    folder = tmp_path / "records"
    words = ("--round-robin", "--within", 1, "-n", 2, *SHORT, "--record-dir", folder)

    told = benched(capfd, "first", "second", "broken", *words)

    assert [(each["bot"], each["name"]) for each in told["meetings"]] == [
        ("first", "second"), ("second", "broken")
    ]  # fmt: skip
    assert read_plan(folder).within == 1
    assert benched(capfd, "--resume", folder) == told


def test_killed_bench_resumes_counting_no_game_twice(tmp_path, capfd):
    words = ("first", "second", "--all", "--seed", 7, *SHORT)
    expected = benched(capfd, *words, "-n", 8)
    folder = tmp_path / "killed"
    fewer = ("-n", 6, *words, "-j", 2, "--record-dir", folder)
    command = ("-m", "botkit.cli", "bench", *map(str, fewer))
    run = subprocess.Popen(
        [sys.executable, *map(str, command)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while len(list(folder.glob("game-*.json"))) < 3:
        assert run.poll() is None
        time.sleep(0.01)
    run.send_signal(signal.SIGKILL)
    run.wait()

    assert benched(capfd, "--resume", folder)["games"] == 6
    assert benched(capfd, "--resume", folder, "-n", 8) == expected
    assert len(list(folder.glob("game-*.json"))) == 8
    assert benched(capfd, "--resume", folder) == expected  # nothing is left to play
    said = refusal(capfd, "bench", "--resume", folder, "-n", 4, status=2)
    assert "the bench has 8 games: choose more for -n" in said


def test_pairs_count_in_the_order_of_their_numbers(tmp_path, capfd):
    """Games that end early do not decide sooner: with any order, the same pairs count."""
    folder = tmp_path / "records"
    words = ("first", "broken", "--all", "-n", 20, "--seed", 7)
    benched(capfd, *words, "--record-dir", folder)
    plan = replace(read_plan(folder), margin=200.0)
    bots = [find_bot(each) for each in plan.words]
    games = list(results(plan, bots=bots, folder=folder, jobs=1))

    ends = set()
    for order in range(6):
        bench = Bench(plan, ["first", "broken"])
        mixed = Random(order).sample(games, len(games)) if order else games
        for finished in mixed:
            bench.add(finished)
        counted = [each.game.number for each in bench.forfeits]  # the broken bot loses all games
        assert counted == list(range(1, bench.games + 1))
        assert bench.test is not None
        ends.add((bench.games, bench.test.verdict))
    assert len(ends) == 1
    assert ends.pop()[1] is Verdict.BETTER


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["first"], 2, "name the bot and one opponent or more"),
        (["first", "second", "-n", "3"], 2, "choose an even number for -n"),
        (["first", "second", "--round-robin"], 2, "needs three bots or more"),
        (["first", "second", "--within", "1"], 2, "add --round-robin"),
        (["first", "second", "broken", "--round-robin", "--within", "0"], 2, "--within"),
        (["first", "second", "--margin", "0"], 2, "--margin"),
        (["first", "--resume", "nowhere"], 2, "name none"),
        (["--resume", "nowhere"], 4, "there is no bench to go on with"),
        (["--resume", "first"], 4, "there is no bench to go on with"),
    ],
)
def test_words_that_are_not_understood(words, status, said, capfd):
    assert said in refusal(capfd, "bench", *words, status=status)


def test_bench_resumes_only_with_same_bots_and_place(tmp_path, monkeypatch, capfd):
    folder = tmp_path / "records"
    words = ("first", "second", "-n", 2, *SHORT, "--record-dir", folder)
    lines = drapeau(capfd, "bench", *words, status=3).splitlines()
    again = f"drapeau bench --resume {folder} -n 4"
    assert f"The limit of 2 games has ended it. To go on: {again}" in lines
    (folder / "game-0001.json").write_text("{")
    said = refusal(capfd, "bench", "--resume", folder)
    assert "game-0001.json" in said
    assert "Remove it to play it again" in said

    plan = folder / "bench.json"
    with monkeypatch.context() as elsewhere:
        elsewhere.chdir("first")
        assert "go there first" in refusal(capfd, "bench", "--resume", folder, status=4)

    source = tmp_path / "first/bot.py"
    source.write_text(source.read_text() + "\n")
    assert "have changed" in refusal(capfd, "bench", "--resume", folder, status=4)

    for damaged in ("", "[]", "{}", plan.read_text().replace('"words"', '"word"')):
        plan.write_text(damaged)
        assert "not the plan" in refusal(capfd, "bench", "--resume", folder, status=4)
