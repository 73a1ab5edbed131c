"""How `weights.py` is learned: games against itself, then a network that tells who won them.

`python bots/actuary/learn.py --rounds 7 --games 2000`

The first round plays at random, each later one by what the rounds before it have learned. A network
learns from the positions of the last two rounds. Needs numpy, which the bot does not.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt
from sides import HELD, KNOWN, PLACES, RANKS, SLOTS, STANDING, Side, dealt
from trials import Trials
from worth import Worth

from botkit.ranks import fight

DECK = "FBBBS22223334445566789M"
HIDDEN = 16  # units of the network
WORLDS = 6  # for each choice
EXPLORED = 0.05  # share of the choices that are random
LONGEST = 150  # turns after which a game is a draw
EPOCHS, BATCH, RATE = 3, 256, 0.002

PAGE = '''"""What the network has learned, in hundredths; `learn.py` writes this module."""

# One row for each rank (F B S 2 ... M) unknown in the line, known, in the hand, in the pile: of the
# side that has moved, then of the side that is to move. One column for each hidden unit.
INNER = """
{}
"""
BIAS = "{}"
OUTER = "{}"
LAST = {}
'''

Floats = npt.NDArray[np.float32]


@dataclass
class Game:
    """A game against itself. Without a network, all choices are random."""

    worth: Worth | None
    rng: random.Random
    rows: list[list[int]] = field(default_factory=list)  # after each turn, as the network sees it
    movers: list[int] = field(default_factory=list)

    def play(self) -> list[float]:
        """Play, and return for each row what the side got that had moved."""
        sides = [dealt(self.rng.sample(DECK, len(DECK))) for _ in range(2)]
        for side in sides:  # any line will do for the other side to choose its own
            side.line, side.hand = side.hand[:SLOTS], side.hand[SLOTS:]
        for own, enemy in (sides, sides[::-1]):
            own.line, own.hand = [""] * SLOTS, own.line + own.hand
            self.fill(own, enemy)
        for turn in range(LONGEST):
            mover = turn % 2
            winner = self.turn(sides[mover], sides[1 - mover])
            if winner is not None:
                return [float(seat == (mover if winner else 1 - mover)) for seat in self.movers]
            self.rows.append(row(sides[mover], sides[1 - mover]))
            self.movers.append(mover)
        return [0.5] * len(self.movers)

    def turn(self, own: Side, enemy: Side) -> bool | None:
        """Play one turn; return whether the side has won, or None while the game goes on."""
        while own.pile and len(own.hand) < HELD:
            own.hand.append(own.pile.pop())
        if own.stuck(SLOTS):
            return False
        slot, targets, attacks = self.choose(own, enemy)
        own.known[slot] = True
        for target in targets:
            enemy.known[target] = True
        if attacks:
            (target,) = targets
            end = fight(own.line[slot], enemy.line[target], top="M")
            if enemy.line[target] == "F":
                return True
            if end <= 0:
                own.line[slot], own.known[slot] = "", False
            if end >= 0:
                enemy.line[target], enemy.known[target] = "", False
        self.fill(own, enemy)
        return None

    def choose(self, own: Side, enemy: Side) -> tuple[int, Sequence[int], bool]:
        """Return the slot that acts, the slots that it acts on, and whether it attacks."""
        occupied = [slot for slot in range(SLOTS) if enemy.line[slot]]
        secret = [slot for slot in occupied if not enemy.known[slot]]
        plays: list[tuple[int, Sequence[int], bool]] = []
        for slot, rank in enumerate(own.line):
            if rank and rank not in STANDING:
                plays += [(slot, (target,), True) for target in occupied]
            if rank == "2" and secret:
                plays += [(slot, two, False) for two in combinations(secret, min(2, len(secret)))]
        if self.worth is None or self.rng.random() < EXPLORED:
            return self.rng.choice(plays)
        trials = self.trials(own, enemy, self.worth)
        return max(
            plays,
            key=lambda play: (
                trials.attack(play[0], play[1][0]) if play[2] else trials.look(play[0], play[1])
            ),
        )

    def fill(self, own: Side, enemy: Side) -> None:
        """Fill the gaps of a line."""
        gaps = [slot for slot in range(SLOTS) if not own.line[slot]]
        if self.worth is None or self.rng.random() < EXPLORED:
            laid = self.rng.choice(own.fillings(len(gaps)))
        else:
            _, laid = self.trials(own, enemy, self.worth).best_filling()
        for slot, rank in zip(gaps, self.rng.sample(laid, len(laid)), strict=False):
            own.line[slot] = rank
            own.hand.remove(rank)

    def trials(self, own: Side, enemy: Side, worth: Worth) -> Trials:
        """Return trials in which the enemy's unknown cards are dealt anew."""
        worlds = []
        for _ in range(WORLDS):
            secret = [rank for at, rank in enemy.cards() if at != KNOWN]
            self.rng.shuffle(secret)
            line = [
                secret.pop() if rank and not known else rank
                for rank, known in zip(enemy.line, enemy.known, strict=True)
            ]
            hand, pile = secret[: len(enemy.hand)], secret[len(enemy.hand) :]
            worlds.append(Side(line, enemy.known, hand, pile))
            worlds[-1].hide_flag(self.rng)
        return Trials(worth, own, worlds)


