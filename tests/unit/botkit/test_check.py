"""`drapeau check`: a bot in every seat, phase and option of its games."""

import json
from xml.etree import ElementTree as ET

import pytest

from botkit.checks import cases, phases_of
from engine.record import Record, verify
from engine.registry import find, variants
from tests.unit.botkit.homes import drapeau, make_bot


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.mark.parametrize("slug", variants())
def test_the_cases_have_every_seat_and_every_value_of_every_option(slug):
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


def test_phases_are_those_of_the_rules():
    assert phases_of(find("cards")) == {"deploy", "turn", "chain", "fill"}
    assert phases_of(find("classic")) == {"deploy", "turn"}


def test_the_games_with_options_have_other_seats_the_next_time():
    first, second = ([case.seat for case in cases(find("siege"), turn)] for turn in (0, 1))

    assert first[:3] == second[:3]
    assert [one == other for one, other in zip(first[3:], second[3:], strict=True)] == [
        False for _ in first[3:]
    ]


def test_phases_that_are_rare_come_up(capfd):
    out = drapeau(
        capfd, "check", "drunkard", "--variant", "cards", "--seed", 4
    )  # not in the first turn

    assert "NOT ASKED" not in out


def test_a_sound_bot_passes(tmp_path, capfd):
    bot = make_bot(tmp_path, "sound")

    out = drapeau(capfd, "check", bot, "--seed", 5)

    lines = out.splitlines()
    count = len(list(cases(find("general"))))
    assert lines[-1] == f"{count} games, 0 failed"
    assert [line for line in lines[:-1] if not line.startswith("ok      general, ")] == []
    assert lines[0].startswith("ok      general, red: ")


BAD = (
    "if message['view']['observer'] == 'blue' and TURNS == 3:"
    " print('oh', file=sys.stderr); sys.exit(3)"
)


def test_a_bot_that_fails_in_one_seat_is_found_and_can_be_asked_again(tmp_path, capfd):
    bot = make_bot(tmp_path, "lame", does=BAD)
    report = tmp_path / "report.xml"

    out = drapeau(
        capfd,
        "check",
        bot,
        "--seed",
        5,
        "--junit",
        report,
        "--record-dir",
        tmp_path / "r",
        status=1,
    )

    failed = [line for line in out.splitlines() if line.startswith("FAILED")]
    assert failed[0] == "FAILED  general, blue: lame crashed: ended with exit status 3"
    assert {line.split(",")[1].strip(" :").partition(":")[0] for line in failed} == {"blue"}
    verify(Record.from_json((tmp_path / "r/game-0002.json").read_bytes()))
    again = f"Again: drapeau reproduce {tmp_path / 'r/game-0002.json'} --seat blue {bot}"
    assert again in out
    assert drapeau(capfd, *again.split()[2:]).splitlines()[-1] == "reproduced"

    suite = ET.parse(report).getroot()
    assert suite.get("failures") == str(len(failed))
    assert len(suite.findall("testcase")) == int(suite.get("tests", 0)) > len(failed)
    failure = suite.find("testcase[@name='general, blue']/failure")
    assert failure is not None
    told = "lame crashed: ended with exit status 3"
    assert (failure.get("type"), failure.get("message")) == ("crash", told)
    assert failure.text == "oh\n"


def test_a_bot_that_fails_in_every_seat_is_not_asked_with_options(tmp_path, capfd):
    bot = make_bot(tmp_path, "lame", does="sys.exit(3)")

    lines = drapeau(capfd, "check", bot, "--seed", 5, status=1).splitlines()

    assert [line.split(":")[0] for line in lines[:3]] == [
        "FAILED  general, red",
        "FAILED  general, blue",
        "STOPPED general",
    ]
    assert lines[-1] == "2 games, 2 failed"


def test_the_checks_come_as_json(tmp_path, capfd):
    bot = make_bot(tmp_path, "lame", does=BAD)

    said = json.loads(drapeau(capfd, "check", bot, "--seed", 5, "--json", status=1))

    assert said["not_asked"] == {}
    assert {game["seat"] for game in said["games"] if game["failure"]} == {"blue"}
    assert {game["termination"] for game in said["games"] if game["failure"]} == {"crash"}


def test_a_bot_that_resigns_is_rejected_as_the_site_rejects_it(tmp_path, capfd):
    bot = make_bot(tmp_path, "meek", does='print(\'{"action": "resign"}\', flush=True); continue')

    lines = drapeau(capfd, "check", bot, "--seed", 5, status=1).splitlines()

    said = "meek resigned. In a check game a bot plays to the end."
    assert lines[:2] == [f"FAILED  general, {seat}: {said}" for seat in ("red", "blue")]


def test_a_bot_that_does_not_start_is_tried_once(tmp_path, capfd):
    bot = make_bot(tmp_path, "broken", variant='classic", "general')
    (tmp_path / "broken/bot.py").write_text("import nothing_of_this_name")

    lines = drapeau(capfd, "check", bot, "--seed", 5, status=1).splitlines()

    assert lines[0] == "FAILED  classic, red: broken crashed: ended with exit status 1"
    assert lines[1] == "STOPPED classic: it did not start, so it was not tried again"
    assert lines[-1] == "1 games, 1 failed"


def test_the_first_failure_can_end_the_check(tmp_path, capfd):
    bot = make_bot(tmp_path, "lame", does=BAD)

    lines = drapeau(capfd, "check", bot, "--seed", 5, "--fail-fast", status=1).splitlines()

    assert [line.split(" ")[0] for line in lines[:3]] == ["ok", "FAILED", "STOPPED"]
    assert lines[-1] == "2 games, 1 failed"
