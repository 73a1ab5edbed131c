"""Print the table of the channels: `python -m benchmarks.channels [--level L…] [--only TEXT]`.

Chance is half of the bits. A channel is open if so many right bits come by chance less than once in
a million times. "passed" is what a code could carry of one message, and "bit/s" what that makes in
the time that both ends took. The status is 1 where a channel is not as `channels.toml` lists it; a
faint one that is not seen once is no error.
"""

import argparse
import random
import secrets
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks.channels import levels, meter
from benchmarks.channels.rows import LEVELS, Channel, channels
from benchmarks.channels.score import Score
from sandbox.levels.isolation import Isolation

HEAD = (
    "| level | channel | bits | right beside | passed | bit/s | right in next game | passed "
    "| verdict |\n|-|-|-|-|-|-|-|-|-|"
)
VERDICTS = AS_LISTED, NOT_SEEN, UNLIKE = ("as listed", "not seen", "not as listed")
COMPILES = "runc"  # the engines of the other levels have the image of Python and no other
BASELINE = "contention: cpu"
Scores = dict[str, list[Score]]


def main(arguments: Sequence[str]) -> int:
    """Return the status 0 unless a channel is not as listed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n", maxsplit=1)[0])
    parser.add_argument("--level", nargs="+", choices=LEVELS, default=LEVELS)
    parser.add_argument("--only", default="", help="a part of the names of channels")
    parser.add_argument("--but", default="\0", help="a part of the names of channels to leave out")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1 << 31))
    asked = parser.parse_args(arguments)
    rows = [row for row in channels() if asked.only in row.name and asked.but not in row.name]
    _say(f"seed {asked.seed}, {asked.runs} runs\n\n{HEAD}")
    verdicts = []
    for level in asked.level:
        rng = random.Random(f"{asked.seed}/{level}")
        verdicts += table(level, rows, asked.runs, rng)
    counts = ", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in VERDICTS)
    _say(f"Figures: {len(verdicts)} measured, {counts}")
    return int(UNLIKE in verdicts)


def table(level: str, rows: Sequence[Channel], runs: int, rng: random.Random) -> list[str]:
    """Measure and print a level; return the verdicts."""
    if level != COMPILES:
        rows = [row for row in rows if row.way != "compiled"]
    together = [row for row in rows if row.way != "learned"]
    alone = [[row] for row in rows if row.way == "learned"]  # as long as a game, each of them
    verdicts = []
    within: Scores = {}
    later: Scores = {}
    with tempfile.TemporaryDirectory(prefix="channels-") as name:
        folder = Path(name)
        if level != "process":  # where others than this user cannot go, plain bots are this user
            folder.chmod(0o711)
        with levels.level(level, folder) as isolation:
            for group in filter(None, [together, *alone]):
                notes: list[str] = []
                measured = measure(isolation, folder, group, runs, rng, notes)
                within |= measured[0]
                later |= measured[1]
                verdicts += [_printed(level, row, within, later) for row in group]
                _say("\n".join(notes))
    for note in _budget(rows, within, later):
        _say(f"\n{level}: {note}")
    return verdicts


def _printed(level: str, row: Channel, within: Scores, later: Scores) -> str:
    """Print the line of a channel, and return its verdict."""
    inside, after = within.get(row.name, []), later.get(row.name, [])
    found = _verdict(row, level, row.beside, inside), _verdict(row, level, row.next_game, after)
    verdict = max(found, key=VERDICTS.index)
    speed = _whole(inside).bits_per_s
    cells = [level, row.name, str(row.bits), *_cells(inside), f"{speed:,.0f}" if speed else ""]
    _say("| " + " | ".join([*cells, *_cells(after), verdict]) + " |")
    return verdict


def measure(
    isolation: Isolation,
    folder: Path,
    rows: Sequence[Channel],
    runs: int,
    rng: random.Random,
    notes: list[str],
) -> tuple[Scores, Scores]:
    """Measure all rows several times; return the scores within a game, and into the next one."""
    within: Scores = {}
    later: Scores = {}
    inside = [row for row in rows if row.beside is not None]
    after = [row for row in rows if row.next_game is not None]
    for _ in range(runs):
        for name, score in meter.beside(isolation, folder, inside, rng, notes).items():
            within.setdefault(name, []).append(score)
        for name, score in meter.into_the_next_game(isolation, folder, after, rng).items():
            later.setdefault(name, []).append(score)
    return within, later


def _budget(rows: Sequence[Channel], within: Scores, later: Scores) -> list[str]:
    """Compare with what time alone gives away, and say what reaches the next game."""
    speeds = {row.name: _whole(within.get(row.name, [])).bits_per_s for row in rows}
    if BASELINE not in speeds:
        return []
    faster = [name for name, speed in speeds.items() if speed > speeds[BASELINE]]
    reach = [name for name, scores in later.items() if _whole(scores).is_open]
    return [
        f"CPU time alone gives {speeds[BASELINE]:.1f} bit/s; faster: {', '.join(faster) or 'none'}",
        f"open into the next game: {', '.join(reach) or 'none'}",
    ]


def _verdict(row: Channel, level: str, expected: tuple[str, ...] | None, found: list[Score]) -> str:
    """Compare with what is listed; a busy machine may drown a channel, which is no error."""
    if expected is None or (level in expected) == _whole(found).is_open:
        return AS_LISTED
    return NOT_SEEN if level in expected and not row.quick else UNLIKE


def _whole(scores: list[Score]) -> Score:
    return sum(scores, Score())


def _cells(scores: list[Score]) -> list[str]:
    """Return the median of the right bits of a run, and the bits that pass in a run."""
    if not scores:
        return ["", ""]
    whole = _whole(scores)
    if whole.refused:
        return [whole.refused, "0"]
    return [f"{median(each.right for each in scores):g}", f"{whole.passed / len(scores):.0f}"]


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
