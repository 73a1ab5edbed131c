"""Numbers that no two running bots share."""

import pytest

from engine.protocol import PlatformFault
from sandbox import limits
from sandbox.host.seating import place_bot
from sandbox.host.uid_slots import abandoned_slots, notes, take_slot
from sandbox.levels.isolation import Isolation, reap
from sandbox.refusal import IsolationUnavailable
from sandbox.uploads.unpacking import unpack


def test_taken_slots_differ_and_come_back(tmp_path):
    first, second = take_slot(tmp_path), take_slot(tmp_path)
    assert second.uid == first.uid + 1
    first.release()
    assert take_slot(tmp_path).number == 0
    second.release()


@pytest.mark.parametrize("setting", ["0", "1000", "19999", "60001", "-20000", "2e4", "root"])
def test_no_setting_makes_bots_host_users(tmp_path, monkeypatch, setting):
    monkeypatch.setenv("DRAPEAU_FIRST_UID", setting)
    slot = take_slot(tmp_path)
    with pytest.raises(IsolationUnavailable, match=f"is {setting!r}; it is a number from 20000"):
        assert slot.uid
    slot.release()


def test_full_host_is_the_platform_s_fault(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "SLOTS", 1)
    slot = take_slot(tmp_path)
    with pytest.raises(PlatformFault):
        take_slot(tmp_path)
    slot.release()


@pytest.mark.parametrize("name", ["mine.lock", "7.lock", "-001.lock", "1000000.lock", ".lock"])
def test_strange_file_among_slots_belongs_to_nobody(tmp_path, name):
    take_slot(tmp_path).release()
    (tmp_path / "slots" / name).write_text("a note")
    assert list(abandoned_slots(tmp_path)) == []
    assert notes(tmp_path) == {}


def test_abandoned_slot_not_taken_before_reaped(tmp_path):
    dropped = take_slot(tmp_path)
    dropped.write_note("something may be alive")
    dropped.release()
    other = take_slot(tmp_path)
    assert other.number == 1
    other.release()

    reap(isolation=Isolation("process", safe=False, reason=""), work_dir=tmp_path)

    again = take_slot(tmp_path)
    assert again.number == 0
    again.release()


def test_bot_without_room_on_disk_leaves_nothing(tmp_path):
    slot = take_slot(tmp_path)
    (tmp_path / "file").touch()

    with pytest.raises(NotADirectoryError):
        place_bot(unpack(b"#", "bot.py"), tmp_path / "file", slot)

    again = take_slot(tmp_path)
    assert (again.number, again.read_note()) == (slot.number, "")
    again.release()


def test_reaping_removes_only_folder_of_abandoned_slot(tmp_path):
    mine, elsewhere = tmp_path / "run" / "bot-a", tmp_path / "precious"
    for folder in (mine, elsewhere):
        folder.mkdir(parents=True)
        slot = take_slot(tmp_path / "run")
        slot.write_note(str(folder))
    slot.release()
    isolation = Isolation("process", safe=False, reason="")
    assert reap(isolation=isolation, work_dir=tmp_path / "run") == 1
    assert elsewhere.exists()
    assert mine.exists()
