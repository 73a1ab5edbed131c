"""One match in a process of its own, so that it can be killed: `… -m tests.sandbox.attack.runner`.

Takes a run directory. Says "playing" in mid-match and goes on at a line on stdin; then says how the
match ended, as JSON.
"""

import json
import sys
from pathlib import Path

from engine.protocol import PlatformFault
from sandbox.levels.isolation import choose
from sandbox.table import open_table
from tests.sandbox.attack.cases import victim
from tests.sandbox.attack.match import TRUSTING, referee

MID_MATCH_PLY = 6


def main(run_dir: Path) -> None:
    isolation = choose("docker")
    seats = dict.fromkeys(("red", "blue"), victim(thinks_s=0))
    try:
        with open_table(
            isolation=isolation, seats=seats, work_dir=run_dir, admission=TRUSTING
        ) as table:
            result = referee(table, isolation, _pause).result
        _say(json.dumps([str(result.termination), result.fault, ""]))
    except PlatformFault as why:
        _say(json.dumps(["void", "platform", str(why)]))


def _pause(ply: int) -> None:
    if ply == MID_MATCH_PLY:
        _say("playing")
        sys.stdin.readline()


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
