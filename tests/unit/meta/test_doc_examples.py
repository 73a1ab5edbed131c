"""The examples of the documents work; the tutorial's bot plays."""

import json
import sys
from contextlib import ExitStack

import pytest
from jsonschema import Draft202012Validator

from botkit.manifest import read_manifest
from botkit.program import LocalProgram, LocalTable
from engine.outcome import FAULTS
from engine.registry import find
from tests.tree import ours, text
from tests.unit.engine.games import caps
from tests.unit.engine.refereed import random_table, record_of
from tests.unit.meta.examples import fences, problems

FOLDERS = ("benchmarks/", "bots/", "docs/")
PAGES = ["README.md", "CONTRIBUTING.md"] + [
    name for name in ours(".md") if name.startswith(FOLDERS) and "/adr/" not in name
]


@pytest.mark.parametrize("name", PAGES)
def test_what_a_page_shows_is_so(name):
    assert problems(text(name)) == []


@pytest.mark.parametrize("page", ["tutorial/first-bot.md", "reference/manifest.md"])
def test_bot_of_a_page_plays_its_games(page, tmp_path):
    shown = fences(text(f"docs/{page}"))
    program = next(content for language, content in shown if language == "python")
    *_, manifest = (content for language, content in shown if language == "toml")
    files = {"bot.py": program.encode(), "drapeau.toml": manifest.encode()}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    command = [sys.executable, str(tmp_path / "bot.py")]
    for slug in read_manifest(files).variants:
        variant = find(slug)
        with ExitStack() as ending:
            seated = {seat: ending.enter_context(LocalProgram(command)) for seat in variant.seats}
            result = record_of(variant, 1, caps(variant), table=LocalTable(seated)).result

        assert result.termination not in FAULTS, result


def test_messages_of_protocol_page_fit_game_schema():
    classic = find("classic")
    schema = classic.schema()
    shown = [
        json.loads(content) for language, content in fences(text("docs/reference/protocol.md"))
    ]
    kinds = [message.get("type", "answer") for message in shown]
    table = random_table(classic, 1)
    record_of(classic, table=table)
    view = next(m["view"] for m in table.messages("red") if m.get("phase") == "turn")

    assert kinds == ["start", "ready", "act", "answer", "end"]
    for kind, message in zip(kinds, shown, strict=True):
        whole = {**message, "view": view} if "view" in message else message  # the page shows none
        fits = Draft202012Validator({**schema, "oneOf": [{"$ref": f"#/$defs/{kind}"}]})
        assert list(fits.iter_errors(whole)) == []
