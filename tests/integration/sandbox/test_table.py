"""Tables at the two levels that need no engine."""

import json
import os
import threading
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from engine.protocol import Answer, Ask
from sandbox import limits
from sandbox.refusal import IsolationRefused
from sandbox.table import open_table
from sandbox.uploads.unpacking import unpack
from tests.sandbox.tables import TRUSTING, open_for

ECHO = b"import sys\nfor line in sys.stdin: print(len(line))\n"
WAITS_FOR_THE_OTHER = """
import os, time
input()
os.mkdir(f"MEETING/{os.getpid()}")
while len(os.listdir("MEETING")) < 2: time.sleep(0.01)
print("met", flush=True)
input()
"""


def test_line_larger_than_a_pipe_arrives_whole(process, tmp_path):
    with open_for(ECHO, process, tmp_path) as table:
        answer = table.ask({"red": Ask(b"x" * 1_000_000 + b"\n", 5000)})["red"]
    assert isinstance(answer, Answer)
    assert answer.line == b"1000001"


def test_seats_asked_at_once_think_at_once(process, tmp_path):
    """Neither bot answers before the other one thinks, too."""
    with TemporaryDirectory() as meeting:
        Path(meeting).chmod(0o777)  # a bot may be another user
        code = WAITS_FOR_THE_OTHER.replace("MEETING", meeting).encode()
        with open_for(code, process, tmp_path, ("red", "blue")) as table:
            ask = Ask(b"now\n", 60_000)
            answers = table.ask({"red": ask, "blue": ask})
    assert all(isinstance(answer, Answer) for answer in answers.values()), answers


def test_owner_gets_both_ends_of_long_log(process, tmp_path):
    code = b"""
import sys
sys.stderr.write("first" + "x" * 100_000 + "last")
sys.stderr.flush()
for line in sys.stdin: print("ok")
"""
    with open_for(code, process, tmp_path) as table:
        table.ask({"red": Ask(b"now\n", 5000)})
    log = table.stderr("red")
    assert log.startswith(b"first")
    assert log.endswith(b"last")
    assert b"[... 67241 bytes left out ...]" in log


def test_telling_gone_seat_is_no_error(process, tmp_path):
    with open_for(b"#", process, tmp_path) as table:
        table.ask({"red": Ask(b"now\n", 5000)})
        table.tell("red", b"end\n")
        table.close()
        table.tell("red", b"end\n")


def test_owner_hears_of_long_wait_and_ends_it(process, tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "WAIT_STEP_S", 0.05)
    waits = 0

    def lose_patience():
        nonlocal waits
        waits += 1
        if waits == 3:
            raise InterruptedError

    with (
        open_table(
            isolation=process,
            seats={"red": unpack(b"import time; time.sleep(60)", "a.py")},
            work_dir=tmp_path,
            admission=TRUSTING,
            on_wait=lose_patience,
        ) as table,
        pytest.raises(InterruptedError),
    ):
        table.ask({"red": Ask(b"now\n", 60_000)})
    assert waits == 3
    assert list(tmp_path.glob("bot-*")) == []


def test_table_works_from_any_thread(process, tmp_path):
    answers = []

    def match():
        with open_for(ECHO, process, tmp_path) as table:
            answers.append(table.ask({"red": Ask(b"now\n", 5000)})["red"])

    threads = [threading.Thread(target=match) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answer.line for answer in answers] == [b"4", b"4", b"4"]


def test_language_without_image_refused_before_start(process, tmp_path):
    with (
        pytest.raises(IsolationRefused, match=r"written in node.* only python here"),
        open_for(unpack(b"0", "bot.js"), process, tmp_path),
    ):
        pass
    assert list(tmp_path.glob("bot-*")) == []


def test_bot_is_told_limits_it_finds(process, tmp_path):
    code = b"""
import json, resource
sizes = {"address_space_bytes": "AS", "cpu_s": "CPU", "file_bytes": "FSIZE"}
limit = lambda word: resource.getrlimit(getattr(resource, f"RLIMIT_{word}"))[0]
found = {name: limit(word) for name, word in sizes.items()}
input()
print(json.dumps(found))
"""
    with open_for(code, process, tmp_path) as table:
        told = table.limits("red")
        answer = table.ask({"red": Ask(b"now\n", 5000)})["red"]
    assert isinstance(answer, Answer)
    found = json.loads(answer.line)
    assert {name: told[name] for name in found} == found
    assert told.keys() - found.keys() == {"line_bytes", "stderr_bytes", "threads"}
    assert table.limits("a scripted player") == {}


def test_arena_note_comes_before_bot_output(process, tmp_path):
    code = b"import sys; print('own words', file=sys.stderr, flush=True); input(); print('ok')"
    with open_for(code, process, tmp_path) as table:
        table.ask({"red": Ask(b"now\n", 5000)})
        table.note("red", "a warning, and 'é\\n'")
        table.note("a scripted player", "nothing")
    assert table.stderr("red") == b"[arena] a warning, and '\\xe9\\n'\nown words\n"


LEAVES_LATE = b"""
import os, sys, time
sys.stdin.readline()
print("ready", flush=True)
heard = sys.stdin.read()
os.close(1)
time.sleep(0.5)
print("heard", len(heard), file=sys.stderr, flush=True)
"""
STAYS = b"""
import os, sys, time
sys.stdin.readline()
print(os.getpid(), flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("size", [10, 1_000_000])  # the second does not fit into a pipe
def test_bot_reads_whole_end_with_time_to_exit(size, process, tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "END_READ_S", 60)
    with open_for(LEAVES_LATE, process, tmp_path) as table:
        assert isinstance(table.ask({"red": Ask(b"start\n", 5000)})["red"], Answer)
        table.tell("red", b"x" * size)
    assert table.stderr("red") == b"heard %d\n" % size


def test_bot_staying_after_end_is_ended(process, tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "END_READ_S", 0.05)
    with open_for(STAYS, process, tmp_path) as table:
        answer = table.ask({"red": Ask(b"start\n", 5000)})["red"]
        table.tell("red", b"end\n")
    with pytest.raises(ProcessLookupError):
        os.kill(int(answer.line), 0)
