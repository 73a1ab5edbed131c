"""Games of two bots that think for most of their time, and neighbours that burn every core."""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from subprocess import Popen

from engine.clock import ClockSpec
from engine.record import PlayerId, Record, verify
from engine.referee import play
from engine.registry import find
from sandbox.levels.isolation import Isolation
from sandbox.table import Admission, BotTable, open_table
from sandbox.uploads.unpacking import unpack

# Thinks for a fixed time of its own processor clock, more than half of what it has.
THINKER = b"""import random, time
from botkit import Bot, run

class Thinker(Bot):
    def think(self):
        until = time.process_time() + %f
        while time.process_time() < until:
            pass
    def deploy(self, view):
        self.think()
        return "".join(self.rng.sample(view.roster, len(view.roster)))
    def act(self, view, legal):
        self.think()
        return self.rng.choice(legal)

run(Thinker)
"""
FORK_BOMB = b"""import os
while True:
    try:
        os.fork()
    except OSError:
        pass
"""
THREAD_BOMB = b"""import threading
def spin():
    while True:
        pass
while True:
    try:
        threading.Thread(target=spin).start()
    except RuntimeError:
        pass
"""
SPIN = "while True: pass"
SPINNERS_A_CORE = 2

THINK_MS = 25
PLIES = 24
CLOCK = ClockSpec(
    startup_ms=2_000, bank_ms=(PLIES // 2 + 1) * THINK_MS * 7 // 5, increment_ms=0, action_ms=45
)
VARIANT = find("general")
TRUSTING = Admission(trust_all=True)


def game(isolation: Isolation, folder: Path, rng_seed: int) -> Record:
    """Play one game of two bots that think for most of their time."""
    code = THINKER % (THINK_MS / 1000)
    with seated(isolation, folder, code, code) as table:
        record = play(
            VARIANT,
            options={"max_plies": PLIES},
            rng_seed=rng_seed,
            game="bench",
            players={seat: PlayerId(seat, "00" * 32) for seat in VARIANT.seats},
            clock=CLOCK,
            table=table,
            isolation=isolation.kind,
        )
    verify(record)
    return record


def story(record: Record) -> object:
    """Return all of a game but what it cost."""
    return [(each.seat, each.action) for each in record.actions], record.result


@contextmanager
def spinning() -> Iterator[None]:
    """Burn every core twice over for a while."""
    with ExitStack() as cleanup:
        for _ in range(SPINNERS_A_CORE * len(os.sched_getaffinity(0))):
            spinner = cleanup.enter_context(Popen((sys.executable, "-c", SPIN)))
            cleanup.callback(spinner.kill)
        yield


@contextmanager
def burning(isolation: Isolation, folder: Path) -> Iterator[None]:
    """Do that, and bomb in two containers beside the game's."""
    with spinning(), seated(isolation, folder, FORK_BOMB, THREAD_BOMB):
        yield


@contextmanager
def seated(isolation: Isolation, folder: Path, red: bytes, blue: bytes) -> Iterator[BotTable]:
    """Seat two bots."""
    seats = {"red": unpack(red, "bot.py"), "blue": unpack(blue, "bot.py")}
    with open_table(isolation=isolation, seats=seats, work_dir=folder, admission=TRUSTING) as table:
        yield table
