"""The launcher as a process of its own, behind a socket."""

import fcntl
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from engine.protocol import Answer, Ask, PlatformFault
from sandbox import container, limits
from sandbox.isolation import choose
from sandbox.launcher import wire
from sandbox.launcher.client import Client
from sandbox.launcher.embedded import Embedded
from sandbox.launcher.order import Order
from sandbox.package import unpack
from sandbox.refusal import IsolationUnavailable
from sandbox.table import Admission, open_table
from tests.sandbox.attack import remains
from tests.sandbox.launchers import (
    NOWHERE,
    ORDER,
    ROOT,
    WHO,
    answers,
    ask,
    containers,
    nothing_left,
    service,
    start_service,
    until,
)

pytestmark = pytest.mark.docker

GAME = """
import sys, time
from pathlib import Path
from engine.protocol import Ask
from sandbox.isolation import choose
from sandbox.package import unpack
from sandbox.table import Admission, open_table
spin = unpack(b"input(); print('up', flush=True)\\nwhile True: pass", "bot.py")
isolation = choose("auto")
with open_table(isolation=isolation, seats={"red": spin, "blue": spin},
                work_dir=Path("/nowhere/at/all"), admission=Admission()) as table:
    ask = Ask(b"x\\n", 5000)
    said = table.ask({"red": ask, "blue": ask})
    print(isolation.kind, table.clock_basis, *(said[seat].line.decode() for seat in said),
          "docker" in sys.modules, flush=True)
    time.sleep(float(sys.argv[1]))
"""


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    with service(tmp_path_factory.mktemp("service")) as running:
        yield running


def runner(running, stays_s):
    """Start a process that knows no Docker, and let two bots of it play."""
    return subprocess.Popen(
        [sys.executable, "-c", GAME, str(stays_s)],
        cwd=ROOT,
        env=os.environ
        | {
            "PYTHONPATH": str(ROOT),
            "DOCKER_HOST": NOWHERE,
            "DRAPEAU_LAUNCHER": running.address,
        },
        stdout=subprocess.PIPE,
    )


def folders(running):
    return list(running.run_dir.glob("bot-*"))


def play(isolation, work_dir):
    package = unpack(WHO, "bot.py")
    with open_table(
        isolation=isolation,
        seats={"red": package, "blue": package},
        work_dir=work_dir,
        admission=Admission(),
    ) as table:
        asked = dict.fromkeys(("red", "blue"), Ask(b"x\n", 5000))
        said = table.ask(asked)
        assert all(isinstance(each, Answer) for each in said.values())
        return table.clock_basis, {each.line.split()[1] for each in said.values()}


def test_a_game_is_the_same_with_the_service_and_without(running, monkeypatch, tmp_path):
    direct = choose("docker")
    monkeypatch.setenv("DRAPEAU_LAUNCHER", running.address)
    asked = choose("docker")

    assert asked.languages == direct.languages
    assert play(asked, tmp_path) == play(direct, tmp_path) == ("cpu", {b"x"})
    assert asked.launcher.images() == Embedded(tmp_path).images()


def test_a_runner_needs_neither_docker_nor_a_folder(running):
    with runner(running, 0) as game:
        assert game.stdout.read() == b"docker cpu up up False\n"
    assert game.returncode == 0


def test_two_runners_at_once_share_no_user(running):
    uids = []

    def several():
        for _ in range(3):
            program = container.start(running.client, ORDER)
            uids.append(ask(program).split()[0])
            held.wait()
            program.close()

    held = threading.Barrier(2)
    games = [threading.Thread(target=several) for _ in range(2)]
    for game in games:
        game.start()
    for game in games:
        game.join()
    assert len(uids) == 6
    assert all(one != other for one, other in zip(uids[::2], uids[1::2], strict=True))


