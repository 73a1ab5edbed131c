"""No two installations on one host give bots the same user id."""

import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from sandbox import limits
from sandbox.host import uid_ranges
from sandbox.host.uid_ranges import take_range
from sandbox.host.uid_slots import take_slot
from sandbox.refusal import IsolationUnavailable
from tests.tree import ROOT

HOLD = """
import sys
from pathlib import Path
from sandbox.host import uid_ranges
uid_ranges.FOLDER = Path(sys.argv[1])
print(uid_ranges.take_range(Path(sys.argv[2])).first, flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def a_host_of_our_own(tmp_path, monkeypatch):
    monkeypatch.delenv("DRAPEAU_FIRST_UID", raising=False)
    monkeypatch.setattr(uid_ranges, "FOLDER", tmp_path / "locks")


@pytest.fixture
def installation(tmp_path):
    """Make the run directory of one more installation."""
    names = iter("abcdefgh")

    def make():
        run_dir = tmp_path / next(names)
        (run_dir / "slots").mkdir(parents=True)
        return run_dir

    return make


def test_two_installations_take_ranges_without_common_uid(installation):
    one, other = take_range(installation()), take_range(installation())
    assert one.first == limits.FIRST_UID
    assert other.first == limits.FIRST_UID + limits.SLOTS
    one.release()
    other.release()


def test_slots_share_a_range_and_last_frees_it(installation):
    mine, theirs = installation(), installation()
    slots = [take_slot(mine), take_slot(mine)]
    assert {slot.uids.first for slot in slots} == {limits.FIRST_UID}
    slots[0].release()
    assert take_range(theirs).first != limits.FIRST_UID
    slots[1].release()
    assert take_range(installation()).first == limits.FIRST_UID


def test_an_installation_gets_the_range_that_it_had(installation):
    first, mine = installation(), installation()
    before = take_range(first)
    had = take_range(mine)
    before.release()
    had.release()
    assert take_range(mine).first == had.first != limits.FIRST_UID


def test_range_in_use_cannot_be_named_by_setting(installation, monkeypatch):
    mine, theirs = installation(), installation()
    held = take_range(mine)
    for first in (held.first, held.first + limits.SLOTS - 1):
        monkeypatch.setenv("DRAPEAU_FIRST_UID", str(first))
        with pytest.raises(IsolationUnavailable, match=f"names the user ids {first} .* {mine}"):
            take_range(theirs)
    monkeypatch.setenv("DRAPEAU_FIRST_UID", str(held.first + limits.SLOTS))
    assert take_range(theirs).first == held.first + limits.SLOTS
    held.release()


def test_named_range_is_avoided_by_unnamed_ones(installation, monkeypatch):
    monkeypatch.setenv("DRAPEAU_FIRST_UID", str(limits.FIRST_UID + 1))
    named = take_range(installation())
    monkeypatch.delenv("DRAPEAU_FIRST_UID")
    # It has user ids in common with the first two ranges.
    assert take_range(installation()).first == limits.FIRST_UID + 2 * limits.SLOTS
    named.release()


def test_a_host_without_a_free_range_says_so(installation, monkeypatch):
    monkeypatch.setattr(uid_ranges, "FIRST_UIDS", (limits.FIRST_UID,))
    held = take_range(installation())
    with pytest.raises(IsolationUnavailable, match="all 1 ranges of user ids are in use"):
        take_range(installation())
    held.release()


def test_a_folder_that_cannot_be_used_is_named(installation, tmp_path, monkeypatch):
    monkeypatch.setattr(uid_ranges, "FOLDER", tmp_path / "nowhere" / "locks")
    with pytest.raises(IsolationUnavailable, match="the user ids of bots could not be locked"):
        take_range(installation())


UNUSUAL = {
    "link to a file": lambda lock, victim: lock.symlink_to(victim),
    "link to nothing": lambda lock, victim: lock.symlink_to(victim.parent / "made"),
    "second name": lambda lock, victim: lock.hardlink_to(victim),
    "queue": lambda lock, _victim: os.mkfifo(lock),
}


@pytest.mark.parametrize("make", UNUSUAL.values(), ids=UNUSUAL)
@pytest.mark.parametrize("name", ["choosing", str(limits.FIRST_UID), str(limits.FIRST_UID + 1)])
def test_unusual_lock_file_is_refused_and_target_stays(installation, tmp_path, make, name):
    uid_ranges.FOLDER.mkdir()
    victim = tmp_path / "victim"
    victim.write_text("theirs")
    make(uid_ranges.FOLDER / name, victim)
    with pytest.raises(IsolationUnavailable, match=f"/{name} is a link, .* Remove it: rm /"):
        take_range(installation())
    assert victim.read_text() == "theirs"
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize("exists", [True, False])
def test_a_folder_that_is_a_link_is_refused(installation, tmp_path, exists):
    target = tmp_path / "target"
    if exists:
        target.mkdir()
    uid_ranges.FOLDER.symlink_to(target)
    with pytest.raises(IsolationUnavailable, match=r"is a link or a file, .* Remove it: rm /"):
        take_range(installation())
    assert not exists or list(target.iterdir()) == []


@contextmanager
def user(uid):
    os.seteuid(uid)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def open_host(monkeypatch):
    """Make a host where other users reach the folder of the locks and run directories."""
    with TemporaryDirectory() as name:
        place = Path(name)
        place.chmod(0o1777)
        monkeypatch.setattr(uid_ranges, "FOLDER", place / "locks")
        for uid in (0, 4321, 4322):
            slots = place / str(uid) / "slots"
            slots.mkdir(parents=True)
            os.chown(slots, uid, uid)
        yield place


def test_installations_of_different_users_share_root_folder(open_host):
    held = []
    for uid in (0, 4321, 4322):
        with user(uid):
            held.append(take_range(open_host / str(uid)))
    taken = [uids.first - limits.FIRST_UID for uids in held]
    assert taken == [0, limits.SLOTS, 2 * limits.SLOTS]
    for uids in held:
        uids.release()


@pytest.mark.parametrize("other", [0, 4322])
def test_ordinary_users_folder_is_refused_until_root_owned(open_host, other):
    with user(4321):
        held = take_range(open_host / "4321")
    with user(other), pytest.raises(IsolationUnavailable, match=r"user 4321, .* chown root:root /"):
        take_range(open_host / str(other))
    os.chown(uid_ranges.FOLDER, 0, 0)
    with user(other):
        taken = take_range(open_host / str(other))
    assert taken.first == held.first + limits.SLOTS
    taken.release()
    held.release()


def test_unreadable_note_is_still_the_note_of_another(installation):
    held = take_range(installation())
    (uid_ranges.FOLDER / str(held.first)).write_bytes(b"\xff\xfe")
    other = take_range(installation())
    assert other.first == limits.FIRST_UID + limits.SLOTS
    held.release()
    other.release()


def test_kernel_frees_range_of_killed_process(installation):
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(uid_ranges.FOLDER), str(installation())],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout is not None
        assert int(holder.stdout.readline()) == limits.FIRST_UID
        other = take_range(installation())
        assert other.first == limits.FIRST_UID + limits.SLOTS
        holder.kill()
    assert take_range(installation()).first == limits.FIRST_UID
    other.release()
