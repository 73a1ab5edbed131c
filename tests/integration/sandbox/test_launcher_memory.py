"""Bots that make the kernel choose the container's first process when memory runs out."""

import os
import socket
import time
from dataclasses import replace

import pytest

from engine.protocol import Ask, Failure, Fault, PlatformFault
from sandbox import limits
from sandbox.launcher.client import Client
from sandbox.launcher.embedded import Embedded
from sandbox.launcher.order import Launched
from sandbox.levels.container import ContainerProgram
from sandbox.levels.isolation import choose
from sandbox.table import Admission, open_table
from sandbox.uploads.unpacking import unpack
from sandbox.wire.program import Exit
from tests.sandbox.builds import compiled, single
from tests.sandbox.launchers import WHO, service

docker = pytest.mark.docker

# Its processes hold next to nothing themselves and are as hard to choose as process 1: all is in
# the buffers of their sockets. It answers twice, and the third line is its last.
FILLER = b"""
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

extern char __executable_start, etext;
static char full[65536];

int main(void) {
    char line[4096];
    for (int asked = 0; asked < 3 && read(0, line, sizeof line) > 0; asked++)
        write(1, "x\\n", 2);
    int score = open("/proc/self/oom_score_adj", O_WRONLY), pair[2];
    write(score, "0", 1);
    close(score);
    for (int child = 0; child < 12 && fork() != 0; child++)
        ;
    madvise(&__executable_start, &etext - &__executable_start, MADV_DONTNEED);
    while (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) == 0)
        for (int end = 0; end < 2; end++)
            while (write(pair[end], full, sizeof full) > 0)
                ;
    for (;;)
        pause();
}
"""
OUT_OF_MEMORY = Exit(None, signal=9, out_of_memory=True)


@pytest.fixture(scope="module")
def filler(tmp_path_factory):
    package = single("c", FILLER)
    return replace(package, artefact=compiled(package, tmp_path_factory.mktemp("build")).artefact)


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    with service(tmp_path_factory.mktemp("service"), DRAPEAU_WARM_CONTAINERS="0") as running:
        yield running


@docker
@pytest.mark.parametrize("gap_s", [0, 1.5])
@pytest.mark.parametrize("served", [False, True], ids=["embedded", "service"])
def test_bot_that_takes_process_1_along_is_blamed(gap_s, served, filler, running, tmp_path):
    launcher = running.client if served else Embedded(tmp_path)
    with open_table(
        isolation=replace(choose("docker"), launcher=launcher),
        seats={"red": filler, "blue": unpack(WHO, "bot.py")},
        work_dir=tmp_path,
        admission=Admission(),
    ) as table:
        line = Ask(b"x\n", 5000)
        for _ in range(3):
            table.ask({"red": line})
        time.sleep(gap_s)  # the runner looks elsewhere meanwhile
        table.ask({"blue": line})
        failure = table.ask({"red": line})["red"]
    launcher.close()
    assert isinstance(failure, Failure)
    assert failure.fault is Fault.MEMORY_LIMIT


def hung_up(*, ran_out):
    """Return a container whose first process has ended without a word, and without counters."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    theirs.close()
    stdin, stdout, stderr = (os.open("/dev/null", os.O_RDWR) for _ in range(3))
    launched = Launched(stdin, stdout, stderr, ours, (), lambda: ran_out, lambda: None)
    return ContainerProgram(launched)


def test_memory_exhausted_before_report_ends_the_bot():
    program = hung_up(ran_out=True)
    program.await_start(own_program=True)
    assert program.exit(0) == OUT_OF_MEMORY
    program.close()


def test_unexplained_end_before_report_is_platform_fault():
    program = hung_up(ran_out=False)
    with pytest.raises(PlatformFault, match="ended from outside"):
        program.await_start(own_program=True)
    program.close()


def test_hanging_engine_or_launcher_is_not_awaited_forever(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "END_ASK_S", 0.1)
    for kind in (socket.SOCK_STREAM, socket.SOCK_SEQPACKET):
        with socket.socket(socket.AF_UNIX, kind) as silent:
            silent.bind(str(tmp_path / kind.name))
            silent.listen()
            address = f"unix://{tmp_path}/{kind.name}"
            monkeypatch.setenv("DOCKER_HOST", address)
            if kind is socket.SOCK_STREAM:
                assert not Embedded(tmp_path).ran_out_of_memory("0" * 64)
            else:
                assert not Client(address)._ran_out_of_memory("0" * 64)
