"""The snapshot finds what changes, and only that."""

import json
import os
import subprocess
import sys

import pytest

from tests.snapshot import addresses, comparing, formvalues, normal, storing
from tests.tree import ROOT

pytestmark = pytest.mark.slow

ANSWER = {
    "key": "GET / as user",
    "status": 200,
    "headers": {"Content-Type": "text/html"},
    "queries": 3,
    "messages": [],
    "rows": [],
    "body": "<p>\nHello\n</p>",
}


def stored(folder, *answers):
    folder.mkdir()
    storing.write(folder, answers)
    return folder


def test_the_same_answers_are_the_same(tmp_path):
    folders = [stored(tmp_path / name, ANSWER) for name in ("before", "after")]

    assert comparing.report(folders) == (
        False,
        ["same: 1, changed: 0, only before: 0, only after: 0"],
    )


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("status", 404, "  status: 200 -> 404"),
        ("headers", {}, "  Content-Type: text/html -> None"),
        ("queries", 4, "  queries: 3 -> 4"),
        ("messages", ["Done."], "  +Done."),
        ("rows", ["- arena_bot 1"], "  +- arena_bot 1"),
        ("body", "<p>\nGoodbye\n</p>", "  +Goodbye"),
    ],
)
def test_a_change_of_every_kind_is_found_and_shown(tmp_path, name, value, line):
    folders = stored(tmp_path / "a", ANSWER), stored(tmp_path / "b", {**ANSWER, name: value})

    differs, lines = comparing.report(folders)

    assert differs
    assert line in lines
    assert lines[0] == "Changed: GET / as user"
    assert lines[-2] == "same: 0, changed: 1, only before: 0, only after: 0"
    assert comparing.report(folders, ignored=[name])[0] is False


def test_answers_that_one_of_both_has_alone_are_named(tmp_path):
    other = {**ANSWER, "key": "GET /queue/ as user"}
    folders = stored(tmp_path / "a", ANSWER), stored(tmp_path / "b", other)

    assert comparing.report(folders) == (
        True,
        [
            "Only before: GET / as user",
            "Only after: GET /queue/ as user",
            "same: 0, changed: 0, only before: 1, only after: 1",
        ],
    )


def test_the_same_change_of_many_answers_is_shown_once(tmp_path):
    many = [{**ANSWER, "key": f"GET /{number}"} for number in range(9)]
    changed = [{**each, "body": "<p>\nGoodbye\n</p>"} for each in many]
    folders = stored(tmp_path / "a", *many), stored(tmp_path / "b", *changed)

    _differs, lines = comparing.report(folders)

    assert lines.count("  +Goodbye") == 1
    assert "  and 4 more, in the same way" in lines


@pytest.mark.parametrize(
    ("html", "lines"),
    [
        ("<p>\n  a\n</p>\n <p>b</p>", ["<p>", "a", "</p>", "<p>", "b", "</p>"]),
        ("<p>see <a\n id='x' >it</a>.", ["<p>", "see␣", "<a id='x'>", "it", "</a>", "."]),
        ("<pre>a\n  b</pre>", ["<pre>a", "  b</pre>"]),
        ('<i title="a > b">c</i>', ['<i title="a > b">', "c", "</i>"]),
    ],
)  # fmt: skip
def test_white_space_counts_where_a_reader_sees_it(html, lines):
    assert normal.laid_out("text/html", html).splitlines() == lines


def test_what_is_never_the_same_is_replaced_and_ids_keep_their_order():
    text = 'nonce="abcdefghijklmnop" m_123456789ABC m_new456789ABC p_123456789ABC m_new456789ABC'

    steady = normal.steady(text, {"m_123456789ABC": "m_#7"})

    assert steady == 'nonce="NONCE" m_#7 m_#new1 p_#new2 m_#new1'


def test_a_form_is_read_as_a_browser_would_send_it():
    page = """<input name=a value=1><input type=checkbox name=b value=2><input type=radio name=c
    value=3 checked><select name=d><option value=4><option value=5 selected></select>
    <textarea name=e>\nsix</textarea>"""

    assert formvalues.of_page(page) == {"a": "1", "c": "3", "d": "5", "e": "six"}


def test_a_route_without_an_example_is_named():
    assert "queue/" in addresses.missing(["/", "/ladders/"])
    assert "queue/" not in addresses.missing(["/queue/?page=2"])


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_a_snapshot_taken_twice_is_the_same_and_finds_another_row(tmp_path):
    def run(*arguments):
        command = [sys.executable, "-m", "tests.snapshot", *map(str, arguments)]
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )

    one, other = tmp_path / "one", tmp_path / "other"
    only = ("--only", r"(ladders|pause)")

    for saved in (run("save", one, *only), run("save", other, "--rows", one, *only)):
        assert saved.returncode == 0, saved.stderr[-2000:]

    compared = run("compare", one, other)
    assert (compared.returncode, compared.stdout.count("\n")) == (0, 1), compared.stdout
    answers = {key: each for key, each in storing.read(one).items() if "ladders/classic/ as" in key}
    assert {each["status"] for each in answers.values()} == {200}
    assert "owner/alpha" in json.dumps(storing.body(one, answers["GET /ladders/classic/ as user"]))
    paused = storing.read(one)["POST /api/v1/bots/owner/alpha/pause as owner's token (nothing)"]
    assert any("is_paused: False -> True" in line for line in paused["rows"])
