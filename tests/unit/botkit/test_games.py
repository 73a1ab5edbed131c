"""`drapeau play`: games at home, by the arena's referee and with its records."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from botkit.package import read_folder
from engine import chance
from engine.record import Record, verify
from engine.registry import find
from tests.tree import ROOT
from tests.unit.botkit.homes import drapeau, make_bot, played, refusal

FAULTS = {
    "crash": ("sys.exit(3)", "first crashed: ended with exit status 3"),
    "illegal_action": (
        'print(\'{"action": "a1a1"}\', flush=True); continue',
        "first made an illegal move",
    ),
    "protocol_error": ("print('thinking', flush=True); continue", "first broke the protocol"),
    "timeout": ("time.sleep(100)", " ms of wall time; 2000 were allowed"),
}


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    """Keep records that no folder is named for among the files of the test."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def first(tmp_path):
    return make_bot(tmp_path, "first")


@pytest.fixture
def second(tmp_path):
    return make_bot(tmp_path, "second", does="dice.random()")


def canonical(capfd, path):
    return drapeau(capfd, "replay", "--canonical", path)


def test_game_at_home_has_record_of_arena(first, second, tmp_path, capfd):
    folder = tmp_path / "records"

    said = played(capfd, first, second, "--seed", 7, "--record-dir", folder)

    (game,) = said["games"]
    record = Record.from_json(Path(game["record"]).read_bytes())
    verify(record)
    assert sorted(path.name for path in folder.iterdir()) == ["game-0001.json"]
    assert record.variant == find("general").name
    assert record.rng_seed == chance.game_seed(f"{7:064x}", game=1, take=1) == game["rng_seed"]
    assert record.clock["basis"] == "wall"
    assert {seat: player.name for seat, player in record.players.items()} == game["seats"]
    assert record.players["red"].digest == read_folder(Path(first)).digest


def test_the_same_game_played_again_is_the_same(first, second, tmp_path, capfd):
    said = played(capfd, first, second, "--option", "max_plies=60", "--clock", "30+0.5")
    path = said["games"][0]["record"]

    again = played(capfd, first, second, "--like", path)["games"][0]["record"]
    other = played(capfd, second, first, "--like", path)["games"][0]["record"]

    assert canonical(capfd, again) == canonical(capfd, path)
    assert canonical(capfd, other) != canonical(capfd, path)
    game = json.loads(canonical(capfd, path))
    assert (game["options"]["max_plies"], game["clock"]["bank_ms"]) == (60, 30_000)
    text = Path(path).read_text()
    assert '"charged_ms"' in text
    assert "charged_ms" not in canonical(capfd, path)


def test_recorded_game_is_continued_by_other_bots(first, second, capfd):
    path = played(capfd, first, second, "--seed", 7)["games"][0]["record"]
    other = ("--like", path, "--from", 9)

    again = played(capfd, second, first, *other)["games"][0]["record"]

    before, after = (Record.from_json(Path(each).read_bytes()) for each in (path, again))
    verify(after)
    count = 9 + 2  # the set-ups are no plies
    moves = [[(each.seat, each.action) for each in record.actions] for record in (before, after)]
    assert moves[1][:count] == moves[0][:count]
    assert moves[1] != moves[0]
    assert after.players["red"].name == "second"


def test_parallel_games_equal_sequential_ones(first, second, capfd):
    def games(jobs):
        words = ("-n", 4, "--swap", "--seed", 3, "-j", jobs, "--option", "max_plies=30")
        said = played(capfd, first, second, *words)["games"]
        return [canonical(capfd, game["record"]) for game in said]

    together = games(3)
    assert together == games(1)
    assert len(set(together)) == 4


def test_seats_are_exchanged_and_points_counted(first, second, capfd):
    said = played(capfd, first, second, "-n", 4, "--swap", "--seed", 3)

    assert [game["seats"]["red"] for game in said["games"]] == ["first", "second"] * 2
    won = {"first": 0.0, "second": 0.0}
    for game in said["games"]:
        for seat, name in game["seats"].items():
            won[name] += game["outcome"][seat]
    assert {bot["name"]: bot["points"] for bot in said["bots"]} == won
    for bot in said["bots"]:
        assert bot["wins"] + bot["draws"] + bot["losses"] == bot["games"] == 4


@pytest.mark.parametrize(
    ("bots", "red"),
    [
        (["drunkard", "drunkard"], {"garrison": 1, "white": 2, "black": 2}),
        (["drunkard"] * 3, {"garrison": 1, "white": 2, "black": 3}),
    ],
)
def test_the_siege_takes_two_bots_or_three(bots, red, capfd):
    words = ("--variant", "siege", "--option", "max_plies=12", "--seed", 1)

    said = played(capfd, *bots, *words, "--swap")

    names = ["drunkard", "drunkard (2)", "drunkard (3)"]
    assert said["games"][0]["seats"] == {seat: names[place - 1] for seat, place in red.items()}
    assert len(said["games"]) == len(bots)
    assert {game["seats"]["garrison"] for game in said["games"]} == set(names[: len(bots)])


