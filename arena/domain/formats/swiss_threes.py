"""A round of a Swiss tournament in which three meet: groups of three, found by search.

There is no quick exact method for groups of three. So this begins with a grouping, and exchanges
entrants between two groups as long as that makes it cheaper. These cost, the most expensive first:
two that have met before; the squares of the differences in points within a group; and the distance
from the slide, in which those with equal points are cut into thirds and the best of each third
meet. If repeats are left, the search starts again from lots, and at last tries all groupings. Its
work is bounded, and only the history and its seed decide.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, pairwise, permutations

from arena.domain.formats.swiss_history import History

Cost = tuple[int, int, int]  # repeats, points apart, off the slide
Group = tuple[int, ...]  # nodes: places in the order of those who play

_SIZE = 3
_SWEEPS = 30  # through all exchanges of two
_STARTS = 8  # the slide first, then lots
_STEPS = 100_000  # of the last search, for all choices of byes together
_RESTINGS = 100  # choices of who has a bye


def group(history: History) -> tuple[tuple[int, ...], ...] | None:
    """Return who meets whom, places in order, best first, byes last; None if none was found.

    Nobody meets anybody twice, and nobody gets a second bye.
    """
    steps = iter(range(_STEPS))
    # Who could have the byes, the lowest first; those with a walkover come last.
    free = [entrant for entrant in reversed(history.order) if entrant not in history.had_bye]
    free.sort(key=lambda entrant: entrant in history.had_walkover)
    restings = combinations(free, len(history.order) % _SIZE)
    for resting in islice(restings, _RESTINGS):
        order = [entrant for entrant in history.order if entrant not in resting]
        points = tuple(history.points[entrant] for entrant in order)
        node_of = {entrant: node for node, entrant in enumerate(order)}
        field = _Field(
            history=history,
            order=tuple(order),
            points=points,
            met=tuple(
                frozenset(node_of[other] for other in history.met[entrant] if other in node_of)
                for entrant in order
            ),
            slides=tuple(
                (node - points.index(own), points.count(own)) for node, own in enumerate(points)
            ),
        )
        groups = _search(field, steps)
        if groups is not None:
            byes = ((entrant,) for entrant in history.order if entrant in resting)
            return (*(_seated(history, field, nodes) for nodes in sorted(groups)), *byes)
    return None


@dataclass(frozen=True, slots=True)
class _Field:
    """Those who play, as nodes, best first: their points, whom they met, and who shares points.

    `slides` has the place of each among those of equal points, and how many those are.
    """

    history: History
    order: tuple[int, ...]
    points: tuple[int, ...]
    met: tuple[frozenset[int], ...]
    slides: tuple[tuple[int, int], ...]


def _search(field: _Field, steps: Iterator[int]) -> list[Group] | None:
    """Return groups without a repeat, the cheapest of those found first; None if none was found."""
    for start in range(_STARTS):
        groups = _improve(field, _begin(field, start))
        if not any(_cost(field, own)[0] for own in groups):
            return groups
    nodes = frozenset(range(len(field.order)))
    free = {node: nodes - field.met[node] - {node} for node in nodes}
    complete = _complete(free, nodes, steps)
    return _improve(field, complete) if complete is not None else None


def _begin(field: _Field, start: int) -> list[Group]:
    """Return the grouping to begin with: thirds of those with equal points, or by lot."""
    nodes = list(range(len(field.order)))
    if start:
        nodes.sort(key=lambda node: field.history.lot(start, field.order[node]))
    else:
        nodes.sort(key=lambda node: (-field.points[node], _third(*field.slides[node])))
    return [_of(nodes[first : first + _SIZE]) for first in range(0, len(nodes), _SIZE)]


def _third(place: int, size: int) -> tuple[int, int]:
    third = max(1, size // _SIZE)
    return (place % third if place < third * _SIZE else third, place)


def _of(nodes: Iterable[int]) -> Group:
    return tuple(sorted(nodes))


def _cost(field: _Field, nodes: Group) -> Cost:
    repeats = apart = 0
    for one, other in combinations(nodes, 2):
        repeats += other in field.met[one]
        apart += (field.points[one] - field.points[other]) ** 2
    return (repeats, apart, 0 if apart else _off_slide(field, nodes))


def _off_slide(field: _Field, nodes: Group) -> int:
    """Return how far from a third of their number those of a group of equal points are apart."""
    places = [field.slides[node][0] for node in nodes]
    size = field.slides[nodes[0]][1]
    return sum((_SIZE * (lower - upper) - size) ** 2 for upper, lower in pairwise(places))


def _improve(field: _Field, groups: Sequence[Group]) -> list[Group]:
    """Exchange two of different groups as long as that is cheaper; repeats never increase."""
    improved = list(groups)
    costs = [_cost(field, nodes) for nodes in improved]
    for _ in range(_SWEEPS):
        pairs = combinations(range(len(improved)), 2)
        if not sum(_exchange(field, improved, costs, pair) for pair in pairs):
            break
    return improved


def _exchange(field: _Field, groups: list[Group], costs: list[Cost], pair: tuple[int, int]) -> bool:
    """Regroup two groups in the cheapest way, if there is a cheaper one."""
    one, other = pair
    best = _sum(costs[one], costs[other])
    if best == (0, 0, 0):
        return False
    is_better = False
    for new in _exchanges(groups[one], groups[other]):
        new_costs = [_cost(field, nodes) for nodes in new]
        if _sum(*new_costs) < best:
            best = _sum(*new_costs)
            (groups[one], groups[other]), (costs[one], costs[other]) = new, new_costs
            is_better = True
    return is_better


def _exchanges(one: Group, other: Group) -> list[tuple[Group, Group]]:
    """Return the nine ways to exchange one of a group for one of another."""
    return [
        (
            _of([*(node for node in one if node != out), into]),
            _of([*(node for node in other if node != into), out]),
        )
        for out in one
        for into in other
    ]


def _sum(one: Cost, other: Cost) -> Cost:
    return (one[0] + other[0], one[1] + other[1], one[2] + other[2])


def _complete(
    free: dict[int, frozenset[int]], left: frozenset[int], steps: Iterator[int]
) -> list[Group] | None:
    """Group all that are left without repeats; who has the fewest left to meet comes first.

    Return None if that is impossible, or if the steps are used up.
    """
    if not left:
        return []
    node = min(left, key=lambda node: (len(free[node] & left), node))
    for one, other in combinations(sorted(free[node] & left), 2):
        if next(steps, None) is None:
            return None
        if other in free[one]:
            rest = _complete(free, left - {node, one, other}, steps)
            if rest is not None:
                return [_of((node, one, other)), *rest]
    return None


def _seated(history: History, field: _Field, nodes: Group) -> tuple[int, ...]:
    """Order a group so that everybody has every place about equally often; equals by lot."""
    entrants = [field.order[node] for node in nodes]

    def cost(order: tuple[int, ...]) -> tuple[int, int]:
        taken = [history.places[entrant][place] for place, entrant in enumerate(order)]
        return (sum((2 * count + 1) for count in taken), history.lot(*order))

    return min(permutations(entrants), key=cost)
