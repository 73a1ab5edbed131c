"""The adapter for UCC programs, by dialogues written from the description of the protocol."""

import shlex
import sys
from pathlib import Path

import pytest

from botkit import DuelView, Move
from botkit.ucc import refusal, told_of
from engine.record import Record, verify
from tests.tree import ROOT
from tests.unit.botkit.homes import drapeau, played
from tests.unit.botkit.messages import view_json
from tests.unit.botkit.ucc_programs import (
    ROWS,
    heard_by,
    play_ucc,
    program,
    rows_of,
    without_boards,
)

VETERAN = ROOT / "bots/veteran/program.py"

RED_DIALOGUE = """
> RED opponent 10 10
> START
< 4 3 DOWN 2
> 4 3 DOWN 2 OK
> 9 6 UP 2 OK
< 4 5 DOWN
> 4 5 DOWN DIES 9 2
> 1 6 UP OK
< 0 3 DOWN
> 0 3 DOWN OK
> 1 5 UP OK
< 1 3 DOWN 1
> 1 3 DOWN KILLS s 1
> 9 4 UP BOTHDIE 9 9
< 8 3 DOWN 3
> 8 3 DOWN 3 VICTORY_FLAG
> QUIT
"""
OF_BLUE = ("j7j5", "b7b6", "b6b5", "j5j4")
BLUE_DIALOGUE = """
> BLUE opponent 10 10
> 0 3 DOWN OK
< 0 6 UP
> 0 6 UP OK
> 0 4 DOWN DIES 6 1
< 4 6 UP 3
> 4 6 UP 3 DIES 9 2
> 1 3 DOWN OK
< SURRENDER
"""
OF_RED = ("a4a5", "a5a6", "b4b5")

RED_WON = {"red": 1.0, "blue": 0.0}

FIRST_BOARD = """
FBBBBBB888
8877776666
5555444339
1s99929999
..++..++..
..++..++..
##########
##########
##########
##########
"""
BLUE_BOARD = """
##########
##########
##########
.#########
#.++..++..
..++..++..
1s99929999
5555444339
8877776666
FBBBBBB888
"""


SLOW = ("--clock", "600+1/60")  # a busy machine may take its time


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """Set the wait for the end of a program so high that a busy machine kills none."""
    monkeypatch.setattr("botkit.ucc.END_WAIT_S", 60.0)


def spoken(dialogue, mark):
    return [line[2:] for line in dialogue.strip().splitlines() if line[0] == mark]


def test_red_hears_every_outcome_to_the_flag(tmp_path):
    said = [rows_of("red"), *spoken(RED_DIALOGUE, "<")]

    record, bot = play_ucc(program(tmp_path, said), OF_BLUE)

    heard = heard_by(tmp_path)
    assert without_boards(heard) == spoken(RED_DIALOGUE, ">")
    assert heard[2:12] == FIRST_BOARD.split()
    assert (record.result.termination, record.result.points) == ("flag_captured", RED_WON)
    assert bot._program.returncode == 0


def test_blue_hears_first_red_move_and_gives_up(tmp_path):
    said = [rows_of("blue"), *spoken(BLUE_DIALOGUE, "<")]

    record, _ = play_ucc(program(tmp_path, said), OF_RED, seat="blue")

    heard = heard_by(tmp_path)
    assert without_boards(heard) == [*spoken(BLUE_DIALOGUE, ">"), "QUIT"]
    assert heard[2:12] == BLUE_BOARD.split()
    assert (record.result.termination, record.result.points) == ("resigned", RED_WON)
    assert record.result.fault is None


def fought(start, target, attacker, defender, winner):
    sides = {"attacker": {"id": "r1", "rank": attacker}, "defender": {"id": "b1", "rank": defender}}
    return {"type": "fought", "from": start, "to": target, **sides, "winner": winner}


@pytest.mark.parametrize(
    ("event", "line"),
    [
        ({"type": "moved", "from": "a1", "to": "a2"}, "0 0 DOWN OK"),
        ({"type": "moved", "from": "j10", "to": "c10"}, "9 9 LEFT 7 OK"),
        ({"type": "moved", "from": "b5", "to": "c5"}, "1 4 RIGHT OK"),
        (fought("e10", "e9", "3", "B", "attacker"), "4 9 UP KILLS 8 B"),
        (fought("e10", "e9", "9", "B", "defender"), "4 9 UP DIES 2 B"),
        (fought("e10", "e9", "9", "B", "none"), "4 9 UP BOTHDIE 2 B"),
        (fought("a1", "a7", "2", "7", "defender"), "0 0 DOWN 6 DIES 9 4"),
        (fought("a1", "a2", "S", "F", "attacker"), "0 0 DOWN VICTORY_FLAG"),
    ],
)
def test_an_event_is_a_line(event, line):
    assert told_of(event) == line