@pytest.mark.parametrize("termination", FAULTS)
def test_fault_is_told_in_words_of_site(termination, tmp_path, second, capfd):
    does, told = FAULTS[termination]
    bad = make_bot(tmp_path, "first", does=f"if TURNS == 3: {does}")

    out = drapeau(capfd, "play", bad, second, "--seed", 5, "--clock", "60+0/2", status=1)

    assert told in out
    assert "(game 1)" in out
    again = re.search("Again: drapeau (reproduce .* --seat red .*)", out)
    assert again is not None
    _, now, *_, same = drapeau(capfd, *shlex.split(again[1])).splitlines()
    assert re.match(rf"now, at request \d+: {termination}: ", now)
    assert same == "reproduced"
    (row,) = [line for line in out.splitlines() if " first " in line and "│" in line]
    assert row.split("│")[1:-1][-1].strip() == "1"


@pytest.mark.parametrize("command", [("play",), ("bench", "--all", "-n", "2")])
def test_faults_of_both_bots_are_told(command, capfd):
    words = (*command, "cmd:false", "cmd:true", "--variant", "general")

    said = drapeau(capfd, *words, status=command[0] == "play")

    ended = "ended with exit status {} before it was ready (game 1"
    first, second = f"false crashed: {ended.format(1)}", f"true failed too: {ended.format(0)}"
    assert 0 < said.find(first) < said.find(second)
    if command[0] == "play":
        assert [row["faults"] for row in played(capfd, *words[1:], status=1)["bots"]] == [1, 1]


