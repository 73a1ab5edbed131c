"""What a waiting bot takes of the host's memory.

Ours: the most that the control group of its container was charged, files of the image with it where
the container has them for itself. Theirs: the most that the same bot has resident as a plain
process. Prints `{"ours": [MiB, …], "theirs": [MiB, …]}`, one for every round.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from engine.protocol import Ask, Failure, PlatformFault
from sandbox import limits
from sandbox.levels.isolation import Isolation, choose
from sandbox.levels.local import interpreter
from sandbox.table import BotTable, start
from sandbox.uploads.unpacking import unpack

BOT = b"""import sys
for line in sys.stdin:
    print(*(each.split()[1] for each in open("/proc/self/status") if each.startswith("VmHWM")))
    sys.stdout.flush()
"""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, help="taken and not needed: memory is memory")
    given = parser.parse_args()
    try:
        isolation = choose("docker")
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name).resolve()
            pairs = [(contained(isolation, folder), plain()) for _ in range(given.rounds)]
    except PlatformFault as fault:
        sys.exit(str(fault))
    ours, theirs = zip(*pairs, strict=True)
    print(json.dumps({"ours": ours, "theirs": theirs}))


def contained(isolation: Isolation, folder: Path) -> float:
    """Return what a bot was charged when it has answered once, in MiB."""
    with ExitStack() as cleanup:
        programs = start(isolation, {"bot": unpack(BOT, "bot.py")}, folder, cleanup)
        answer = BotTable(programs, {}, lambda: None).ask({"bot": Ask(b"here\n", 10_000.0)})["bot"]
        peak_bytes = programs["bot"].peak_memory_bytes()
    if isinstance(answer, Failure) or peak_bytes is None:
        raise PlatformFault("no memory of a bot is counted here")
    return peak_bytes / limits.MIB


def plain() -> float:
    """Return what the same bot has resident, in MiB."""
    command = (str(interpreter()), "-c", BOT)
    done = subprocess.run(command, input=b"here\n", capture_output=True, check=True)
    return int(done.stdout) / limits.KIB


if __name__ == "__main__":
    main()