ILLEGAL = {  # what red says first, why it is refused, and the action that the arena gets
    "0 0 DOWN": ("flag and bombs stay where they are", "a1a2"),
    "4 4 DOWN": ("no piece of yours stands on e5", "e5e6"),
    "0 3 UP": ("your own piece stands on a3", "a4a3"),
    "2 3 DOWN": ("c5 is a lake", "c4c5"),
    "0 3 DOWN 2": ("only scouts go further than one square", "a4a6"),
    "2 3 DOWN 3": ("the way is not free", "c4c7"),
    "0 3 SOUTH": ("this is no move", "not a UCC move: '0 3 SOUTH'"),
    "": ("this is no move", "not a UCC move: ''"),
    "x" * 5000: ("this is no move", f"not a UCC move: '{'x' * 60}...'"),
    "\xe9": ("this is no move", "not a UCC move: '\ufffd\ufffd'"),
}


@pytest.mark.parametrize("said", ILLEGAL)
def test_illegal_move_is_sent_to_arena_and_explained(said, tmp_path, capsys):
    why, action = ILLEGAL[said]

    record, _ = play_ucc(program(tmp_path, [rows_of("red"), said]))

    assert (record.result.termination, record.result.fault) == ("illegal_action", "red")
    assert record.result.detail.removeprefix("red: ").startswith(("illegal: ", "malformed: "))
    assert action[:20] in record.result.detail
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("[ucc] the program sent ")
    assert line.endswith(f": {why}")
    assert without_boards(heard_by(tmp_path))[-1] == "QUIT"


def test_scout_not_allowed_run_and_strike_is_told(tmp_path, capsys):
    options = {"scout_move_and_strike": False}

    record, _ = play_ucc(program(tmp_path, [rows_of("red"), "4 3 DOWN 3"]), options=options)

    assert record.result.fault == "red"
    assert capsys.readouterr().err.endswith(": a scout may not run and strike in one turn\n")


SHUTTLE = [line for _ in range(3) for line in ("0 3 DOWN", "0 4 UP")]  # the sixth is barred
TO_AND_FRO = [move for _ in range(3) for move in ("j7j6", "j6j7")]


def test_a_barred_move_is_played_and_forfeits(tmp_path, capsys):
    record, _ = play_ucc(program(tmp_path, [rows_of("red"), *SHUTTLE]), TO_AND_FRO)

    assert (record.result.termination, record.result.fault) == ("illegal_action", "red")
    assert "B16" in record.result.detail
    told = "[ucc] the program sent '0 4 UP': the limit of moves to and fro bars it (rule B16)\n"
    assert capsys.readouterr().err == told


def test_random_move_replaces_barred_one_if_wanted(tmp_path, capsys):
    said = [rows_of("red"), *SHUTTLE, "SURRENDER"]

    record, _ = play_ucc(program(tmp_path, said), [*TO_AND_FRO[:5], "b7b6"], on_barred="random")

    assert (record.result.termination, record.result.fault) == ("resigned", None)
    played_instead = [each.action for each in record.actions if each.seat == "red"][6]
    assert played_instead != "a5a4"
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith(f"bars it (rule B16); a random move, {played_instead}, is played instead")
    move = Move.parse(played_instead)
    x, y = ord(move.origin[0]) - ord("a"), int(move.origin[1:]) - 1
    own = without_boards(heard_by(tmp_path))[-3]
    assert own.startswith(f"{x} {y} ")


def test_what_nothing_else_forbids_the_chase_rule_does():
    view = DuelView(view_json())  # red has a scout on b1 and a sergeant on c1

    assert refusal(view, Move("c1", "c2"), None, {}).startswith("the chase rule bars it")
    assert refusal(view, Move("c1", "c2"), Move("c2", "c1"), {}).startswith("the limit of moves")


def test_scout_within_last_path_is_barred_by_limit(tmp_path, capsys):
    said = [line for _ in range(3) for line in ("4 3 DOWN 2", "4 5 UP 2")]
    said[-1] = "4 5 UP"  # not quite back, which the option counts as back
    options = {"shuttle_scout": "path"}

    record, _ = play_ucc(program(tmp_path, [rows_of("red"), *said]), TO_AND_FRO, options=options)

    assert record.result.fault == "red"
    assert capsys.readouterr().err.endswith("bars it (rule B16)\n")