def test_bot_is_file_command_or_house_bot(first, tmp_path, capfd, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = f"cmd:{shlex.join((sys.executable, f'{first}/bot.py'))}"

    words = ("--variant", "general", "--option", "max_plies=12")
    for bot in (f"{first}/bot.py", command, "first"):
        said = played(capfd, bot, first, *words)
        assert said["games"][0]["fault"] is None
    assert played(capfd, "drunkard", "raider", *words)["games"][0]["fault"] is None


def test_ctrl_c_ends_bots_and_keeps_finished_games(tmp_path):
    """From its second game on, a bot is stuck: it notes its process and does not read on."""
    note, folder = tmp_path / "pids", tmp_path / "records"
    does = (
        f"path = __import__('os').path.exists({str(folder / 'game-0001.json')!r});"
        f" pid = __import__('os').getpid();"
        f" path and open({str(note)!r}, 'a').write(f'{{pid}}\\n'); path and time.sleep(3600)"
    )
    slow = make_bot(tmp_path, "slow")
    stuck = make_bot(tmp_path, "stuck", does=does)
    run = subprocess.Popen(
        # What a shell starts in the background ignores Ctrl-C.
        ["env", "--default-signal=INT",
         sys.executable, "-m", "botkit.cli", "play", slow, stuck, "-n", "20", "-j", "2",
         "--clock", "9000+0/9000", "--record-dir", str(folder)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    try:
        while not (note.exists() and note.read_text()) and run.poll() is None:
            time.sleep(0.05)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate()
    finally:
        run.kill()

    assert (run.returncode, "Traceback" in err) == (130, False), err
    assert "Records: " in out
    assert re.search(r"Stopped after \d+ of 20 games\.", err)
    verify(Record.from_json((folder / "game-0001.json").read_bytes()))
    assert [path.name for path in folder.iterdir() if path.suffix not in (".json", ".log")] == []
    pids = {int(line) for line in note.read_text().splitlines()}
    assert pids
    assert [pid for pid in pids if Path(f"/proc/{pid}").exists()] == []


def test_further_manifest_in_folder_is_another_bot(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    says = "sys.stderr.write(open('drapeau.toml').read())"
    folder = Path(make_bot(tmp_path, "usual", does=says))
    further = folder / "other.toml"
    further.write_text('[bot]\nname = "other"\nvariants = ["general"]\n[bot.settings]\nplies = 3\n')
    records = tmp_path / "records"

    words = (folder, further, "--option", "max_plies=4", "--record-dir", records)
    played(capfd, *words)

    record = Record.from_json(next(records.glob("*.json")).read_bytes())
    names = {seat: each.name for seat, each in record.players.items()}
    assert names == {"red": "usual", "blue": "other"}
    assert "plies = 3" in (records / "game-0001-blue.log").read_text()
    assert "plies" not in (records / "game-0001-red.log").read_text()
    assert len({each.digest for each in record.players.values()}) == 2
    for content, told in (
        ("[bot]\nname = 3\n", "name must be a line of text"),
        ("[bot]\n", "name is missing"),
        ("bot = 3\n", "other.toml must hold one table, [bot]"),
    ):
        further.write_text(content)
        said = refusal(capfd, "play", folder, further, status=2)
        assert said.endswith(f"other.toml: {told}\n")


REFUSED = {
    "a command that is none": (
        ["cmd:./nothing", "drunkard", "--variant", "general"], 2, "./nothing: No such file",
    ),
    "an open quotation mark": (
        ["cmd:'x", "drunkard"], 2, "cmd:'x: the command cannot be split into words: a quotation",
    ),
    "a UCC program that is none": (
        ["ucc:./nothing", "drunkard"], 2, "./nothing: there is no such program",
    ),
    "an unknown way with barred moves": (
        ["ucc:--on-barred=never sh", "drunkard"], 2, "followed by forfeit or random, not 'never'",
    ),
    "another game of a UCC program": (
        ["ucc:sh", "drunkard", "--variant", "general"], 2, "sh does not play general",
    ),
    "no game of both": (["raider", "castellan"], 2, "castellan plays siege"),
    "several games": (["drunkard", "raider"], 2, "choose one with --variant"),
    "an unknown game": (["drunkard", "drunkard", "--variant", "go"], 2, "no variant 'go'"),
    "an unknown option": (
        ["drunkard", "drunkard", "--variant", "classic", "--option", "x=1"], 2, "has no option 'x'",
    ),
    "an option without a value": (["drunkard", "drunkard", "--option", "x"], 2, "name=value"),
    "one bot": (["drunkard", "--variant", "classic"], 2, "name two bots"),
    "an odd number": (
        ["drunkard", "raider", "--variant", "classic", "--swap", "-n", "3"], 2, "rounds of 2",
    ),
    "no number": (["drunkard", "raider", "-n", "x"], 2, "'x' is not a valid whole number"),
    "a text": (["/etc/passwd", "raider"], 2, "not a program. Give a source file"),
    "a misspelled bot": (["raidr", "raider"], 2, "Did you mean raider?"),
    "a file for records": (
        ["raider", "raider", "--variant", "classic", "--record-dir", __file__], 1,
        "it is a file. Name a folder for the records",
    ),
    "a seed": (["drunkard", "drunkard", "--seed", "-1"], 2, "a whole number from 0"),
    "a ply of no record": (
        ["drunkard", "drunkard", "--variant", "classic", "--from", "3"], 2, "--from needs",
    ),
    "a record": (["drunkard", "drunkard", "--like", "nothing.json"], 4, "cannot be read"),
}  # fmt: skip


CLOCKS = {
    "fast": "the bank 'fast' is not a number of seconds",
    "60": "the increment is missing",
    "60+0,1": "the increment '0,1' is not a number of seconds",
    "0+1": "the bank is 0, and no bot can play without time",
    "60+0.1/0": "the cap is 0, and no bot can play without time",
    "60+0.1/-1": "the cap '-1' is not a number of seconds",
    f"1+{'9' * 400}": f"the increment '{'9' * 40}...' is too long for a clock",
}


@pytest.mark.parametrize("clock", CLOCKS, ids=lambda clock: clock[:9])
def test_the_wrong_part_of_a_clock_is_named(clock, capfd):
    said = refusal(capfd, "play", "drunkard", "drunkard", "--clock", clock, status=2)

    assert said.endswith(f": {CLOCKS[clock]}; write bank+increment[/cap], such as 60+0.1\n")


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_played_is_said_so(name, capfd):
    words, status, said = REFUSED[name]

    assert said in refusal(capfd, "play", *words, status=status)


def test_options_decided_by_record_are_refused_beside_like(first, second, capfd):
    terms = ["-n", 2, "--swap", "--seed", 7, "--variant", "general", "--option", "max_plies=60"]
    words = ["--like", "record.json", *terms, "--clock", "60+0.1/5"]

    said = refusal(capfd, "play", first, second, *words, status=2)

    named = "--clock, --option, --seed, --swap, --variant, -n"
    assert f"--like does not go with {named}: it plays one game, by the terms" in said


UNWRITTEN = {  # what a bot does to the folder of the records, the file, and why
    "a removed folder": ("shutil.rmtree(place, True)", "game-0001.json", "No such file"),
    "a full disk for a log": (
        "os.symlink('/dev/full', place + '/game-0001-red.log'); print('x', file=sys.stderr)",
        "game-0001-red.log",
        "No space left on device",
    ),
}


@pytest.mark.parametrize("name", UNWRITTEN)
def test_what_cannot_be_written_is_said_so(name, tmp_path, second, capfd):
    does, file, why = UNWRITTEN[name]
    folder = tmp_path / "records"
    once = f"if TURNS == 1: import os, shutil; place = {str(folder)!r}; {does}"
    bad = make_bot(tmp_path, "bad", does=once)

    said = refusal(capfd, "play", bad, second, "--record-dir", folder)

    assert said.startswith(f"{folder / file}: cannot be written: {why}")
    assert said.count("\n") == 1
    assert not [each for each in folder.glob("*") if each.is_file() and each.suffix == ".json"]
    assert not list(folder.glob(".unfinished*"))


def test_records_are_never_written_over(first, second, tmp_path, capfd):
    played(capfd, first, second, "--record-dir", tmp_path / "r")

    said = refusal(capfd, "play", first, second, "--record-dir", tmp_path / "r")

    assert said == f"{tmp_path / 'r'}: there are records already. Choose another folder\n"
