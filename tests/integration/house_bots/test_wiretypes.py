"""The compilers of the languages take the types of every game, and what is sent in games fits them.

Whole games against the types in C++ and Java are those of the starters, see
`test_language_starters`.
"""

import json
import subprocess

import pytest

from botkit.cli import main
from botkit.starters import languages_of
from engine.registry import variants
from tests.unit.engine.test_schema import lines_of

pytestmark = pytest.mark.services

EVERY_GAME = pytest.mark.parametrize(
    "slug", [slug for slug in variants() if "c" in languages_of(slug)]
)
OPTIONS = (
    *("--noEmit", "--strict", "--allowJs", "--checkJs"),
    *("--target", "es2022", "--lib", "es2022"),
)
NODE = """
declare module "node:readline" {
  export function createInterface(options: { input: unknown }): {
    on(event: "line", listener: (line: string) => void): void;
  };
}
declare const process: { stdin: unknown; stdout: { write(text: string): void } };
"""


def complaints(folder):
    """Return what the compiler of TypeScript says of a folder."""
    (folder / "node.d.ts").write_text(NODE)
    files = sorted(str(each) for each in folder.iterdir() if each.suffix in (".ts", ".js"))
    done = subprocess.run(
        ["tsc", *OPTIONS, *files], capture_output=True, check=False, timeout=300, text=True
    )
    return done.stdout + done.stderr


@pytest.fixture
def made(tmp_path):
    """Return a function that makes the starter of a game in a language."""

    def make(slug, language):
        folder = tmp_path / language
        assert main(["init", slug, str(folder), "--lang", language]) == 0
        return folder

    return make


def few_lines(slug):
    """Return lines of a game, evenly spread, and all that are no requests to act."""
    lines = lines_of(variants()[slug], {})
    return [
        line
        for number, line in enumerate(lines)
        if line["type"] != "act" or number % (len(lines) // 40 + 1) == 0
    ]


@EVERY_GAME
@pytest.mark.kept("cards", "siege")
def test_starter_and_game_lines_fit_types(slug, made):
    folder = made(slug, "node")
    lines = f"export const lines: Message[] = {json.dumps(few_lines(slug))};\n"
    (folder / "lines.ts").write_text(f'import type {{ Message }} from "./protocol";\n{lines}')

    assert complaints(folder) == ""
