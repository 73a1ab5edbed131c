"""How much CPU time of the host an attack costs, and how much of it is charged to the bot.

A bot works the kernel for a while, and sleeps as long, in turn. What all processors did meanwhile,
without what this process did and what they do for a sleeping bot, is what the attack used. Other
work on the machine counts too, so the machine must be idle. `--kernel` counts the kernel's own
threads instead of everybody, which other programs disturb less.

Prints `{"used": [ms, …], "charged": [ms, …]}`, for each second of attack, one for every round.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

from benchmarks.attacks import ATTACKS
from engine.protocol import Ask, Failure, PlatformFault
from sandbox.levels.isolation import choose
from sandbox.table import BotTable, start
from sandbox.uploads.unpacking import unpack

BOT = """import ctypes, mmap, os, signal, socket, sys, time
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
def attack():
    ATTACK
for line in sys.stdin:
    word, seconds = line.split()
    until = time.monotonic() + float(seconds)
    over = lambda: time.monotonic() > until
    if word == "attack":
        try:
            attack()
        except OSError:
            pass  # refused: it sleeps for the rest
    time.sleep(max(0.0, until - time.monotonic()))
    print("done", flush=True)
"""
TICK_MS = 1000 / os.sysconf("SC_CLK_TCK")
BUSY = (0, 1, 2, 5, 6)  # user, nice, system, interrupts, soft interrupts: columns of /proc/stat
KTHREAD = 0x00200000  # PF_KTHREAD
FLAGS = 6  # of the fields of /proc/PID/stat after the name
NS_PER_MS = 1_000_000
PATIENCE_MS = 60_000


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("attack", choices=ATTACKS)
    parser.add_argument("--kernel", action="store_true")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.7)
    given = parser.parse_args()
    look = kernel_ms if given.kernel else busy_ms
    attack = ATTACKS[given.attack].strip().replace("\n", "\n    ")
    code = BOT.replace("ATTACK", attack).encode()
    used, charged = [], []
    try:
        with tempfile.TemporaryDirectory() as name, ExitStack() as cleanup:
            folder = Path(name).resolve()
            programs = start(choose("docker"), {"bot": unpack(code, "bot.py")}, folder, cleanup)
            table = BotTable(programs, {}, lambda: None)
            used_ms(table, "idle", given.seconds, look)  # its start is nobody's attack
            for _ in range(given.rounds):
                idle, idle_charged = used_ms(table, "idle", given.seconds, look)
                all_used, all_charged = used_ms(table, "attack", given.seconds, look)
                used.append((all_used - idle) / given.seconds)
                charged.append((all_charged - idle_charged) / given.seconds)
    except PlatformFault as fault:
        sys.exit(str(fault))
    print(json.dumps({"used": used, "charged": charged}))


def used_ms(
    table: BotTable, word: str, seconds: float, look: Callable[[], float]
) -> tuple[float, float]:
    """Have the bot attack or sleep. Return the CPU time that was used, and that was charged."""
    before, own = look(), time.process_time()
    answer = table.ask({"bot": Ask(f"{word} {seconds}\n".encode(), PATIENCE_MS)})["bot"]
    used, own = look() - before, time.process_time() - own
    if isinstance(answer, Failure):
        raise PlatformFault(f"the attack ended: {answer.detail}")
    if look is kernel_ms:  # what the bot did itself is no thread of the kernel's
        return used + answer.charged_ms, answer.charged_ms
    return used - own * 1000, answer.charged_ms


def busy_ms() -> float:
    """Return how long all processors have been busy since the start of the machine."""
    columns = Path("/proc/stat").read_text().splitlines()[0].split()[1:]
    return sum(int(columns[number]) for number in BUSY) * TICK_MS


def kernel_ms() -> float:
    """Return how long the threads of the kernel that are alive have run."""
    total_ns = 0
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            fields = (process / "stat").read_text().rpartition(")")[2].split()
            if int(fields[FLAGS]) & KTHREAD:
                total_ns += int((process / "schedstat").read_text().split()[0])
    return total_ns / NS_PER_MS


if __name__ == "__main__":
    main()
