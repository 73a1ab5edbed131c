"""The command line, and `drapeau verify`: a good record holds, one that was touched does not.

`test_verification.py` has what it says of signatures.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import BashComplete

from botkit.cli import main
from botkit.commands import drapeau
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
    assert main(["verify", str(path), "--json"]) == 3
    findings = json.loads(capsys.readouterr().out)["findings"]
    lines = said.out.splitlines()[1:]
    assert [f"  {each['check']}: {each['verdict']}" for each in findings] == [
        ":".join(row.split(":")[:2]) for row in lines
    ]


def test_of_a_newer_format_nothing_can_be_checked(tmp_path: Path, capsys) -> None:
    path = tmp_path / "record.json"
    path.write_text('{"format": 2, "engine": "9.0.0"}')
    assert main(["verify", str(path)]) == 3
    assert "the record has format 2 of engine 9.0.0" in capsys.readouterr().err


def alone(code: str, *arguments: str, site: bool) -> subprocess.CompletedProcess[str]:
    """Run Python without the site's frameworks, or without any package at all."""
    hidden = ("django", "rest_framework", "celery", "redis")
    prepared = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); "
        f"sys.modules.update(dict.fromkeys({hidden!r})); {code}"
    )
    isolated = ["-I"] if site else ["-I", "-S"]
    return subprocess.run(
        [sys.executable, *isolated, "-c", prepared, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


RUN = "from botkit.cli import main; sys.exit(main())"


def test_command_without_extra_says_what_to_install() -> None:
    done = alone(RUN, "--help", site=False)
    assert (done.returncode, done.stdout) == (2, "")
    said = "drapeau needs click. Install what the command needs: pip install click rich\n"
    assert done.stderr == said


def test_the_sdk_needs_the_standard_library_alone() -> None:
    done = alone("from botkit import Bot, run; print(Bot.__name__)", site=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "Bot\n", "")


def test_up_without_the_server_says_what_to_install() -> None:
    done = alone(RUN, "up", "--port", "8001", site=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "drapeau up needs the server: install drapeau-server, with `pip install .` in a checkout "
        "of Drapeau, or start the site there with `make up`.\n"
    )


def test_up_is_the_command_that_a_distribution_declares(tmp_path: Path) -> None:
    info = tmp_path / "server-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: server\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[drapeau.commands]\nup = starting:up\n")
    (tmp_path / "starting.py").write_text(
        "import click\n"
        "@click.command()\n"
        "@click.option('--port', type=int)\n"
        "def up(port): click.echo(f'port {port}'); return 7\n"
    )
    done = alone(f"sys.path.insert(0, {str(tmp_path)!r}); {RUN}", "up", "--port", "80", site=True)
    assert (done.returncode, done.stdout, done.stderr) == (7, "port 80\n", "")


def test_misspelled_command_gets_the_nearest(capsys) -> None:
    assert main(["ply"]) == 2
    assert "No such command 'ply'. Did you mean play?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("veri", ["plain,verify"]),
        ("init sieg", ["plain,siege"]),
        ("play mars", ["plain,marshal", "file,mars"]),
        ("play marshal sleu", ["plain,sleuth", "file,sleu"]),
        ("bench --variant clas", ["plain,classic"]),
        ("replay reco", ["file,reco"]),
    ],
)
def test_a_word_is_completed(words: str, completed: list[str], monkeypatch) -> None:
    monkeypatch.setenv("COMP_WORDS", f"drapeau {words}")
    monkeypatch.setenv("COMP_CWORD", str(len(words.split())))

    said = BashComplete(drapeau, {}, "drapeau", "_DRAPEAU_COMPLETE").complete()

    assert said.split() == completed
