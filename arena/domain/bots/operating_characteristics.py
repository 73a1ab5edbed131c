"""How a trial will end, and after how many games: the operating characteristics of its SPRT.

By the central limit theorem the two LLRs of `sprt` move like sums of normal steps: a result whose
mean is t1 standard deviations above 0.5 under "better", and t under the truth, adds t1 z - t1² / 2
to the LLR of "better" and -t1 z - t1² / 2 to that of "worse", with z normal around t. So both
follow from the sum of t1 z. Its distribution is carried from result to result on a grid, and what
passes a bound ends there. (D. Siegmund, Sequential Analysis, 1985.)
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from botkit import sprt
from botkit.sprt import GAMES_IN_A_PAIR, PANEL_EVERY, Design

CELLS_PER_STEP = 12  # of the grid, for one standard deviation of the smaller kind of step
TAIL = 6.0  # standard deviations after which a normal distribution is cut off


@dataclass(frozen=True, slots=True)
class Characteristics:
    """The probabilities of the verdicts, of no verdict, and the mean number of games."""

    better: float
    worse: float
    level: float
    unknown: float
    games: float


@lru_cache(maxsize=64)
def of(*, design: Design, nelo: float, max_games: int) -> Characteristics:
    """Return how trials of a version end that is better by `nelo` normalized Elo."""
    head, panel = sprt.head_deviations(design.nelo1), sprt.panel_deviations(design.nelo1)
    cell = panel / CELLS_PER_STEP
    most = design.upper + max_games / GAMES_IN_A_PAIR * head**2 / 2 + TAIL * head
    sums = np.arange(-round(most / cell), round(most / cell) + 1) * cell
    running = np.isclose(sums, 0.0, atol=cell / 2).astype(float)
    kernels = {
        head: _kernel(head, sprt.head_deviations(nelo), cell),
        panel: _kernel(panel, sprt.panel_deviations(nelo), cell),
    }
    better = worse = level = games = 0.0
    played = pieces = 0
    spent = 0.0  # the sum of t1²
    while played < max_games:
        pieces += 1
        is_panel = pieces % PANEL_EVERY == 0
        step = panel if is_panel else head
        cost = GAMES_IN_A_PAIR * (2 if is_panel else 1)
        games += cost * running.sum()
        played += cost
        spent += step**2
        running = np.convolve(running, kernels[step], mode="same")
        ends_better = sums - spent / 2 >= design.upper
        ends_worse = -sums - spent / 2 >= design.upper
        ends_level = np.abs(sums) - spent / 2 <= design.lower
        better += running[ends_better].sum()
        worse += running[ends_worse].sum()
        level += running[ends_level].sum()
        running[ends_better | ends_worse | ends_level] = 0.0
    return Characteristics(
        float(better), float(worse), float(level), float(running.sum()), float(games)
    )


def _kernel(step: float, truth: float, cell: float) -> NDArray[np.float64]:
    """Return the distribution of `step` times a normal variable around `truth`, in cells."""
    reach = int(np.ceil(step * (abs(truth) + TAIL) / cell))
    moved = np.arange(-reach, reach + 1) * cell
    weights = np.exp(-(((moved / step) - truth) ** 2) / 2)
    return np.asarray(weights / weights.sum())
