"""What the launcher service is sent by those who are no client of ours."""

import fcntl
import json
import os
import socket
import subprocess
import sys
from dataclasses import replace

import pytest

from engine.protocol import PlatformFault
from sandbox import limits
from sandbox.launcher import wire
from sandbox.levels import container
from tests.sandbox.launchers import (
    ORDER,
    WAIT_S,
    answers,
    ask,
    containers,
    folders,
)
from tests.waiting import until

pytestmark = [pytest.mark.docker]


def connect(running):
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    connection.settimeout(WAIT_S)
    connection.connect(str(running.socket))
    return connection


def memory(content, seals=wire.SEALS):
    descriptor = os.memfd_create("order", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.write(descriptor, content)
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, seals)
    return descriptor


def order(**changed):
    plain = {
        "ask": "launch",
        "purpose": "bot",
        "language": "python",
        "entry": "bot.py",
        "files": [["bot.py", 1]],
    }
    return plain | changed


def memory_of(container):
    return json.dumps({"ask": "memory", "container": container}).encode()


WORDS = {
    "no JSON": b"{",
    "deep JSON": b"[" * 60_000,
    "no object": b"[1]",
    "nothing there is": json.dumps({"ask": "exec"}).encode(),
    "something more": json.dumps(order(image="debian")).encode(),
    "something less": json.dumps({"ask": "launch"}).encode(),
    "figures and more": json.dumps({"ask": "figures", "of": "all"}).encode(),
    "memory of nothing": json.dumps({"ask": "memory"}).encode(),
    "memory of a name": memory_of("../" + "a" * 61),
    "memory of an id and a line": json.dumps(
        {"ask": "memory", "container": "a" * 64 + "\n"}
    ).encode(),
    "memory and a file": memory_of("a" * 64),
    "another ask": json.dumps(order(ask="images")).encode(),
    "language of a list": json.dumps(order(language=["python"])).encode(),
    "purpose of nothing": json.dumps(order(purpose=None)).encode(),
    "files of text": json.dumps(order(files="bot.py")).encode(),
    "a file of text": json.dumps(order(files=["bot.py"])).encode(),
    "a file twice": json.dumps(order(files=[["bot.py", 0], ["bot.py", 1]])).encode(),
    "a negative size": json.dumps(order(files=[["bot.py", 2], ["a", -1]])).encode(),
    "a true size": json.dumps(order(files=[["bot.py", True]])).encode(),
    "another size": json.dumps(order(files=[["bot.py", 2]])).encode(),
    "a huge size": json.dumps(order(files=[["bot.py", 10**18]])).encode(),
    "a long request": json.dumps(order(entry="x" * limits.LAUNCHER_REQUEST_BYTES)).encode(),
}


@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)
def test_a_hostile_request_is_refused_and_starts_nothing(words, running):
    assert refused(running, words, [memory(b"x")])


@pytest.mark.parametrize(
    "descriptors",
    [
        list,
        lambda: [memory(b"x"), memory(b"x")],
        lambda: [memory(b"x", fcntl.F_SEAL_SHRINK)],
        lambda: [memory(b"x", wire.SEALS & ~fcntl.F_SEAL_WRITE)],
        lambda: [os.open("/dev/zero", os.O_RDONLY)],
        lambda: [os.open(__file__, os.O_RDONLY)],
        lambda: list(os.pipe())[:1],
    ],
    ids=["none", "two", "open to all", "open to writing", "device", "file", "pipe"],
)
def test_contents_only_come_in_one_sealed_memory_file(descriptors, running):
    assert refused(running, json.dumps(order()).encode(), descriptors())


def refused(running, words, descriptors):
    """Return whether the answer is a sentence without a descriptor, then the end of the line."""
    with connect(running) as connection:
        if descriptors:
            socket.send_fds(connection, [words], descriptors)
        else:
            connection.send(words)
        for each in descriptors:
            os.close(each)
        reply = wire.receive_reply(connection)
        assert connection.recv(1) == b""
    until(lambda: len(folders(running)) <= limits.WARM_CONTAINERS)
    assert answers(running.client)
    return reply.word == "fault" and reply.reason and reply.descriptors == ()


def test_figures_count_running_started_and_refused(running):
    program = container.start(running.client, ORDER)
    assert ask(program).endswith(b" x\n")
    before = running.client.figures()
    assert before["running"] == 1

    other = container.start(running.client, ORDER)
    with connect(running) as connection:
        connection.send(b"{")
        assert wire.receive_reply(connection).word == "fault"
    with pytest.raises(PlatformFault):
        container.start(running.client, replace(ORDER, language="cobol"))

    rose = {what: count - before[what] for what, count in running.client.figures().items()}
    assert (rose["running"], rose["started"], rose["refused"], rose["failed"]) == (1, 1, 1, 1)
    for each in (program, other):
        each.close()
    until(lambda: running.client.figures()["running"] == 0)
    until(lambda: running.client.figures()["waiting"] == limits.WARM_CONTAINERS)


def test_a_caller_that_says_nothing_keeps_nobody_waiting(running):
    silent = [connect(running) for _ in range(2 * limits.LAUNCHER_STARTS)]
    program = container.start(running.client, ORDER)
    assert ask(program).endswith(b" x\n")
    program.close()
    for each in silent:
        each.close()


def test_caller_leaving_without_container_leaves_nothing(running):
    container.start(running.client, ORDER).close()
    for _ in range(3):
        until(lambda: len(folders(running)) == limits.WARM_CONTAINERS)
        waiting = set(folders(running))
        with connect(running) as connection:
            wire.send_request(connection, ORDER)
        until(lambda waiting=waiting: waiting - set(folders(running)))
    until(lambda: len(folders(running)) == limits.WARM_CONTAINERS)
    until(lambda: len(containers(running.run_dir)) == limits.WARM_CONTAINERS)


def test_another_user_not_served_where_socket_lets_him(running):
    knock = (
        "import os, socket, sys; os.setgid(23456); os.setuid(23456)\n"
        "s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET); s.connect(sys.argv[1])\n"
        's.send(b\'{"ask": "images"}\'); print(s.recv(100))'
    )
    command = [sys.executable, "-c", knock, running.socket]
    assert running.socket.stat().st_mode & 0o777 == 0o660
    for folder in running.socket.parents[:-2]:
        folder.chmod(folder.stat().st_mode | 0o011)
    shut = subprocess.run(command, capture_output=True, check=False)
    assert b"PermissionError" in shut.stderr

    running.socket.chmod(0o666)
    unserved = subprocess.run(command, capture_output=True, check=False)
    running.socket.chmod(0o660)

    assert b"images" not in unserved.stdout
    assert unserved.stdout == b"b''\n" or b"Error" in unserved.stderr
