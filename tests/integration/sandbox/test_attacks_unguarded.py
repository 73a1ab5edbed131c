"""The suite can fail: take one guard away, and the bot that it held is found out."""

import os
import subprocess
from typing import cast

import pytest

from sandbox import limits
from sandbox.launcher import container_options
from sandbox.levels.isolation import choose
from sandbox.wire import channel
from tests.sandbox.attack import cases, match, remains, verdict

NO_ROOM: dict[str, object] = {"Tmpfs": {"/tmp": "rw,exec,size=64m,nr_inodes=4096,mode=1777"}}
GUARDS: dict[str, dict[str, object]] = {
    "fork_then_zombies": {"PidsLimit": 2 * limits.TASKS},
    "mem_by_children": {"Memory": 1 << 30, "MemorySwap": 1 << 30},
    "tmpfs_fill": NO_ROOM,
    "tmpfs_many_files": NO_ROOM,
    "inodes_deep": NO_ROOM,
    "memfd_exec": NO_ROOM,
    "fd_hog": {"Ulimits": []},
    "pending_signals": {"Ulimits": []},
    "fsize_fill_sigxfsz": {"Ulimits": []},
    "write_everywhere": {"ReadonlyRootfs": False},
    "dev_shm": {"IpcMode": "private"},
    "network": {"NetworkMode": "host", "NetworkDisabled": False},
    "become_another": {"User": "0:0"},
}


@pytest.fixture(scope="module")
def docker():
    return choose("docker")


@pytest.mark.docker
@pytest.mark.parametrize("name", GUARDS)
def test_bot_whose_guard_is_gone_is_found_out(name, docker, tmp_path, monkeypatch):
    guarded = container_options.container

    def opened(*given, **more):
        body = guarded(*given, **more)
        outer = {option: value for option, value in GUARDS[name].items() if option in body}
        inner = {option: GUARDS[name][option] for option in GUARDS[name].keys() - outer.keys()}
        host = cast("dict[str, object]", body["HostConfig"])
        return body | outer | {"HostConfig": host | inner}

    monkeypatch.setattr(container_options, "container", opened)
    case = cases.read(name)
    fought = match.fight(case, docker, tmp_path)
    assert verdict.complaints(case, fought) != []
    assert not any(fought.left.values())


def test_long_line_bot_found_out_without_cap(tmp_path, monkeypatch):
    monkeypatch.setattr(channel, "LINE_CAP_BYTES", 1 << 20)
    case = cases.read("long_line")
    assert verdict.complaints(case, match.fight(case, choose("process"), tmp_path)) != []


def test_what_is_left_is_seen(tmp_path):
    assert not any(remains.of(tmp_path, docker=False).values())
    inside = tmp_path / "bot-left"
    inside.mkdir()
    sleeper = subprocess.Popen(["sleep", "60"], cwd=inside)
    before = remains.descriptors()
    kept = os.open("/dev/null", os.O_RDONLY)
    try:
        left = remains.of(tmp_path, docker=False)
        opened = remains.descriptors() - before
    finally:
        sleeper.kill()
        sleeper.wait()
        os.close(kept)
    assert left["folders"] == ["bot-left"]
    assert left["processes"] == [f"{sleeper.pid} sleep"]
    assert opened == {f"{kept} /dev/null"}


@pytest.mark.parametrize("header", ["", "# verdict: plays\n# levels: docker\n", "# verdict: \n"])
def test_bot_without_a_proper_header_is_refused(header, tmp_path, monkeypatch):
    monkeypatch.setattr(cases, "HOSTILE", tmp_path)
    (tmp_path / "odd.py").write_text(header)
    with pytest.raises(ValueError, match="not a line"):
        cases.read("odd")