def row(moved: Side, to_move: Side) -> list[int]:
    """Count the cards of each rank in each place, of both sides."""
    counts = [Counter(side.cards()) for side in (moved, to_move)]
    return [count[place, rank] for count in counts for place in PLACES for rank in RANKS]


def fitted(rows: Floats, results: Floats, dice: np.random.Generator) -> list[Floats]:
    """Return a network that tells the results of rows, found by Adam (arxiv.org/abs/1412.6980)."""
    network = [
        dice.uniform(-0.25, 0.25, shape).astype(np.float32)
        for shape in ((rows.shape[1], HIDDEN), HIDDEN, HIDDEN, 1)
    ]
    means, squares = ([np.zeros_like(part) for part in network] for _ in range(2))
    last_step = max(1, EPOCHS * len(rows) // BATCH)
    for step in range(1, last_step + 1):
        chosen = dice.integers(len(rows), size=BATCH)
        rate = RATE * max(0.03, 1 - step / last_step)
        for part, mean, square, slope in zip(
            network, means, squares, slopes(network, rows[chosen], results[chosen]), strict=True
        ):
            mean[...] += 0.1 * (slope - mean)
            square[...] += 0.001 * (slope * slope - square)
            unbiased = mean / (1 - 0.9**step), square / (1 - 0.999**step)
            part[...] -= rate * unbiased[0] / (np.sqrt(unbiased[1]) + 1e-8)
    return network


def slopes(network: Sequence[Floats], rows: Floats, results: Floats) -> list[Floats]:
    """Return the derivatives of the mean cross entropy by each part of a network."""
    inner, bias, outer, last = network
    units = np.maximum(rows @ inner + bias, 0)
    errors = (1 / (1 + np.exp(-(units @ outer + last))) - results) / len(rows)
    back = np.outer(errors, outer) * (units > 0)
    return [rows.T @ back, back.sum(axis=0), units.T @ errors, errors.sum(keepdims=True)]


def written(network: Sequence[Floats]) -> tuple[str, str, str, float]:
    """Return a network as `Worth` reads it, in hundredths."""
    inner, bias, outer = (
        "\n".join(
            " ".join(f"{round(100 * float(x)):4d}" for x in line) for line in np.atleast_2d(part)
        )
        for part in network[:3]
    )
    return inner, bias, outer, round(float(network[3][0]), 3)


def main() -> None:
    """Learn, and write what was learned."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--games", type=int, default=2000, help="in each round")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--to", type=Path, default=Path(__file__).with_name("weights.py"))
    given = parser.parse_args()
    rng = random.Random(given.seed)  # noqa: S311 - games, not secrets
    dice = np.random.default_rng(given.seed)
    worth: Worth | None = None
    before: tuple[list[list[int]], list[float]] = [], []
    for number in range(1, given.rounds + 1):
        rows: list[list[int]] = []
        results: list[float] = []
        for _ in range(given.games):
            game = Game(worth, rng)
            results += game.play()
            rows += game.rows
        both = np.array(before[0] + rows, np.float32), np.array(before[1] + results, np.float32)
        numbers = written(fitted(*both, dice))
        worth, before = Worth(*numbers), (rows, results)
        given.to.write_text(PAGE.format(*numbers), encoding="utf-8")
        sys.stdout.write(f"round {number}: {len(rows)} positions\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
