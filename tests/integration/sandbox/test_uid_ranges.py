"""No two installations on one host give bots the same user id."""

import subprocess
import sys

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


def test_two_installations_take_ranges_without_a_common_user_id(installation):
    one, other = take_range(installation()), take_range(installation())
    assert one.first == limits.FIRST_UID
    assert other.first == limits.FIRST_UID + limits.SLOTS
    one.release()
    other.release()


def test_slots_of_one_installation_share_a_range_and_the_last_one_frees_it(installation):
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


def test_a_range_in_use_cannot_be_named_by_a_setting(installation, monkeypatch):
    mine, theirs = installation(), installation()
    held = take_range(mine)
    for first in (held.first, held.first + limits.SLOTS - 1):
        monkeypatch.setenv("DRAPEAU_FIRST_UID", str(first))
        with pytest.raises(IsolationUnavailable, match=f"names the user ids {first} .* {mine}"):
            take_range(theirs)
    monkeypatch.setenv("DRAPEAU_FIRST_UID", str(held.first + limits.SLOTS))
    assert take_range(theirs).first == held.first + limits.SLOTS
    held.release()


def test_a_named_range_is_avoided_by_those_that_name_none(installation, monkeypatch):
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


def test_the_kernel_frees_the_range_of_a_killed_process(installation):
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
