"""What the pages for authors say of memory, of the log and of libraries, in real containers."""

import dataclasses

import pytest

from botkit.learning.selfplay import SelfPlay, write_bot
from botkit.package import read_folder
from botkit.reference import ReferenceBot
from engine.protocol import Answer, Ask, Failure, Fault
from engine.registry import find
from sandbox.compiling import build
from sandbox.levels.admission import Admission
from sandbox.levels.isolation import choose
from sandbox.limits import MEMORY_BYTES
from sandbox.table import Seating, open_table
from tests.sandbox.builds import row, single
from tests.sandbox.tables import open_for
from tests.unit.engine.refereed import record_of

pytestmark = pytest.mark.docker

JAVA = """
import java.util.*;
public class Bot {
    public static void main(String[] arguments) throws Exception {
        var requests = new Scanner(System.in);
        requests.nextLine();
        System.out.println("ready");
        requests.nextLine();
        var kept = new ArrayList<Object>();
        try { while (arguments != null) { %s } } catch (OutOfMemoryError error) { %s }
        System.out.println("done");
    }
}
"""
NODE = """
process.stdin.once("data", () => {
    process.stdin.once("data", () => {
        const kept = [];
        setInterval(() => { %s }, 1);
    });
    console.log("ready");
});
"""
C = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char line[4096];
    fgets(line, sizeof line, stdin);
    puts("ready");
    fflush(stdout);
    fgets(line, sizeof line, stdin);
    for (char *more = malloc(1 << 20); more; more = malloc(1 << 20)) memset(more, 1, 1 << 20);
    return 0;
}
"""
SLEEPER = "new Thread(() -> { try { Thread.sleep(60000); } catch (InterruptedException e) { } })"
HUNGRY = {
    "the heap of Java": ("java", JAVA % ("kept.add(new byte[1 << 20]);", "throw error;")),
    "the heap of Node.js": ("node", NODE % "for (let i = 0; i < 1e5; i++) kept.push({ i });"),
    # In large steps: who creeps up to the limit has the kernel take its program's own pages away
    # and read them again, for seconds of CPU time.
    "buffers of Node.js": ("node", NODE % "kept.push(Buffer.alloc(1e8, 1));"),
    "C": ("c", C),
}
ENDS = {
    "the heap of Java": (Fault.CRASH, b"java.lang.OutOfMemoryError: Java heap space"),
    "the heap of Node.js": (Fault.CRASH, b"JavaScript heap out of memory"),
    "buffers of Node.js": (Fault.MEMORY_LIMIT, b""),
    "C": (Fault.MEMORY_LIMIT, b""),
}


def asked_twice(language, source, folder):
    """Start a bot and give its second answer, with its log."""
    docker = choose("docker")
    package = single(language, source.encode())
    if row(language).compiled:
        built = build(package, isolation=docker, work_dir=folder)
        package = dataclasses.replace(package, artefact=built.artefact)
    with open_for(package, docker, folder, admission=Admission()) as table:
        first = table.ask({"red": Ask(b"start\n", 10_000, starting=True)})["red"]
        assert isinstance(first, Answer), first
        assert first.line == b"ready"
        return table.ask({"red": Ask(b"act\n", 20_000)})["red"], table.stderr("red")


@pytest.mark.parametrize("what", HUNGRY)
def test_too_much_memory_ends_bot_as_page_says(tmp_path, what):
    end, log = asked_twice(*HUNGRY[what], tmp_path)

    fault, words = ENDS[what]
    assert isinstance(end, Failure), end
    assert end.fault is fault, end.detail
    assert words in log


def test_java_machine_output_is_no_bot_answer(tmp_path):
    source = JAVA % (f"var one = {SLEEPER}; one.setDaemon(true); one.start(); kept.add(one);", "")

    answer, log = asked_twice("java", source, tmp_path)

    assert isinstance(answer, Answer), answer
    assert answer.line == b"done"
    assert b"pthread_create failed" in log


def test_what_was_learned_with_numpy_plays(tmp_path):
    variant, docker = find("skirmish"), choose("docker")
    write_bot(SelfPlay(variant.slug, 1).learner.policy, variant.slug, tmp_path / "mine")
    seats: dict[str, Seating] = {
        "red": read_folder(tmp_path / "mine"),
        "blue": ReferenceBot(variant, 1),
    }

    with open_table(
        isolation=docker, seats=seats, work_dir=tmp_path, admission=Admission()
    ) as table:
        record = record_of(variant, table=table)
        kept = table.evidence("red")

    assert record.result.fault is None, table.stderr("red")
    assert kept is not None
    assert 0 < (kept.peak_memory_bytes or 0) < MEMORY_BYTES / 2
