"""The thread that clears and refills, without an engine."""

import os
import socket
import threading
from collections import deque
from contextlib import ExitStack, contextmanager, nullcontext

import pytest

from engine.protocol import PlatformFault
from sandbox import limits
from sandbox.host.seating import make_place
from sandbox.host.uid_slots import abandoned_slots, notes, take_slot
from sandbox.launcher import containers, docker_engine
from sandbox.launcher.containers import Container
from sandbox.launcher.keeper import WarmPool
from tests.sandbox.attack import remains
from tests.waiting import until


@pytest.fixture(autouse=True)
def _no_engine(monkeypatch):
    monkeypatch.setattr(docker_engine, "connected", nullcontext)
    monkeypatch.setattr(limits, "KEEPER_PAUSE_S", 0.01)


@pytest.fixture
def made(tmp_path):
    """Make containers that are nothing but a folder and a line."""
    with ExitStack() as lines:

        def make(name, image="image"):
            ours, theirs = socket.socketpair()
            lines.enter_context(theirs)
            lines.enter_context(ours)
            return Container(name, image, make_place(tmp_path, take_slot(tmp_path)), ours, ())

        yield make


def nothing(*_):
    raise AssertionError("nothing was to be started")


def keeper_of(start=nothing, warm=0):
    return WarmPool(warm=warm, start=start, reap=lambda _: 0)


@contextmanager
def closing(keeper):
    yield keeper
    keeper.close()


@pytest.mark.parametrize("trouble", [PlatformFault("it stays"), ValueError("nobody knows why")])
def test_uncleared_container_does_not_keep_others(made, tmp_path, monkeypatch, trouble):
    cleared, stays = [], [True]

    def clear(_engine, container):
        if container.id == "stays" and stays:
            raise trouble
        cleared.append(container.id)
        container.place.clear()

    monkeypatch.setattr(containers, "clear", clear)
    with closing(keeper_of()) as keeper:
        for name in ("stays", "a", "b"):
            keeper.give_back(made(name))
        until(lambda: sorted(cleared) == ["a", "b"])
        stays.clear()
        until(lambda: sorted(cleared) == ["a", "b", "stays"])
    assert notes(tmp_path) == {}


def test_an_accident_does_not_end_the_keeper(made, caplog):
    accidents = [ZeroDivisionError("nobody thought of it")]

    def start(*_):
        if accidents:
            raise accidents.pop()
        return made("late")

    keeper = keeper_of(start, warm=1)
    keeper.want("python")
    until(lambda: keeper.take("python", "image"))
    assert "nobody thought of it" in caplog.text
    keeper._warm = 0
    keeper.close()


def test_container_returned_while_closing_is_cleared_once(made, monkeypatch):
    cleared, begun, both = [], threading.Event(), threading.Event()

    def clear(_engine, container):
        cleared.append(container.id)
        begun.set()
        both.wait(0.2)
        container.place.clear()

    monkeypatch.setattr(containers, "clear", clear)
    keeper = keeper_of()
    keeper.give_back(made("first"))
    assert begun.wait(5)
    end = threading.Thread(target=keeper.close)
    end.start()
    until(keeper._closing.is_set)
    keeper.give_back(made("second"))
    end.join()
    assert sorted(cleared) == ["first", "second"]


def test_uncleared_container_at_end_is_left_for_reaping(made, tmp_path, monkeypatch):
    def clear(_engine, container):
        if container.id == "stays":
            raise PlatformFault("it stays")
        container.place.clear()

    monkeypatch.setattr(containers, "clear", clear)
    keeper = keeper_of()
    keeper._closing.set()
    stays = made("stays")
    keeper.give_back(stays)
    keeper.give_back(made("goes"))
    keeper.close()
    assert [slot.read_note() for slot in abandoned_slots(tmp_path)] == [str(stays.place.root)]


def test_no_bot_gets_a_container_of_another_image(made, tmp_path, monkeypatch):
    monkeypatch.setattr(containers, "clear", lambda _, container: container.place.clear())
    keeper = keeper_of()
    keeper._waiting["python"] = deque(
        [made("old", "before"), made("new", "now"), made("newer", "now")]
    )
    found = keeper.take("python", "now")
    assert found is not None
    assert found.id == "new"
    assert [each.id for each in keeper._given_back] == ["old"]
    keeper.close()
    found.place.clear()
    assert notes(tmp_path) == {}


def test_oddly_labelled_container_is_not_removed(tmp_path, monkeypatch):
    removed: list[str] = []
    strange = [
        {"Id": "bare", "Labels": {}},
        {"Id": "odd", "Labels": {"arena.slot": "mine", "arena.expires": "never"}},
        {"Id": "stray", "Labels": {"arena.slot": "7", "arena.expires": "99999999999"}},
        {"Id": "expired", "Labels": {"arena.slot": "8", "arena.expires": "1"}},
    ]
    monkeypatch.setattr(docker_engine, "_listed", lambda *_: strange)
    monkeypatch.setattr(docker_engine, "_remove", lambda _, each: removed.append(each))
    engine = object.__new__(docker_engine.Engine)
    docker_engine.remove_expired(engine)
    docker_engine.remove_strays(engine, tmp_path, lambda: {8})
    assert removed == ["expired", "stray"]


def test_failed_pipe_creation_leaves_none_open(monkeypatch):
    made: list[tuple[int, int]] = []
    make = os.pipe2

    def pipe2(flags):
        if len(made) == 2:
            raise OSError(24, "Too many open files")
        made.append(make(flags))
        return made[-1]

    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs:
        before = remains.descriptors()
        monkeypatch.setattr(os, "pipe2", pipe2)
        with pytest.raises(OSError, match="Too many"):
            containers._send_order(ours, ["/bin/true"])
        assert remains.descriptors() == before
