"""The naive siege with players who bring about what chance alone hardly would."""

from tests.independent.naive import Naive
from tests.independent.siege_rules import CIRCLES, Siege, place_of, seen


def places(action):
    """Give where a move starts and ends, or None twice for a pass."""
    if action == "pass":
        return None, None
    start, end = action.partition("!")[0].split("-")
    return place_of(start), place_of(end)


def storm(game, legal, rng):
    """Besiegers go for the gates and in; the garrison lets them."""
    moves = [(action, *places(action)) for action in legal if "!" not in action]
    if "pass" in legal:
        return "pass"
    if game.mover() == "garrison":
        return rng.choice([action for action, _, end in moves if end not in game.at] or legal)
    inwards = [action for action, start, end in moves if end in CIRCLES and start not in CIRCLES]
    return rng.choice(inwards or nearer(game, moves) or legal)


def shut_in(game, legal, rng):
    """Besiegers stand before the gates and do not enter; the garrison stays in its fort."""
    moves = [(action, *places(action)) for action in legal if "!" not in action]
    if "pass" in legal:
        return "pass"
    if game.mover() == "garrison":
        home = [action for action, start, end in moves if end in CIRCLES and start not in CIRCLES]
        return rng.choice(
            home or [action for action, _, end in moves if end not in game.at] or legal
        )
    outside = [move for move in moves if move[2] not in CIRCLES]
    return rng.choice(nearer(game, outside) or legal)


def take_all(game, legal, rng):
    """The garrison takes what it can; the besiegers walk towards it."""
    takes = [action for action in legal if places(action)[1] in game.at]
    return rng.choice(takes or legal)


def nearer(game, moves):
    """Choose the moves that bring a piece closer to a free square before a gate."""
    free = [square for _, square in game.exits if square not in game.at]
    return [
        action
        for action, start, end in moves
        if start not in CIRCLES and end not in CIRCLES
        if any(distance(end, square) < distance(start, square) for square in free)
        if start not in [square for _, square in game.exits]
    ]


def distance(one, other):
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


NAIVE = Naive(
    begin=Siege,
    seen=seen,
    plans=(storm, shut_in, take_all),
    cap="max_plies",
    endings=frozenset(
        (
            *("fort_entered", "garrison_blocked", "besiegers_destroyed", "soldier_in_fort"),
            *("ply_cap", "no_progress_cap"),
        )
    ),
)
