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
READER = r"""
#include <iostream>
#include "protocol.hpp"
int main() {
    for (std::string line; std::getline(std::cin, line);) {
        const auto message = protocol::read(Json::read(line));
        std::size_t others = 0;
        if (const auto *act = std::get_if<protocol::Act>(&message)) {
            for (const protocol::Event &event : act->events)
                others += std::holds_alternative<protocol::Other>(event);
            std::cout << "act " << act->ply << ' ' << act->phase << ' ' << act->events.size() << ' '
                      << (act->legal ? act->legal->size() : 0) << ' ' << act->view->to_act.at(0);
        } else if (const auto *end = std::get_if<protocol::End>(&message)) {
            for (const protocol::Event &event : end->events)
                others += std::holds_alternative<protocol::Other>(event);
            std::cout << "end " << end->termination << ' ' << end->outcome->size();
        } else if (const auto *start = std::get_if<protocol::Start>(&message)) {
            std::cout << "start " << start->rng_seed << ' ' << start->clock.bank_ms;
        } else {
            std::cout << "other";
        }
        std::cout << ' ' << others << '\n';
    }
}
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


def told(line):
    """Return what the reader in C++ prints of a line."""
    if line["type"] == "start":
        return f"start {line['rng_seed']} {line['clock']['bank_ms']} 0"
    if line["type"] == "end":
        return f"end {line['termination']} {len(line['outcome'])} 0"
    legal, view = len(line.get("legal", [])), line["view"]
    return f"act {line['ply']} {line['phase']} {len(line['events'])} {legal} {view['to_act'][0]} 0"


@EVERY_GAME
@pytest.mark.kept("classic")
def test_cpp_reader_reads_lines_of_game(slug, made):
    folder = made(slug, "cpp")
    (folder / "bot.cpp").write_text(READER)
    strict = ["-std=gnu++20", "-O0", "-Wall", "-Wextra", "-Werror"]
    compiled = ["g++", *strict, "-o", folder / "bot", folder / "bot.cpp"]
    subprocess.run(compiled, check=True, timeout=300)
    lines = [*few_lines(slug), {"type": "later", "odd": [1]}]

    done = subprocess.run(
        [folder / "bot"],
        input="".join(f"{json.dumps({**line, 'unknown': None})}\n" for line in lines),
        capture_output=True,
        check=True,
        timeout=60,
        text=True,
    )

    assert done.stdout.splitlines() == [*map(told, lines[:-1]), "other 0"]
