"""`drapeau verify`: a good record holds, a record that was touched does not.

`test_verification.py` has what it says of signatures.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from botkit.cli import main
from engine.protocol import PROTOCOL
from engine.record import Record, sealed
from engine.version import VERSION
from tests.integration.house_bots.house import play_game
from tests.tree import ROOT


@pytest.fixture(scope="module")
def good() -> str:
    record, _ = play_game("general", "raider", "drunkard", rng_seed=3)
    return record.to_json()


def test_a_good_record_holds(good: str, tmp_path: Path, capsys) -> None:
    path = tmp_path / "record.json"
    path.write_text(good)
    assert main(["verify", str(path)]) == 3
    said = capsys.readouterr()
    assert said.err == ""
    count = len(json.loads(good)["actions"])
    assert said.out == (
        f"{path}: general@1, raider (red) against drunkard (blue), {count} actions, "
        "flag_captured: red 1, blue 0\n"
        "  seal: holds\n"
        "  signature: not checked: the record has none, so nobody vouches for it\n"
        "  replay: holds\n"
        "  commitment: not there: the record does not tell where its chance is from\n"
        "  rng_seed: not there: the record has no secret that it follows from\n"
    )


def another_winner(words) -> None:
    words["result"]["outcome"] = {"red": 0.0, "blue": 1.0}


def another_action(words) -> None:
    words["actions"][5]["action"] = "a1a2"


def another_player(words) -> None:
    words["players"]["red"]["name"] = "somebody"


@pytest.mark.parametrize("change", [another_winner, another_action, another_player])
def test_a_record_that_was_touched_does_not_hold(change, good: str, tmp_path: Path, capsys) -> None:
    words = json.loads(good)
    change(words)
    path = tmp_path / "record.json"
    path.write_text(json.dumps(words))
    assert main(["verify", str(path)]) == 1
    problem = "the hash chain does not fit: the record was changed after the game"
    assert f"  seal: does not hold: {problem}\n" in capsys.readouterr().out


@pytest.mark.parametrize("change", [another_winner, another_action])
def test_a_new_seal_does_not_help_a_false_record(change, good: str, tmp_path: Path, capsys) -> None:
    words = json.loads(good)
    change(words)
    path = tmp_path / "record.json"
    path.write_text(sealed(Record.from_json(json.dumps(words))).to_json())
    assert main(["verify", str(path)]) == 1
    said = capsys.readouterr().out
    assert "  seal: holds\n" in said
    assert "  replay: does not hold: " in said


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{}", b"nonsense", b'{"format": 1}', b"\xff\xfe" * 5000, b"[" * 5000]
)
def test_what_is_no_record_is_said_so_in_one_line(data: bytes, tmp_path: Path, capsys) -> None:
    path = tmp_path / "record.json"
    path.write_bytes(data)
    assert main(["verify", str(path)]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"{path}: not a record of format 1")
    assert said.count("\n") == 1
    assert len(said) < len(str(path)) + 200


def test_of_a_newer_format_nothing_can_be_checked(tmp_path: Path, capsys) -> None:
    path = tmp_path / "record.json"
    path.write_text('{"format": 2, "engine": "9.0.0"}')
    assert main(["verify", str(path)]) == 3
    assert "the record has format 2 of engine 9.0.0" in capsys.readouterr().err


def test_a_missing_file_is_said_so(tmp_path: Path, capsys) -> None:
    path = tmp_path / "nowhere.json"
    assert main(["verify", str(path)]) == 4
    assert capsys.readouterr().err == f"{path}: cannot be read: No such file or directory\n"


def test_the_command_runs_without_django_installed(good: str, tmp_path: Path) -> None:
    """Only the standard library, the kit and the engine are within reach here."""
    (tmp_path / "record.json").write_text(good)
    code = (
        "import sys; sys.path.insert(0, sys.argv.pop(1)); "
        "from botkit.cli import main; sys.exit(main())"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, str(ROOT), "verify", "record.json"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (3, b"")
    assert b"  replay: holds\n" in done.stdout


def test_the_version_names_engine_and_protocol(capsys) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    said = capsys.readouterr().out
    assert re.fullmatch(rf"drapeau \S.*, engine {re.escape(VERSION)}, protocol {PROTOCOL}\n", said)
