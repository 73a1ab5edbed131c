"""Measure the steps between house bots with `drapeau bench`.

`python -m tests.integration.house_bots.strength --games 400 --write`

Plays every house bot against the next weaker one of its variant, and each starter against a house
bot near it, and prints the table of `bots/README.md`. `--write` puts it there. With `--check` the
status is 1 where a result differs from the one in the table by more than chance. `--folder` keeps
the games, so that a run that was ended goes on.
"""

import argparse
import json
import re
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist, fmean
from typing import Any

from engine.record import Record
from tests.integration.house_bots.house import BOTS, NEIGHBOURS, YARDSTICKS
from tests.tree import ROOT

STARTER = "starter"  # what `drapeau init` makes of each game
STARTERS = [
    ("cards", STARTER, "gambler"),
    ("classic", STARTER, "brawler"),
    ("general", STARTER, "brawler"),
    ("siege", STARTER, "escort"),
    ("skirmish", STARTER, "drunkard"),
]
MEETINGS = [
    *((slug, strong, weak) for slug, weak, strong in NEIGHBOURS),
    *YARDSTICKS,
    *STARTERS,
]
PAGE = BOTS / "README.md"
HEADINGS = (
    "game", "bot", "against", "games", "0 ½ 1 1½ 2", "points", "Elo", "95 %", "ms an action"
)  # fmt: skip
HEAD = "| " + " | ".join(HEADINGS) + " |\n|---|---|---|" + "---:|" * 6 + "\n"
TABLE = re.compile(re.escape(HEAD) + r"(?:\|.*\n)*")
CHANCE = 0.001  # how often a check of all rows fails although nothing has changed
UNSEEN = 0.2  # of a pair, added to each result, so that the variance is never 0


@dataclass(frozen=True)
class Row:
    """What was measured of one meeting; `pairs` counts the pairs of 0, ½, 1, 1½ and 2 points."""

    slug: str
    bot: str
    against: str
    pairs: tuple[int, ...]
    rest: tuple[str, ...]

    @property
    def meeting(self) -> tuple[str, str, str]:
        """The variant, the bot and its opponent."""
        return self.slug, self.bot, self.against

    @property
    def moments(self) -> tuple[float, float]:
        """The mean points of a pair and the variance of this mean."""
        counts = [count + UNSEEN for count in self.pairs]
        total = sum(counts)
        mean = sum(count * half / 2 for half, count in enumerate(counts)) / total
        squares = sum(count * (half / 2 - mean) ** 2 for half, count in enumerate(counts))
        return mean, squares / total / total

    def line(self) -> str:
        """Return the row as Markdown."""
        counts = " ".join(map(str, self.pairs))
        games = str(2 * sum(self.pairs))
        cells = (f"`{self.slug}`", self.bot, self.against, games, counts, *self.rest)
        return f"| {' | '.join(cells)} |"


def published() -> list[Row]:
    """Return the rows of the table in the README of the house bots."""
    found = TABLE.search(PAGE.read_text(encoding="utf-8"))
    assert found is not None, f"{PAGE} has no table with these headings: {HEADINGS}"
    rows = []
    for line in found[0].removeprefix(HEAD).splitlines():
        slug, bot, against, _, counts, *rest = (cell.strip() for cell in line.split("|")[1:-1])
        pairs = tuple(map(int, counts.split()))
        rows.append(Row(slug.strip("`"), bot, against, pairs, tuple(rest)))
    return rows


def measure(
    meeting: tuple[str, str, str], *, games: int, jobs: int, seed: int, folder: Path
) -> Row:
    """Play one meeting, or go on with it, and return its row."""
    slug, bot, against = meeting
    if (folder / "bench.json").exists():
        words = ["--resume", str(folder)]
    else:
        words = [_bench_name(slug, bot), against, "--variant", slug, "--all", "-n", str(games)]
        words += ["--seed", str(seed)]
        words += ["--record-dir", str(folder)]
    command = [sys.executable, "-m", "botkit.cli", "bench", *words, "-j", str(jobs), "--json"]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    told = json.loads(done.stdout)
    assert not told["faults"], told["faults"]
    (result,) = told["against"]
    return Row(slug, bot, against, tuple(result["pairs"]), _rest(result, _thought_ms(bot, folder)))


def _bench_name(slug: str, bot: str) -> str:
    """Return how `drapeau bench` knows a bot: a house bot by its name, a starter by its folder."""
    return str(ROOT / "engine" / "variants" / slug / STARTER) if bot == STARTER else bot


def _rest(result: Any, thought_ms: float) -> tuple[str, ...]:
    low, high = (_signed(result[key]) for key in ("elo_low", "elo_high"))
    points = f"{100 * result['score']:.1f} %"
    return points, _signed(result["elo"]), f"{low} to {high}", f"{thought_ms:.1f}"


def _signed(elo: float | None) -> str:
    return "∞" if elo is None else f"{elo:+.0f}"


def _thought_ms(bot: str, folder: Path) -> float:
    """Return the mean time that a bot took for an action in the records of a folder."""
    charged_ms = []
    for path in folder.glob("game-*.json"):
        record = Record.from_json(path.read_bytes())
        # The name of a starter may begin with its game.
        own = {seat for seat, player in record.players.items() if player.name.endswith(bot)}
        charged_ms += [each.charged_ms for each in record.actions if each.seat in own]
    return fmean(charged_ms)


def differences(rows: Sequence[Row]) -> Iterator[str]:
    """Yield a sentence for each row that differs from the published one by more than chance."""
    before = {row.meeting: row for row in published()}
    bound = NormalDist().inv_cdf(1 - CHANCE / 2 / len(rows))
    for row in rows:
        old = before.get(row.meeting)
        if old is None:
            yield f"{row.line()}\nis not in {PAGE}"
            continue
        (now, now_variance), (then, then_variance) = row.moments, old.moments
        if abs(now - then) > bound * (now_variance + then_variance) ** 0.5:
            yield f"{row.line()}\ndiffers from\n{old.line()}"


def main() -> int:
    """Measure, print, and write or check. Return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--variants", nargs="+")
    parser.add_argument("--seed", type=int, default=secrets.randbits(32))
    parser.add_argument("-j", "--jobs", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where the games are kept")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    rows = []
    sys.stdout.write(HEAD)
    with tempfile.TemporaryDirectory() as temporary:
        for meeting in MEETINGS:
            if given.variants and meeting[0] not in given.variants:
                continue
            folder = (given.folder or Path(temporary)) / "-".join(meeting)
            row = measure(
                meeting, games=given.games, jobs=given.jobs, seed=given.seed, folder=folder
            )
            rows.append(row)
            sys.stdout.write(f"{row.line()}\n")
            sys.stdout.flush()
    if given.write:
        measured = {row.meeting: row for row in (*published(), *rows)}
        lines = "".join(f"{measured[each].line()}\n" for each in MEETINGS if each in measured)
        text = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(TABLE.sub(lambda _: HEAD + lines, text), encoding="utf-8")
    changed = [*differences(rows)] if given.check else []
    sys.stdout.writelines(f"{each}\n" for each in changed)
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
