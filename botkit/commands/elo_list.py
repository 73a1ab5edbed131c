"""What `drapeau bench --round-robin` shows: an Elo list of all bots, from all games at once."""

from itertools import pairwise
from typing import Any

from rich.markup import escape
from rich.table import Table

from botkit.bench import Bench
from botkit.strengths import Estimate, Strengths

NAME_CELLS = 10  # of a name in a terminal of 80


def table(bench: Bench) -> Table:
    """Return the list as a table, the strongest bot first."""
    title = escape(f"{bench.plan.terms.variant}, round robin: {bench.games} games")
    shown = Table(title=title, title_justify="left")
    shown.add_column("bot", min_width=NAME_CELLS)
    for heading in ("Elo", "95 %", "step", "95 %", "games", "ms"):
        shown.add_column(heading, justify="right", no_wrap=True)
    strengths = bench.strengths()
    steps = _steps(strengths)
    for place in strengths.order():
        shown.add_row(
            escape(bench.names[place]),
            *_cells(strengths.of(place)),
            *(_cells(steps[place]) if place in steps else ("", "")),
            str(bench.points(place)[1]),
            f"{bench.thought_ms(place):.1f}",
        )
    return shown


def as_json(bench: Bench) -> list[dict[str, Any]]:
    """Return the list, the strongest bot first."""
    strengths = bench.strengths()
    steps = _steps(strengths)
    rows = []
    for place in strengths.order():
        points, games = bench.points(place)
        rows.append(
            {
                "name": bench.names[place],
                **_numbers(strengths.of(place)),
                "step": _numbers(steps[place]) if place in steps else None,
                "points": points,
                "games": games,
                "ms_an_action": round(bench.thought_ms(place), 2),
            }
        )
    return rows


def _steps(strengths: Strengths) -> dict[int, Estimate]:
    """Return by how much each bot is stronger than the next one."""
    return {bot: strengths.gap(bot, next_) for bot, next_ in pairwise(strengths.order())}


def _cells(estimate: Estimate) -> tuple[str, str]:
    return f"{estimate.elo:+.0f}", f"{estimate.low:+.0f} to {estimate.high:+.0f}"


def _numbers(estimate: Estimate) -> dict[str, float]:
    elo, low, high = (round(value, 1) for value in estimate)
    return {"elo": elo, "elo_low": low, "elo_high": high}
