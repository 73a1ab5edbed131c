"""What the kernel counts per user is counted per bot, since every bot is a user of its own."""

import pytest

from engine.protocol import Answer, Ask
from sandbox import limits
from sandbox.levels.isolation import choose
from sandbox.table import Admission, open_table
from sandbox.uploads.unpacking import unpack

pytestmark = pytest.mark.docker

ALLOWANCE_MS = 20_000
TAKES_ALL = b"""
import ctypes, os, signal, sys

CALL, SI_QUEUE, PIPES_EACH = 129, -1, 30
info = ctypes.create_string_buffer(128)
info[8:12] = SI_QUEUE.to_bytes(4, "little", signed=True)
libc = ctypes.CDLL(None)
signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())

def signals():
    count = 0
    while count < 1000 and libc.syscall(CALL, os.getpid(), signal.SIGRTMIN + 1, info) == 0:
        count += 1
    return count

def full_pipes():
    ends = [os.pipe()[1] for _ in range(PIPES_EACH)]
    return sum(full(end) for end in ends)

def full(end):
    os.set_blocking(end, False)
    try:
        return os.write(end, b"x" * 65536) == 65536
    except BlockingIOError:
        return False

def children():
    count = 0
    done, tell = os.pipe()
    try:
        while count < 1000:
            if os.fork() == 0:
                full_pipes()
                os.write(tell, b"x")
                signal.pause()
            count += 1
    except OSError:
        for _ in range(count):
            os.read(done, 1)
        return count

sys.stdin.readline()
print(signals(), full_pipes(), children(), flush=True)
sys.stdin.readline()
"""


@pytest.fixture(scope="module")
def docker():
    return choose("docker")


def both(docker, work_dir):
    """Let one bot take all it can get, then another; give what each got."""
    bot = unpack(TAKES_ALL, "bot.py")
    with open_table(
        isolation=docker,
        seats={"first": bot, "second": bot},
        work_dir=work_dir,
        admission=Admission(),
    ) as table:
        answers = [
            table.ask({seat: Ask(b"take\n", ALLOWANCE_MS)})[seat] for seat in ("first", "second")
        ]
    lines = [answer.line for answer in answers if isinstance(answer, Answer)]
    assert len(lines) == len(answers), answers
    return [tuple(map(int, line.split())) for line in lines]


def test_second_bot_gets_as_much_as_the_first(docker, tmp_path):
    first, second = both(docker, tmp_path)
    assert first == second
    signals, _, children = first
    assert signals == limits.PENDING_SIGNALS
    assert 0 < children < limits.TASKS
