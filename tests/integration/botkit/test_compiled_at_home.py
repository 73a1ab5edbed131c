"""C and C++ at home: the flags of the arena, a cache, and the compiler's messages."""

import shutil
import subprocess
from pathlib import Path

import pytest

from botkit.home import NoBot, find_bot
from botkit.languages import LANGUAGES
from botkit.starters import languages_of
from engine.registry import variants
from tests.tree import ROOT
from tests.unit.botkit.homes import drapeau, played, refusal

GAMES = [slug for slug in variants() if "c" in languages_of(slug)]
pytestmark = [pytest.mark.slow, pytest.mark.services]


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("lang", ["c", "cpp"])
@pytest.mark.kept("c-classic")
def test_a_compiled_starter_plays_a_whole_game(slug, lang, tmp_path, capfd):
    drapeau(capfd, "init", slug, tmp_path / "mine", "--lang", lang)

    said = played(capfd, tmp_path / "mine", tmp_path / "mine", "--seed", 1)

    assert [game["fault"] for game in said["games"]] == [None]


def test_same_sources_compiled_once_others_again(tmp_path, capfd, monkeypatch):
    folder = tmp_path / "mine"
    drapeau(capfd, "init", "general", folder, "--lang", "c")
    first = Path(find_bot(str(folder)).command[0])

    with monkeypatch.context() as without:
        without.setattr(subprocess, "run", None)  # a compiler would fail
        assert Path(find_bot(str(folder)).command[0]) == first
    assert first.read_bytes().startswith(b"\x7fELF")

    (folder / "bot.c").write_text((folder / "bot.c").read_text() + "\n")
    assert Path(find_bot(str(folder)).command[0]) != first


def test_refused_sources_show_what_compiler_said(tmp_path, capfd):
    folder = tmp_path / "mine"
    drapeau(capfd, "init", "general", folder, "--lang", "c")
    (folder / "bot.c").write_text("int main(void) { return nothing; }\n")

    said = refusal(capfd, "play", folder, folder, status=2)

    assert said.startswith(f"{folder}: the compiler refused it\n")
    assert f"{folder}/bot.c:1:" in said
    assert "nothing" in said
    assert not list((tmp_path / "cache").rglob("bot*"))
    single = folder / "x.c"
    (folder / "bot.c").rename(single)
    said = refusal(capfd, "play", single, single, status=2)
    assert said.startswith(f"{single}: the compiler refused it\n")
    assert f"{single}:1:" in said


READ = {
    r'{"a":[1,-2.5e2,true,false,null],"b":{"c":"d"},"e":[],"f":{}}': "ok",
    r'{"text":"a\"\\\/\b\f\n\r\t\u00e9\u20ac\ud83d\ude00"}': 'a"\\/\b\f\n\r\té€😀',
    '{ "text" :\t"x" }': "x",
}
BROKEN = ['{"a":1', '{"a" 1}', '["x]', '{"a":1}}', "[1,]", "nul", '"\\x"', '"\\u12"', ""]
C_READER = r"""
#define _GNU_SOURCE
#include <stdio.h>
#include "json.h"
int main(void) {
    char *line = NULL; size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        line[strcspn(line, "\n")] = 0;
        Json *value = json_read(line);
        const char *text = json_text(value, "text");
        printf("%s%c", value == NULL ? "broken" : *text ? text : "ok", 0);
        json_free(value);
    }
    free(line);
    return 0;
}
"""
CPP_READER = r"""
#include <iostream>
#include "json.hpp"
int main() {
    for (std::string line; std::getline(std::cin, line);) {
        try {
            const Json value = Json::read(line);
            const Json *text = value.find("text");
            std::cout << (text ? text->text : "ok") << '\0';
        } catch (const std::exception &) {
            std::cout << "broken" << '\0';
        }
    }
}
"""


@pytest.mark.parametrize(("lang", "source"), [("c", C_READER), ("cpp", CPP_READER)])
def test_json_readers_read_nothing_but_json(lang, source, tmp_path):
    folder = tmp_path / "reader"
    folder.mkdir()
    for file in (ROOT / "bots/starters" / lang).glob("json.*"):
        shutil.copy(file, folder)
    (entry,) = [each.entry for each in LANGUAGES if each.name == lang]
    (folder / entry).write_text(source)
    (folder / "drapeau.toml").write_text(f'[bot]\nname = "reader"\nlanguage = "{lang}"\n')

    done = subprocess.run(
        find_bot(str(folder)).command,
        input="\n".join([*READ, *BROKEN, ""]).encode(),
        capture_output=True,
        check=True,
        timeout=60,
    )

    assert done.stdout.decode().split("\0")[:-1] == [*READ.values(), *["broken"] * len(BROKEN)]


def test_language_not_installed_is_said_so(tmp_path, capfd, monkeypatch):
    drapeau(capfd, "init", "general", tmp_path / "mine", "--lang", "node")
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(NoBot, match=r"Node\.js is not installed here: there is no program .node."):
        find_bot(str(tmp_path / "mine"))
