"""Honest sources: what is ordered, what they become, and what their author is told."""

import dataclasses
from types import SimpleNamespace

import pytest

from engine.protocol import PlatformFault
from sandbox import limits
from sandbox.compiling import bot_order, build
from sandbox.levels.isolation import Isolation
from sandbox.refusal import IsolationRefused
from tests.sandbox import zips
from tests.sandbox.builds import compiled, refusal, row, several, single

HELLO = {
    "c": b"#include <math.h>\nint main(int n, char **a) { return !a + (int)sqrt(n); }",
    "cpp": b'#include <iostream>\nint main() { std::cout << "hello"; }',
    "java": b"public class Bot { public static void main(String[] a) { } }",
}


def test_compiled_bot_finds_other_files_of_folder():
    """A folder of the name of the program makes room for it."""
    package = single("c", HELLO["c"])
    files = {**package.files, "book/lines.txt": b"a4a5", "bot/b.txt": b"b", "MORE.C": b"int a;"}

    order = bot_order(dataclasses.replace(package, files=files, artefact=b"\x7fELF..."))

    assert order.files == {"book/lines.txt": b"a4a5", "bot": b"\x7fELF..."}


def test_what_has_not_been_compiled_cannot_be_played():
    with pytest.raises(PlatformFault, match="a bot in C was to play and has not been compiled"):
        bot_order(single("c", HELLO["c"]))


def test_nothing_is_compiled_outside_a_container(tmp_path):
    without = Isolation("process", safe=False, reason="process: no containers here")

    with pytest.raises(
        IsolationRefused, match="nothing is compiled outside a container: process: no"
    ):
        build(single("c", HELLO["c"]), isolation=without, work_dir=tmp_path)


def test_missing_image_is_not_fault_of_bot(tmp_path):
    without = Isolation("docker", safe=True, reason="docker", launcher=SimpleNamespace(images=dict))

    with pytest.raises(PlatformFault, match="there is no image to compile Java in"):
        build(single("java", HELLO["java"]), isolation=without, work_dir=tmp_path)


@pytest.mark.docker
@pytest.mark.parametrize("language", HELLO)
def test_honest_sources_become_one_file(tmp_path, language):
    built = compiled(single(language, HELLO[language]), tmp_path)

    assert built.artefact.startswith(row(language).magic)
    assert built.log == ""
    assert built.image.startswith("sha256:")
    assert 0 < built.took_ms < limits.BUILD_WALL_S * 1000


@pytest.mark.docker
def test_all_bot_sources_are_compiled_whatever_names(tmp_path):
    files = {
        "bot.c": b'#include "deep/er.h"\nint main(void) { return deeper(); }',
        "deep/er.h": b"int deeper(void);",
        "deep/$(id) -fno-such-option 'er.c": b"int deeper(void) { return 7; }",
    }

    assert compiled(several("c", files), tmp_path).log == ""


@pytest.mark.docker
def test_class_may_lie_in_its_package(tmp_path):
    files = {
        "Bot.java": b"package far.off; public class Bot { public static void main(String[] a) {"
        b" new Other().say(); } }",
        "Other.java": b"package far.off; class Other { void say() { } }",
    }

    built = compiled(several("java", files), tmp_path)

    manifest = zips.member(built.artefact, "META-INF/MANIFEST.MF")
    assert b"Main-Class: far.off.Bot\r\n" in manifest


@pytest.mark.docker
@pytest.mark.parametrize(
    ("language", "source", "complaint"),
    [
        ("c", b"int main(void) { return nothing; }", "bot.c:1:25: error: "),
        ("cpp", b"int main() { return nothing; }", "bot.cpp:1:21: error: "),
        ("java", b"class Bot { int x = nothing; }", "Bot.java:1: error: cannot find symbol"),
        ("java", b"class Other { }", "Bot.java holds no class Bot"),
        ("c", b"int twice(int n) { return 2 * n; }", "undefined reference to `main'"),
    ],
)
def test_compiler_complaint_is_in_log_not_message(tmp_path, language, source, complaint):
    refused = refusal(single(language, source), tmp_path)

    assert refused.code == "build_failed"
    assert refused.message == "the compiler refused it"
    assert complaint in refused.log
