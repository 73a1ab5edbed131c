"""`drapeau check`: the verdict of a site, and games beyond it in every seat, phase and option."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from botkit.home_checks import cases
from engine.record import Record, verify
from engine.registry import find, variants
from tests.unit.botkit.homes import drapeau, make_bot, refusal

LAME = (
    "if message['view']['observer'] == 'blue' and TURNS == 3:"
    " print('oh', file=sys.stderr); sys.exit(3)"
)
CRASHED = "General, blue: lame crashed: ended with exit status 3 during the game"


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def test_a_sound_bot_is_ready(tmp_path, capfd):
    lines = drapeau(capfd, "check", make_bot(tmp_path, "sound"), "--seed", 5).splitlines()

    assert [line.partition("  ")[0] for line in lines] == [
        "scanned: passed",
        "protocol: passed",
        "smoke: running",
        "smoke: running",
        "smoke: passed",
        "Ready. It would play general.",
    ]
    assert lines[1].endswith("  Started, deployed and moved: general.")
    assert [*(tmp_path / "state").rglob("games/*")] == []
    assert [line.split()[2:4] for line in lines[2:4]] == [
        ["General,", "red:"],
        ["General,", "blue:"],
    ]


def test_rejected_bot_shows_output_and_can_be_reproduced(tmp_path, capfd):
    bot = make_bot(tmp_path, "lame", does=LAME)
    report, records = tmp_path / "report.xml", tmp_path / "r"
    words = ("check", bot, "--seed", 5, "--junit", report, "--record-dir", records)

    lines = drapeau(capfd, *words, status=1).splitlines()

    assert f"smoke: failed  {CRASHED}" in lines
    again = f"Again: drapeau reproduce {records / 'game-0001.json'} --seat blue {bot}"
    assert lines[-3:] == ["oh", "Rejected.", again]
    verify(Record.from_json((records / "game-0001.json").read_bytes()))
    assert drapeau(capfd, *again.split()[2:]).splitlines()[-1] == "reproduced"
    suite = ET.parse(report).getroot()
    failure = suite.find("testcase[@name='check 1']/failure")
    assert (suite.get("tests"), suite.get("failures")) == ("1", "1")
    assert failure is not None
    assert (failure.get("message"), (failure.text or "").splitlines()[-1]) == (CRASHED, "oh")


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("import nothing_of_this_name", "crashed: ended with exit status 1 before it was ready"),
        ("print('hello')", "broke the protocol: the line is not JSON"),
    ],
)
def test_bot_starting_in_no_game_gets_one_line(source, fault, tmp_path, capfd):
    (tmp_path / "bot.py").write_text(f"import sys\nsys.stdin.readline()\n{source}\n")

    lines = drapeau(capfd, "check", tmp_path / "bot.py", "--seed", 5, status=1).splitlines()

    assert lines[1].startswith("protocol: failed  ")
    assert lines[1].endswith(f": bot {fault} (it started in no game)")
    assert sum(line.startswith("== ") for line in lines) == 1


def test_resigning_at_once_fails_protocol_check(tmp_path, capfd):
    gives_up = """print('{"action": "resign"}', flush=True); continue"""

    lines = drapeau(capfd, "check", make_bot(tmp_path, "shy", does=gives_up), status=1).splitlines()

    assert lines[1].startswith("protocol: failed  General, ")
    assert lines[1].endswith(": shy resigned. In a check game a bot plays to the end.")


def test_folder_a_site_does_not_take_is_rejected(tmp_path, capfd):
    bot = make_bot(tmp_path, "lost", variant="chess")
    (found,) = json.loads(drapeau(capfd, "check", bot, "--json", status=1))["checks"]
    known = ", ".join(variant.name for variant in variants().values())
    assert found["reason"] == f"no variant 'chess'; there are: {known}"
    assert f"lost: {found['reason']}" in refusal(capfd, "play", bot, bot, status=2)
    (Path(bot) / "bot.py").unlink()

    said = drapeau(capfd, "check", bot, status=1)

    assert said.splitlines() == [
        "scanned: failed  drapeau.toml names 'bot.py', which is not there",
        "Rejected.",
    ]


def test_a_bot_is_checked_several_times_at_once(tmp_path, capfd):
    bot = make_bot(tmp_path, "lame", does=LAME)
    words = ("check", bot, "--seed", 5, "-n", 4, "-j", 2)

    lines = drapeau(capfd, *words, status=1).splitlines()
    said = json.loads(drapeau(capfd, *words, "--fail-fast", "--json", status=1))

    assert lines[1] == f"check 1: rejected  {CRASHED}"
    assert "4 checks, 4 rejected" in lines
    assert [each["reason"] for each in said["checks"]] == [CRASHED]
    assert len(said["records"]) == 1


def test_a_game_beyond_the_verdict_can_fail(tmp_path, capfd):
    long = "TURNS == 250 and sys.exit(3)"  # no site plays so long
    bot = make_bot(tmp_path, "tired", does=long)
    words = ("check", bot, "--seed", 5, "--all-options", "--fail-fast")

    lines = drapeau(capfd, *words, status=1).splitlines()

    assert "Ready. It would play general." in lines
    assert any("failed  tired crashed: ended with exit status 3" in line for line in lines)


@pytest.mark.parametrize("slug", variants())
def test_cases_cover_every_seat_and_option_value(slug):
    variant = find(slug)
    found = list(cases(variant))

    assert {case.seat for case in found if not case.options} == set(variant.seats)
    wanted = [
        {key: value}
        for key, option in variant.options.items()
        for value in option.allowed
        if value != option.default
    ]
    assert [case.options for case in found if case.options] == wanted
    assert {case.seat for case in found if case.options} == set(variant.seats)


def test_phases_that_are_rare_come_up(capfd):
    words = ("check", "drunkard", "--variant", "cards", "--seed", 4, "--all-options", "-j", 2)

    assert "NOT ASKED" not in drapeau(capfd, *words)  # not in the first turn
