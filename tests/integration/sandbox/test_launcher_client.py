"""A game and its launcher, where the one does not get what it expects of the other."""

import json
import os
import socket
import threading
from contextlib import contextmanager

import pytest

from engine.protocol import PlatformFault
from sandbox import limits
from sandbox.launcher import wire
from sandbox.launcher.client import Client
from sandbox.launcher.order import Launched
from sandbox.levels.isolation import Isolation
from sandbox.table import Admission, open_table
from sandbox.uploads.unpacking import unpack
from tests.sandbox.attack import remains
from tests.sandbox.launchers import ORDER

LAUNCHED = {"word": "launched", "images": {}, "reason": "", "container": "a" * 64}
ANSWERS = {
    "nothing": (b"", 0),
    "no JSON": (b"{", 0),
    "words of another version": (json.dumps(LAUNCHED | {"more": 1}).encode(), 8),
    "too few files": (json.dumps(LAUNCHED).encode(), 3),
    "no control socket among them": (json.dumps(LAUNCHED).encode(), 5),
    "a fault with files": (json.dumps(LAUNCHED | {"word": "fault"}).encode(), 2),
    "a fault": (json.dumps(LAUNCHED | {"word": "fault"}).encode(), 0),
}


@contextmanager
def launcher_that_says(answer, files, path):
    """Listen at a path and answer one request with that, and with so many descriptors."""

    def serve():
        connection, _ = listener.accept()
        with connection:
            wire.receive_request(connection)
            if answer:
                socket.send_fds(connection, [answer], [2] * files)

    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(str(path))
        listener.listen()
        other = threading.Thread(target=serve)
        other.start()
        yield Client(f"unix://{path}")
        other.join()


@pytest.mark.parametrize(("answer", "files"), ANSWERS.values(), ids=ANSWERS)
def test_strange_answer_is_platform_fault_leaving_nothing_open(answer, files, tmp_path):
    before = remains.descriptors()
    with (
        launcher_that_says(answer, files, tmp_path / "socket") as client,
        pytest.raises(PlatformFault, match="launcher: "),
    ):
        client.launch(ORDER)
    assert remains.descriptors() == before


class SlowLauncher:
    """Starts nothing, and that only when it may."""

    def __init__(self):
        self.may_start = threading.Event()
        self.started: list[socket.socket] = []
        self.released = 0

    def launch(self, _order):
        self.may_start.wait()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        theirs.send(b"start")
        self.started.append(theirs)
        stdin, stdout, stderr = (os.open("/dev/null", os.O_RDWR) for _ in range(3))
        return Launched(stdin, stdout, stderr, ours, (), lambda: False, self.release)

    def release(self):
        self.released += 1

    def images(self):
        return {}

    def figures(self):
        return None

    def close(self):
        for each in self.started:
            each.close()


@pytest.mark.parametrize("patience", [1, 3])
def test_losing_patience_at_start_ends_started_bots(patience, tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "WAIT_STEP_S", 0.05)
    launcher, waits = SlowLauncher(), 0

    def lose_patience():
        nonlocal waits
        waits += 1
        if waits == patience:
            launcher.may_start.set()
            raise InterruptedError

    bot = unpack(b"#", "bot.py")
    before = remains.descriptors()
    with (
        pytest.raises(InterruptedError),
        open_table(
            isolation=Isolation("docker", safe=True, reason="", launcher=launcher),
            seats={"red": bot, "blue": bot},
            work_dir=tmp_path,
            admission=Admission(),
            on_wait=lose_patience,
        ),
    ):
        pass
    assert len(launcher.started) == launcher.released == 2
    launcher.close()
    assert remains.descriptors() == before
