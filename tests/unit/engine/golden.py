"""Golden games and counts: text that anybody can read, and other implementations can check.

`python -m tests.unit.engine.golden` plays the games of `golden/*.txt` again from their first lines
and writes them and the counts; look at the difference before you commit it. With `--counts` it
prints the counts as a table instead.
"""

import argparse
import json
import re
from pathlib import Path
from typing import Any

from engine.registry import find, resolve_options, variants
from engine.rng import Rng
from engine.variant import FULL, Variant
from tests.unit.engine.games import folder_of, is_opening, random_game
from tests.unit.engine.textboard import boards

HEADER = re.compile(r"(?P<name>\S+) rng_seed=(?P<rng_seed>[0-9]+) (?P<options>\{.*\})")
DEPTH = 3
WIDE = 3000  # lines of play beyond which one ply more is not counted


def golden_games(slug: str) -> list[Path]:
    """Find the golden games of a variant."""
    return sorted((folder_of(slug) / "golden").glob("*.txt"))


def replayed(game: Path) -> str:
    """Play a golden game again from its first line."""
    first = HEADER.fullmatch(game.read_text("utf-8").splitlines()[0])
    assert first is not None, f"{game}: the first line must be like `general@1 rng_seed=1 {{}}`"
    return playthrough(find(first["name"]), int(first["rng_seed"]), json.loads(first["options"]))


def playthrough(variant: Variant[Any], rng_seed: int, given: dict[str, Any]) -> str:
    """Tell a random game ply by ply: what happened, how many choices there were, and the board."""
    lines = [f"{variant.name} rng_seed={rng_seed} {json.dumps(given)}"]
    for state, seat, action in random_game(variant, rng_seed, given):
        if is_opening(variant, state):
            lines.append(f"{seat} deploys {action}")
            continue
        if not seat or variant.ply(state) % 20 == 0:
            views = [variant.view(state, observer) for observer in (FULL, seat or FULL)]
            lines += boards([variant.scene(view) for view in views])
        if seat:
            lines.append(told(variant, state, seat, action))
    result = variant.result(state)
    assert result is not None
    return "\n".join(
        [*lines, f"{result.termination} {dict(result.points or {})} {result.detail}", ""]
    )


def told(variant: Variant[Any], state: Any, seat: str, action: str) -> str:
    """Return one line: the ply, the action, among how many, and what came of it."""
    before = variant.view(state, FULL)
    legal = variant.legal(state, seat)
    choices = "any" if legal is None else len(legal)
    events = variant.apply(variant.copy(state), seat, action)
    said = "; ".join(variant.describe(event.seen_by(FULL), before)[1] for event in events)
    return f"{before['ply'] + 1:>4} {action:<6} of {choices:>3}  {said}"


def counts(variant: Variant[Any], depth: int = DEPTH) -> list[dict[str, Any]]:
    """Count the lines of play of 1, 2, 3 plies from the opening and from the middle of a game."""
    return [
        _counted(variant, 0, depth),
        next(told for plies in (30, 15, 7, 3) if (told := _counted(variant, plies, depth))),
    ]


def _counted(variant: Variant[Any], plies: int, depth: int) -> dict[str, Any]:
    """Count from a random position; nothing where the game is over before."""
    rng = Rng(2026, f"counts {plies}")
    state = variant.begin(resolve_options(variant, {}), 1)
    deployments = {}
    while is_opening(variant, state):
        for seat in variant.asked(state):
            deployments[seat] = variant.sample(state, seat, rng)
            variant.apply(state, seat, deployments[seat])
    moves: list[str] = []
    while len(moves) < plies and variant.result(state) is None:
        (seat,) = variant.asked(state)
        moves.append(variant.sample(state, seat, rng))
        variant.apply(state, seat, moves[-1])
    if variant.result(state) is not None:
        return {}
    return {**deployments, "moves": " ".join(moves), "counts": perfts(variant, state, depth)}


def perfts(variant: Variant[Any], state: Any, depth: int) -> list[int]:
    """Count the lines of play of each length, as far as they are not too many."""
    numbers = [perft(variant, state, 1)]
    while len(numbers) < depth and numbers[-1] <= WIDE:
        numbers.append(perft(variant, state, len(numbers) + 1))
    return numbers


def perft(variant: Variant[Any], state: Any, depth: int) -> int:
    """Count the lines of play of a length; a game that is over has none.

    Where a seat deploys in mid-game its choices are too many to list: one, drawn by lot, counts.
    """
    if variant.result(state) is not None:
        return 0
    (seat,) = variant.asked(state)
    actions = variant.legal(state, seat)
    if actions is None:
        actions = [variant.sample(state, seat, Rng(0, "one of many"))]
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        twin = variant.copy(state)
        variant.apply(twin, seat, action)
        total += perft(variant, twin, depth - 1)
    return total


def table(depth: int) -> str:
    """Write the counts of every variant as a table."""
    heads = "".join(f"{f'{plies} plies' if plies > 1 else '1 ply':>12}" for plies in _upto(depth))
    rows = [f"{'lines of play of':<30}{heads}"]
    for variant in variants().values():
        for position in counts(variant, depth):
            after = len(position["moves"].split())
            where = f"after {after} plies" if after else "from the opening"
            numbers = "".join(f"{number:>12,}" for number in position["counts"])
            rows.append(f"{variant.name:<12}{where:<18}{numbers}")
    return "\n".join(rows)


def _upto(depth: int) -> range:
    return range(1, depth + 1)


def write() -> None:
    """Write every golden file anew."""
    for slug, variant in variants().items():
        for game in golden_games(slug):
            game.write_text(replayed(game), "utf-8")
        text = json.dumps(counts(variant), indent=1) + "\n"
        (folder_of(slug) / "golden" / "counts.json").write_text(text, "utf-8")


def main() -> None:
    """Write the files, or print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--counts", action="store_true", help="print the counts, write nothing")
    parser.add_argument("--depth", type=int, default=DEPTH, help="how many plies to count")
    given = parser.parse_args()
    if given.counts:
        print(table(given.depth))  # noqa: T201 - what it is asked for
    else:
        write()


if __name__ == "__main__":
    main()
