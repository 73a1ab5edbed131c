"""What a bot's clock is charged for a ply under one OCI runtime and under `runc`.

It is CPU time, so a busy machine changes it little. Both sides play the messages of the same game
and take turns. Prints `{"ours": [us per ply, …], "theirs": […]}`, one of each for every round.
"""

import argparse
import json
import os
from itertools import cycle, islice

from benchmarks.players import told
from benchmarks.players.trips import check, lines, our_table, start, under
from engine.protocol import Answer, Ask
from sandbox.table import BotTable

PLIES = 200  # of one side before the other has its turn


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runtime", default="runsc", help="the OCI runtime of our bots")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, help="taken and not needed: plies are counted")
    given = parser.parse_args()
    options = {"processor": min(os.sched_getaffinity(0)), "plies": told.PLIES_MAX}
    ours: list[float] = []
    theirs: list[float] = []
    with our_table(under(given.runtime)) as table, our_table(under("runc")) as other:
        start(table, options)
        start(other, options)
        charged_us(table)  # the first plies of a program cost more
        charged_us(other)
        for _ in range(given.rounds):
            ours.append(charged_us(table))
            theirs.append(charged_us(other))
    print(json.dumps({"ours": ours, "theirs": theirs}))


def charged_us(table: BotTable) -> float:
    """Return what a ply is charged on average."""
    charged_ms = 0.0
    for seat, line in islice(cycle(lines()), PLIES):
        answers = table.ask({seat: Ask(line, 5_000.0)})
        check(answers)
        answer = answers[seat]
        charged_ms += answer.charged_ms if isinstance(answer, Answer) else 0.0
    return charged_ms / PLIES * 1000


if __name__ == "__main__":
    main()