def test_games_leave_no_descriptor_on_either_side(running):
    def of_the_service():
        return len(list(Path(f"/proc/{running.process.pid}/fd").iterdir()))

    container.start(running.client, ORDER).close()
    until(lambda: len(folders(running)) == limits.WARM_CONTAINERS)
    time.sleep(1)
    before = len(remains.descriptors()), of_the_service()
    for _ in range(5):
        program = container.start(running.client, ORDER)
        ask(program)
        program.close()
    until(lambda: (len(remains.descriptors()), of_the_service()) == before)


def connect(running):
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    connection.settimeout(10)
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


WORDS = {
    "no JSON": b"{",
    "deep JSON": b"[" * 60_000,
    "no object": b"[1]",
    "nothing there is": json.dumps({"ask": "exec"}).encode(),
    "something more": json.dumps(order(image="debian")).encode(),
    "something less": json.dumps({"ask": "launch"}).encode(),
    "images and more": json.dumps({"ask": "images", "of": "all"}).encode(),
    "another ask": json.dumps(order(ask="images")).encode(),
    "language of a list": json.dumps(order(language=["python"])).encode(),
    "unknown language": json.dumps(order(language="cobol")).encode(),
    "wrong purpose": json.dumps(order(purpose="root")).encode(),
    "purpose of nothing": json.dumps(order(purpose=None)).encode(),
    "build of what is not built": json.dumps(order(purpose="build")).encode(),
    "leaves its folder": json.dumps(order(entry="../bot.py", files=[["../bot.py", 1]])).encode(),
    "absolute": json.dumps(order(entry="/etc/cron.d/x", files=[["/etc/cron.d/x", 1]])).encode(),
    "no such entry": json.dumps(order(entry="other.py")).encode(),
    "no files": json.dumps(order(files=[])).encode(),
    "files of text": json.dumps(order(files="bot.py")).encode(),
    "a file of text": json.dumps(order(files=["bot.py"])).encode(),
    "a file twice": json.dumps(order(files=[["bot.py", 0], ["bot.py", 1]])).encode(),
    "a negative size": json.dumps(order(files=[["bot.py", 2], ["a", -1]])).encode(),
    "a true size": json.dumps(order(files=[["bot.py", True]])).encode(),
    "a broken size": json.dumps(order(files=[["bot.py", 1.0]])).encode(),
    "another size": json.dumps(order(files=[["bot.py", 2]])).encode(),
    "a huge size": json.dumps(order(files=[["bot.py", 10**18]])).encode(),
    "many files": json.dumps(order(files=[[str(n), 0] for n in range(1000)])).encode(),
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
def test_contents_come_in_one_sealed_memory_file_or_not_at_all(descriptors, running):
    assert refused(running, json.dumps(order()).encode(), descriptors())


def refused(running, words, descriptors):
    """Tell whether a message gets a sentence for its answer, no descriptor, and the line's end."""
    before = set(folders(running))
    with connect(running) as connection:
        if descriptors:
            socket.send_fds(connection, [words], descriptors)
        else:
            connection.send(words)
        for each in descriptors:
            os.close(each)
        reply = wire.receive_reply(connection)
        assert connection.recv(1) == b""
    assert set(folders(running)) <= before
    assert answers(running.client)
    return reply.word == "fault" and reply.reason and reply.descriptors == ()


def test_a_well_formed_request_of_the_same_kind_is_served(running):
    with connect(running) as connection:
        contents = memory(b"0")
        socket.send_fds(connection, [json.dumps(order()).encode()], [contents])
        os.close(contents)
        reply = wire.receive_reply(connection)
    for each in reply.descriptors:
        os.close(each)
    assert (reply.word, len(reply.descriptors)) == ("launched", wire.HANDED_OVER_MAX)


def test_a_caller_that_says_nothing_keeps_nobody_waiting(running):
    silent = [connect(running) for _ in range(2 * limits.LAUNCHER_STARTS)]
    program = container.start(running.client, ORDER)
    assert ask(program).endswith(b" x\n")
    program.close()
    for each in silent:
        each.close()


def test_a_caller_that_leaves_without_its_container_leaves_nothing(running):
    container.start(running.client, ORDER).close()
    until(lambda: len(folders(running)) == limits.WARM_CONTAINERS)
    for _ in range(3):
        with connect(running) as connection:
            wire.send_request(connection, ORDER)
    until(lambda: len(folders(running)) == limits.WARM_CONTAINERS)
    until(lambda: len(containers(running.run_dir)) == limits.WARM_CONTAINERS)


def test_another_user_is_not_served_even_where_the_socket_lets_him(running):
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


def test_a_second_service_at_the_same_socket_is_refused(running):
    second = start_service(running.run_dir, running.socket)
    _, said = second.communicate(timeout=30)
    assert second.returncode == 1
    assert b"another one answers" in said
    assert answers(running.client)


def test_a_runner_that_is_killed_takes_its_bots_with_it(running):
    container.start(running.client, ORDER).close()
    until(lambda: len(folders(running)) == limits.WARM_CONTAINERS)
    with runner(running, 60) as game:
        assert game.stdout.readline() == b"docker cpu up up False\n"
        until(lambda: len(folders(running)) == limits.WARM_CONTAINERS + 2)
        game.send_signal(signal.SIGKILL)
    until(lambda: len(containers(running.run_dir)) == limits.WARM_CONTAINERS)
    until(lambda: len(folders(running)) == limits.WARM_CONTAINERS)


def test_a_service_that_is_killed_leaves_the_game_alone_and_the_next_one_clears_up(tmp_path):
    with service(tmp_path, DRAPEAU_WARM_CONTAINERS="1") as killed:
        program = container.start(killed.client, ORDER)
        killed.process.send_signal(signal.SIGKILL)
        killed.process.wait()
        assert ask(program).endswith(b" x\n")
        with pytest.raises(PlatformFault, match="nobody answers"):
            killed.client.launch(ORDER)
        with pytest.raises(IsolationUnavailable, match="nobody answers"):
            killed.client.images()
        until(lambda: len(containers(killed.run_dir)) == 1)

    with service(tmp_path, DRAPEAU_WARM_CONTAINERS="0") as following:
        assert len(folders(following)) == 1
        assert ask(program).endswith(b" x\n")
        other = container.start(following.client, ORDER)
        assert ask(other).split()[0] != ask(program).split()[0]
        other.close()
        program.close()

    with service(tmp_path, DRAPEAU_WARM_CONTAINERS="0") as last:
        until(lambda: nothing_left(last.run_dir))


def test_a_service_that_is_told_to_end_clears_what_waits_and_leaves_the_game_alone(tmp_path):
    with service(tmp_path) as ended:
        program = container.start(ended.client, ORDER)
        until(lambda: len(folders(ended)) == limits.WARM_CONTAINERS + 1)
        ended.process.terminate()
        assert ended.process.wait(30) == 0
        assert not ended.socket.exists()
        assert len(containers(ended.run_dir)) == 1
        assert ask(program).endswith(b" x\n")
        assert program.cpu_ms() > 0
        program.close()
        until(lambda: containers(ended.run_dir) == set())


def test_a_build_is_started_like_a_bot(running):
    source = {"bot.c": b"int main(void) { return 0; }"}
    program = container.start(running.client, Order("c", "bot.c", source, "build"))
    os.set_blocking(program.stdout, True)
    assert os.read(program.stdout, 4) == b"\x7fELF"
    program.close()


def test_an_address_is_a_path():
    for wrong in ("launcher", "unix://launcher", "tcp://127.0.0.1:1", "/run/launcher.sock"):
        with pytest.raises(IsolationUnavailable, match="unix:///path"):
            Client(wrong)


def test_a_launcher_that_was_promised_is_never_replaced(monkeypatch):
    monkeypatch.setenv("DRAPEAU_LAUNCHER", "unix:///nowhere/launcher.sock")
    for setting in ("auto", "docker"):
        with pytest.raises(IsolationUnavailable, match="nobody answers"):
            choose(setting)
