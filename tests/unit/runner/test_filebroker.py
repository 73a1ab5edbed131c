"""Messages in files: one that is being written is not there yet."""

import errno
from pathlib import Path

import pytest
from kombu.connection import Connection
from kombu.exceptions import ChannelError

from arena import filebroker
from arena.celery_app import app
from arena.data_dir import make_broker_folders


@pytest.fixture
def channel(tmp_path):
    options = make_broker_folders(tmp_path)
    with Connection("filesystem://localhost", transport_options=options) as connection:
        yield connection.channel()


def test_the_site_puts_its_messages_down_so():
    assert app.connection("filesystem://localhost").get_transport_cls() is filebroker.Transport


def test_queue_messages_come_out_whole_and_once(channel):
    messages = [{"body": each} for each in ("first", "sécond", "third")]
    for number, message in enumerate(messages):
        channel._put("default", message)
        assert channel._size("default") == number + 1
    channel._put("matches", {"body": "another queue"})

    taken = [channel._get("default") for _ in messages]

    assert sorted(taken, key=str) == sorted(messages, key=str)  # in one millisecond, in any order
    assert channel._size("default") == 0
    assert channel._size("matches") == 1


def test_half_written_message_is_not_found(channel, monkeypatch):
    write, found = Path.write_text, []

    def slowly(path, text, **how):
        write(path, text[:3], **how)
        found.append(channel._size("default"))
        write(path, text, **how)

    monkeypatch.setattr(Path, "write_text", slowly)
    channel._put("default", {"body": "whole"})

    assert found == [0]
    assert channel._get("default") == {"body": "whole"}


def test_folder_taking_nothing_is_broker_fault(channel, tmp_path):
    channel.data_folder_out = str(tmp_path / "nowhere")

    with pytest.raises(ChannelError):
        channel._put("default", {"body": "lost"})


def test_message_cut_by_full_disk_leaves_nothing(channel, monkeypatch):
    write = Path.write_text

    def on_a_full_disk(path, text, **how):
        write(path, text[:3], **how)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", on_a_full_disk)
    with pytest.raises(ChannelError):
        channel._put("default", {"body": "lost"})

    assert list(Path(channel.data_folder_out).iterdir()) == []
