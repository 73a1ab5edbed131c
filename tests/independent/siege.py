"""The naive siege with players who bring about what chance alone hardly would."""

from tests.independent.naive import Naive
from tests.independent.siege_board import CIRCLES, place_of
from tests.independent.siege_rules import Siege


def seen(view):
    """Put the engine's full view into the words of `Siege.board`."""
    return {
        "ply": view["ply"],
        "turn": None if view["phase"] == "over" else view["turn"],
        "quiet": view["no_progress_plies"],
        "captured": sorted((gone["seat"], gone["rank"]) for gone in view["captured"]),
        "inside": (view["inside"]["soldiers"], view["inside"]["officers"]),
        "taken": (view["taken"]["soldiers"], view["taken"]["officers"]),
        "demand": view["demand"] if view["phase"] != "over" else None,
        "pieces": {
            piece["square"]: (piece["seat"], piece["rank"], piece["bound"])
            for piece in view["pieces"]
        },
    }


def places(action):
    """Return where a move starts and ends, or None twice where nothing moves."""
    if "-" not in action:
        return None, None
    start, end = action.partition("!")[0].split("-")
    return place_of(start), place_of(end)


def storm(game, legal, rng):
    """Besiegers go for the gates and in; the garrison lets them."""
    moves = [(action, *places(action)) for action in legal if "!" not in action]
    if game.mover() == "garrison" or "pass" in legal:
        return rng.choice([action for action, _, end in moves if end not in game.at] or legal)
    inwards = [action for action, start, end in moves if enters(start, end)]
    return rng.choice(inwards or nearer(game, moves) or legal)


def shut_in(game, legal, rng):
    """Besiegers stand before the gates and do not enter; the garrison stays in its fort."""
    moves = [(action, *places(action)) for action in legal if "!" not in action]
    before = [square for _, square in game.exits]
    if game.mover() == "garrison" or "pass" in legal:
        home = [action for action, start, end in moves if enters(start, end) and rng.below(6)]
        near = [move for move in moves if move[2] in CIRCLES or move[2] in before]
        quiet = [action for action, _, end in near if end not in game.at]
        return rng.choice(home or quiet or legal)
    walks = [move for move in moves if move[1] not in before and move[2] not in CIRCLES]
    full = not any(circle not in game.at for circle in CIRCLES)
    shut = [action for action, _, end in walks if end in before and full]
    others = [move for move in walks if move[2] not in before]
    on = shut or (nearer(game, others) if rng.below(3) else [])
    return rng.choice(on or [action for action, _, _ in others] or legal)


def take_all(game, legal, rng):
    """The garrison takes what it can."""
    takes = [action for action in legal if places(action)[1] in game.at]
    return rng.choice(takes or legal)


def enters(start, end):
    return end in CIRCLES and start not in CIRCLES


def nearer(game, moves):
    """Choose the moves that bring a piece closest to a free square before a gate."""
    free = [square for _, square in game.exits if square not in game.at]
    walks = [
        (distance(end, square), action)
        for action, start, end in moves
        if start not in CIRCLES and end not in CIRCLES
        for square in free
        if distance(end, square) < distance(start, square)
    ]
    return [action for far, action in walks if far == min(walks)[0]]


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
