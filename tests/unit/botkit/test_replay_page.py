"""The page of a game at home: the site's replay in one file, where what a bot says is text."""

import json
import re
from base64 import b64encode
from dataclasses import replace
from functools import cache
from hashlib import sha256

import pytest

from botkit import positions, replay_page
from engine import registry
from engine.outcome import Result, Termination
from engine.record import Record, sealed
from tests.tree import ROOT
from tests.unit.botkit.homes import drapeau, make_bot, refusal
from tests.unit.engine import refereed
from tests.unit.engine.games import caps

SITE = ROOT / "arena/templates/matches"
HOOK = re.compile(r'data-(?:part|do)="([\w-]+)"')
# For visitors without scripts, and for what only a site has.
ONLY_ON_THE_SITE = {"text", "remarks", "beliefs"}
NASTY = '</script><img src="x" onerror="alert(1)">'


@cache
def record_of(variant: str, **names: str) -> Record:
    options = caps(registry.find(variant))
    record = refereed.record_of(registry.find(variant), 1, options)
    words = json.loads(record.to_json())
    for seat, name in names.items():
        words["players"][seat]["name"] = name
    return sealed(Record.from_json(json.dumps(words))) if names else record


@pytest.fixture(autouse=True)
def temporary(monkeypatch, tmp_path):
    """Pages are left for a browser to load; leave them where tests leave things."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


@pytest.fixture
def browser(monkeypatch):
    """Keep the addresses that a web browser was asked to show."""
    asked: list[str] = []

    def show(address):
        asked.append(address)
        return True

    monkeypatch.setattr("webbrowser.open", show)
    return asked


def test_page_has_every_part_of_site_template():
    template = "".join(
        (SITE / f"{name}.html").read_text()
        for name in ("_replay", "_replay_help", "_board_text", "_position_text")
    )
    there = set(HOOK.findall(template)) - ONLY_ON_THE_SITE

    assert len(there) > 12
    assert set(HOOK.findall(replay_page.TEMPLATE.read_text() + replay_page.FLIP)) == there


def test_module_list_is_elements_imports_in_order():
    folder = ROOT / "arena/static/js/replay"
    names = [path.rpartition("/")[2].removesuffix(".js") for path in replay_page.MODULES]
    behind: list[str] = []
    for name in names:
        imported = {
            other for _, other in replay_page.IMPORT.findall((folder / f"{name}.js").read_text())
        }
        assert imported <= set(behind), name
        behind.append(name)

    assert set(names) == {path.stem for path in folder.glob("*.js")}


@pytest.mark.parametrize("variant", sorted(registry.variants()))
def test_page_has_every_observers_replay_requesting_nothing(variant):
    record = record_of(variant)
    page = replay_page.page(record)

    found = re.findall(r'data-document="(\w+)">(.*?)</script>', page)
    assert [view for view, _ in found] == ["public", *registry.find(variant).seats, "full"]
    for view, text in found:
        assert json.loads(text) == json.loads(json.dumps(positions.replay(record, view)))
    assert (
        re.findall(r"(?:src|href)=\"(?!#)[^\"]*\"|url\(|@import|^import ", page, re.MULTILINE) == []
    )


def test_the_content_policy_allows_its_one_script():
    page = replay_page.page(record_of("general"))

    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'" in page


def test_the_name_of_a_bot_is_text():
    page = replay_page.page(record_of("general", red=NASTY))

    assert NASTY not in page
    assert "&lt;/script&gt;" in page


def test_play_opens_its_last_game(capfd, tmp_path, browser):
    bots = [make_bot(tmp_path, name) for name in ("ann", "ben")]
    drapeau(capfd, "play", *bots, "-n", "2", "--record-dir", tmp_path / "games", "--open")

    page = tmp_path / "games/game-0002.html"
    assert browser == [page.as_uri()]
    assert "<h1>general: red ann, blue ben</h1>" in page.read_text()


@pytest.mark.parametrize(
    "words", [("--open", "--view", "red"), ("--open", "--json"), ("--canonical", "--position", "3")]
)
def test_options_that_would_mean_nothing_are_refused(capfd, tmp_path, words):
    path = tmp_path / "record.json"
    path.write_text(record_of("general").to_json())

    said = refusal(capfd, "replay", path, *words, status=2)

    assert f"{words[0]} does not go with {words[1]}" in said


def test_fault_is_told_as_on_site():
    record = record_of("general")
    fault = Result({"red": 0.0, "blue": 1.0}, Termination.CRASH, "red", "red: status 3")
    page = replay_page.page(replace(record, actions=record.actions[:30], result=fault))

    assert "<p>Red crashed: status 3</p>" in page


def test_machine_without_browser_told_where_page_is(capfd, tmp_path, monkeypatch):
    monkeypatch.setattr("webbrowser.open", lambda _address: False)
    path = tmp_path / "record.json"
    path.write_text(record_of("general").to_json())

    said = refusal(capfd, "replay", path, "--open", status=0)
    assert re.fullmatch(r"Page: \S+/game\.html\nThere is no web browser here.*\n", said)
