"""Golden games: text that anybody can read, and other implementations can check.

`python -m tests.unit.engine.golden` plays the games of `golden/*.txt` again from their first lines
and writes them; look at the difference before you commit it.
"""

import json
import re
from pathlib import Path
from typing import Any

from engine.registry import find, variants
from engine.variant import FULL, Variant
from tests.unit.engine.games import folder_of, is_opening, random_game
from tests.unit.engine.textboard import boards

HEADER = re.compile(r"(?P<name>\S+) rng_seed=(?P<rng_seed>[0-9]+) (?P<options>\{.*\})")


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


def main() -> None:
    """Write every golden game anew."""
    for slug in variants():
        for game in golden_games(slug):
            game.write_text(replayed(game), "utf-8")


if __name__ == "__main__":
    main()