SETUPS = {  # what the program sets up, and what the log says, if anything
    "two flags": ((ROWS[0].replace("B", "F", 1), *ROWS[1:]), ""),
    "a square left out": ((ROWS[0].replace("F", "."), *ROWS[1:]), "set up '.BBBBBB888'"),
    "words": (("hello", "I", "am", "here"), "set up 'hello'"),
}


@pytest.mark.parametrize("name", SETUPS)
def test_a_set_up_that_is_none_forfeits(name, tmp_path, capsys):
    rows, told = SETUPS[name]

    record, _ = play_ucc(program(tmp_path, ["\n".join(rows)]))

    assert (record.result.termination, record.result.fault) == ("illegal_deployment", "red")
    said = capsys.readouterr().err
    assert (told in said) if told else (said == "")


CRASHES = {  # what the program does when asked for its first move, what is said, and the wait
    "an exit": ("os._exit(3)", "[ucc] the program ended with exit status 3", 60.0),
    "a signal": ("os.kill(os.getpid(), 9)", "[ucc] the program was ended by signal 9", 60.0),
    "an end of output": (
        "os.close(1); time.sleep(600)", "[ucc] the program closed its output", 0.05),
}  # fmt: skip


@pytest.mark.parametrize("name", CRASHES)
def test_program_that_ends_ends_adapter_with_sentence(name, tmp_path, monkeypatch):
    does, told, wait_s = CRASHES[name]
    monkeypatch.setattr("botkit.ucc.END_WAIT_S", wait_s)
    command = program(tmp_path, [rows_of("red"), ""], does=f"if not said: {does}")

    with pytest.raises(SystemExit) as ended:
        play_ucc(command)

    assert ended.value.code == told


def test_a_program_that_does_not_quit_is_killed(tmp_path, monkeypatch):
    monkeypatch.setattr("botkit.ucc.END_WAIT_S", 0.05)
    command = program(tmp_path, [rows_of("red"), "SURRENDER"], after="time.sleep(600)")

    _, bot = play_ucc(command)

    assert bot._program.returncode == -9


def test_program_plays_at_home_and_keeps_log(tmp_path, capfd):
    does = "print('thinking', file=sys.stderr)"
    command = program(tmp_path, [rows_of("red"), "0 3 DOWN", "0 0 UP"], does=does)
    folder = tmp_path / "records"

    bots = (f"ucc:{shlex.join(command)}", "drunkard")
    out = drapeau(capfd, "play", *bots, *SLOW, "--seed", 3, "--record-dir", folder, status=1)

    assert f"{Path(sys.executable).name} made an illegal move" in out
    log = (folder / "game-0001-red.log").read_text()
    assert log.count("thinking\n") == 3
    assert "[ucc] the program sent '0 0 UP': this is no move\n" in log


def test_option_works_and_author_modules_are_avoided(tmp_path, capfd, monkeypatch):
    (tmp_path / "random.py").write_text("raise SystemExit('not this one')\n")
    command = program(tmp_path, [rows_of("red"), "0 0 UP", "SURRENDER"])
    monkeypatch.chdir(tmp_path)

    bots = (f"ucc:--on-barred=random {shlex.quote(command[0])} -P program.py", "drunkard")
    said = played(capfd, *bots, *SLOW, "--seed", 3, "--record-dir", "records")

    assert said["games"][0]["termination"] == "resigned"


@pytest.mark.parametrize("place", [0, 1])
def test_veteran_plays_same_as_house_bot_and_command(place, tmp_path, capfd):
    def game(bot, name):
        bots = ["raider", "raider"]
        bots[place] = bot
        words = ("--variant", "classic", "--option", "max_plies=30", "--seed", 5)
        folder = tmp_path / name
        said = played(capfd, *bots, *words, *SLOW, "--record-dir", folder)
        assert [path.name for path in folder.iterdir()] == ["game-0001.json"]  # and no log
        record = Record.from_json(Path(said["games"][0]["record"]).read_bytes())
        verify(record)
        assert record.result.fault is None
        return [each.action for each in record.actions]

    assert game("veteran", "house") == game(
        f"ucc:{shlex.join((sys.executable, str(VETERAN)))}", "command"
    )
