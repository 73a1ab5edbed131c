"""Naive duels with players who bring about what chance alone hardly would."""

from tests.independent.duel import OTHER, Duel, name, seen, squares, way
from tests.independent.naive import Naive


def duel(game, rules=Duel, drafts=()):
    """Return the naive game with the numbers of one duel."""
    return Naive(
        begin=lambda options, view: rules(game, options),
        seen=seen,
        plans=(even_fight, to_and_fro, hunt),
        drafts=drafts,
        cap="max_plies",
        endings=frozenset(
            ("flag_captured", "no_moves", "both_immobile", "ply_cap", "no_attack_cap")
        ),
    )


def even_fight(game, legal, rng):
    """Let armies dwindle together: strike equals, and bombs with miners; else bring some closer."""
    own = squares(rng.choice(legal))[0]
    quiet = [action for action in legal if squares(action)[1] not in game.at]
    chosen, nearest = rng.choice(quiet or legal), 99
    for start, end in map(squares, legal):
        for there, enemy in game.at.items():
            even = (game.at[start]["rank"], enemy["rank"])
            if enemy["seat"] == game.to_move or (even[0] != even[1] and even != ("3", "B")):
                continue
            strikes_or_walks = there == end or (start == own and end not in game.at)
            if strikes_or_walks and distance(end, there) < nearest:
                chosen, nearest = name(start) + name(end), distance(end, there)
    return chosen


def to_and_fro(game, legal, rng):
    """Go back to where the last own move came from, now and then with a scout on its way."""
    last = game.series[game.to_move]
    if last is None:
        return rng.choice(legal)
    between = way(*last["squares"])
    back = [
        action
        for action in legal
        if squares(action)[0] == last["squares"][1] and squares(action)[1] in between
    ]
    return rng.choice(back or legal)


def hunt(game, legal, rng):
    """As red run after the piece that has moved, as blue run away; nobody strikes."""
    other = game.series[OTHER[game.to_move]]
    quiet = [action for action in legal if squares(action)[1] not in game.at]
    if other is None or not quiet:
        return rng.choice(quiet or legal)
    enemy = other["squares"][1]
    if game.to_move == "red":
        return min(quiet, key=lambda action: distance(squares(action)[1], enemy))
    return rng.choice([a for a in quiet if distance(squares(a)[0], enemy) == 1] or quiet)


def distance(one, other):
    return abs(one[0] - other[0]) + abs(one[1] - other[1])
