"""Sources that attack their compiler, and what would happen if something ran amok in its place."""

import dataclasses

import pytest

from botkit import languages
from sandbox import limits
from tests.sandbox import zips
from tests.sandbox.builds import compiled, refusal, several, single

pytestmark = [pytest.mark.docker]

HUNGRY = {
    "a device of zeros": ("c", b'#include "/dev/zero"\n', "memory"),
    "a long sum": ("java", b"class Bot { int x = " + b"x + " * 1_000_000 + b"x; }", "refused"),
}
FLOOD = b"""
#warning one
#if __INCLUDE_LEVEL__ < 100
#include "bot.c"
#include "bot.c"
#endif
"""
PROCESSOR = b"""
import java.util.Set;
import javax.annotation.processing.*;
import javax.lang.model.element.TypeElement;
@SupportedAnnotationTypes("*")
public class Bot extends AbstractProcessor {
    @Override public boolean process(Set<? extends TypeElement> all, RoundEnvironment round) {
        System.err.println("a processor of the upload ran");
        return false;
    }
}
"""
PROCESSORS = "META-INF/services/javax.annotation.processing.Processor"


@pytest.fixture
def compiler(monkeypatch):
    """Put a script of ours in the place of a compiler."""

    def put(name, change):
        rows = {each.name: each for each in languages.LANGUAGES}
        rows[name] = dataclasses.replace(rows[name], build=change(rows[name].build))
        monkeypatch.setattr(languages, "LANGUAGES", tuple(rows.values()))
        return single(name, b"nothing")

    return put


@pytest.mark.parametrize(("language", "source", "words"), HUNGRY.values(), ids=HUNGRY)
def test_sources_that_eat_memory_or_time_are_refused(
    monkeypatch, tmp_path, language, source, words
):
    monkeypatch.setattr(limits, "BUILD_WALL_S", 5)

    refused = refusal(single(language, source), tmp_path)

    assert any(word in refused.message for word in (*words.split("|"), "seconds"))
    assert len(refused.log) < 3 * limits.STDERR_KEEP_BYTES


def test_a_compiler_that_never_stops_complaining_is_stopped(tmp_path):
    refused = refusal(single("c", FLOOD), tmp_path)

    assert refused.message == "the compiler had more than 800 KiB to say"
    assert len(refused.log) < 3 * limits.STDERR_KEEP_BYTES


def test_a_program_that_is_too_large_is_refused(tmp_path):
    source = b"char room[9 << 20] = {1};\nint main(void) { return room[1]; }"

    refused = refusal(single("c", source), tmp_path)

    assert refused.code == "build_too_large"
    assert refused.message == "the program built is larger than 8 MiB"


def test_source_never_includes_file_of_host(tmp_path):
    secret = tmp_path / "secret.h"
    secret.write_text("canary of the host")
    secret.chmod(0o644)
    paths = [f"{secret}", f"/proc/1/root{secret}", f"/proc/self/root{secret}", f"/bot/..{secret}"]

    logs = [refusal(single("c", f'#include "{path}"\n'.encode()), tmp_path).log for path in paths]

    assert ["No such file" in log or "Permission denied" in log for log in logs] == [True] * 4
    assert [log for log in logs if "canary" in log] == []


def test_compiler_gets_nothing_of_our_environment(monkeypatch, compiler, tmp_path):
    monkeypatch.setenv("DRAPEAU_SECRET", "canary of the runner")

    refused = refusal(compiler("c", lambda _: "env >&2; exit 1"), tmp_path)

    assert "PATH=" in refused.log
    assert "canary" not in refused.log


def with_processor(tmp_path):
    """Make a bot that brings an annotation processor, compiled and announced."""
    jar = compiled(single("java", PROCESSOR), tmp_path)
    return several(
        "java",
        {
            "Bot.java": b"@Deprecated class Bot { public static void main(String[] a) { } }",
            "Bot.class": zips.member(jar.artefact, "Bot.class"),
            PROCESSORS: b"Bot\n",
        },
    )


def test_annotation_processor_of_upload_does_not_run(tmp_path):
    built = compiled(with_processor(tmp_path), tmp_path)

    assert built.log == ""


AMOK = {
    "fork bomb": ("f() { f | f & }; f & exec sleep 60", "build_timeout"),
    "leaves a child": ("sleep 60 & echo done", "build_no_output"),
    "endless output": ("cat /dev/zero", "build_too_large"),
    "endless talk": ("cat /dev/zero >&2", "build_failed"),
    "fills its disk": ("cat /dev/zero > /tmp/out", "build_failed"),
    "writes where it may not": ("echo > /bot/bot.c", "build_failed"),
    "kills everything": ("kill -9 -1; kill -9 1; echo", "build_no_output"),
    "a shell script": ("echo '#!/bin/sh'", "build_no_output"),
}


@pytest.mark.parametrize(("script", "code"), AMOK.values(), ids=AMOK)
def test_program_in_place_of_compiler_ends_with_container(
    monkeypatch, compiler, tmp_path, script, code
):
    # Short where the end of the time is waited for; else long enough for a busy machine.
    monkeypatch.setattr(limits, "BUILD_WALL_S", 3 if code == "build_timeout" else 30)
    package = compiler("c", lambda _: script)

    refused = refusal(package, tmp_path)

    assert refused.code == code


def test_whoever_waits_may_call_it_off(compiler, tmp_path):
    package = compiler("c", lambda _: "sleep 60")

    def call_off():
        raise LookupError

    with pytest.raises(LookupError):
        compiled(package, tmp_path, on_wait=call_off)
