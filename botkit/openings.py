"""Opening set-ups from a file, for games that all begin alike: both bots of a pair play each."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from botkit.games import HomeGame, Terms
from engine.record import Played
from engine.referee import Forfeit, apply_action
from engine.registry import find

Opening = tuple[str, ...]


class BadOpenings(ValueError):
    """A file of openings that cannot be played; the text says which line and why."""


def read_openings(path: Path) -> tuple[Opening, ...]:
    """Return the set-ups of each line of a file, those of a line in the order of the seats.

    Raise BadOpenings.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        why = problem.strerror if isinstance(problem, OSError) else "it is no text in UTF-8"
        raise BadOpenings(f"{path}: cannot be read: {why}") from problem
    set_ups = (line.partition("#")[0].split() for line in lines)
    openings = tuple(tuple(words) for words in set_ups if words)
    if not openings:
        raise BadOpenings(f"{path}: there is no line with set-ups")
    return openings


def opened(game: HomeGame, opening: Opening, terms: Terms) -> HomeGame:
    """Return the game with the set-ups of an opening in place of those of the bots.

    Raise BadOpenings for set-ups that the rules refuse in this game.
    """
    variant = find(terms.variant)
    state = variant.begin(terms.options, game.rng_seed)
    seats = list(variant.asked(state)) if variant.phase(state) == "deploy" else []
    if len(seats) != len(opening):
        needed = f"{len(seats)} ({', '.join(seats)})" if seats else "none"
        raise BadOpenings(f"{_told(opening)}: {terms.variant} needs {needed}, not {len(opening)}")
    for seat, action in zip(seats, opening, strict=True):
        refused = apply_action(variant, state, seat, action)
        if isinstance(refused, Forfeit):
            raise BadOpenings(f"{_told(opening)}: the set-up of {seat} is {refused.detail}")
    recorded = (Played(seat, action, 0) for seat, action in zip(seats, opening, strict=True))
    return replace(game, recorded=tuple(recorded), from_ply=1)


def _told(opening: Sequence[str]) -> str:
    return f"the opening {' '.join(opening)[:60]!r}"
