"""A round of a Swiss tournament in which two meet.

It is the cheapest matching of all entrants, and of a bye if their number is odd. These cost, the
most expensive first:

- a bye for an entrant that ranks high, or has won a walkover already
- the difference in points between opponents
- the square of that, so that two small steps are better than a long one
- an entrant that was named first more often than second, and is first again
- meeting an opponent with fewer points, or with more, twice in a row
- the distance from the slide: among those with equal points the best of the upper half meets the
  best of the lower half; if one has to meet an entrant with fewer points, it is the last of them,
  and it meets the first of those below

If few take part, a dearer matching is taken where the cheapest would leave fewer of the planned
rounds.
"""

from collections.abc import Mapping

from arena.domain.formats import swiss_ahead
from arena.domain.formats.swiss_ahead import Pair
from arena.domain.formats.swiss_history import History

Cost = tuple[int, ...]  # whole numbers from 0, the most important first

_MOST_EXCESS = 2  # firsts beyond seconds; more only if nothing else is possible


def pair(history: History, *, ahead: int = 0) -> tuple[tuple[int, ...], ...] | None:
    """Return who meets whom, places in order, best first, the bye last; None if there is no way.

    Nobody meets anybody twice, and nobody gets a second bye. `ahead` is the number of rounds that
    are planned after this one.
    """
    nodes = len(history.order) + len(history.order) % 2
    costs = _costs(history)
    fair = {
        pair: cost
        for pair, cost in costs.items()
        if pair[1] == len(history.order)  # a bye
        or max(map(abs, _excesses_after(history, pair))) <= _MOST_EXCESS
    }
    pairs = _cheapest(nodes, fair) or _cheapest(nodes, costs)
    if pairs is None:
        return None
    if ahead and nodes <= swiss_ahead.FEW:
        pairs = _leaving_rounds(pairs, nodes, costs, fair, ahead)
    return tuple(_seated(history, index, pair) for index, pair in enumerate(pairs))


def _leaving_rounds(
    cheapest: tuple[Pair, ...],
    nodes: int,
    costs: Mapping[Pair, Cost],
    fair: Mapping[Pair, Cost],
    ahead: int,
) -> tuple[Pair, ...]:
    """Return the cheapest matching after which as many of the rounds ahead remain as possible."""
    graph = swiss_ahead.graph_of(costs, nodes)
    while ahead and not swiss_ahead.has_rounds(graph, ahead + 1):
        ahead -= 1

    def leaves(pairs: tuple[Pair, ...]) -> bool:
        return swiss_ahead.has_rounds(swiss_ahead.without(graph, pairs), ahead)

    def dear(pairs: tuple[Pair, ...]) -> tuple[bool, list[int], tuple[Pair, ...]]:
        sums = [sum(level) for level in zip(*(costs[pair] for pair in pairs), strict=True)]
        return not all(pair in fair for pair in pairs), sums, pairs

    if leaves(cheapest):
        return cheapest
    others = sorted(swiss_ahead.matchings(graph), key=dear)
    return next((pairs for pairs in others if leaves(pairs)), cheapest)


def _costs(history: History) -> dict[Pair, Cost]:
    """Return the cost of every pair that may meet; the bye is the node after the last."""
    order = history.order
    # By node its place among those with equal points, from 0, and their number.
    points = [history.points[entrant] for entrant in order]
    groups = [(node - points.index(own), points.count(own)) for node, own in enumerate(points)]
    costs: dict[Pair, Cost] = {}
    for low, entrant in enumerate(order):
        if len(order) % 2 and entrant not in history.had_bye:
            above = len(order) - 1 - low
            walked_over = entrant in history.had_walkover
            costs[low, len(order)] = (above + walked_over * len(order), 0, 0, 0, 0, 0)
        for lower in range(low + 1, len(order)):
            if order[lower] not in history.met[entrant]:
                costs[low, lower] = _cost(history, groups, (low, lower))
    return costs


def _cost(history: History, groups: list[tuple[int, int]], pair: Pair) -> Cost:
    upper, lower = (history.order[node] for node in pair)
    apart = history.points[upper] - history.points[lower]
    drifts = 0 if not apart else (history.drift[upper] > 0) + (history.drift[lower] < 0)
    # The squares of the excesses, without what odd numbers cannot avoid.
    places = sum(excess**2 - excess % 2 for excess in _excesses_after(history, pair))
    return (0, apart, apart**2, places, drifts, _off_slide(groups, pair))


def _off_slide(groups: list[tuple[int, int]], pair: Pair) -> int:
    (upper_place, upper_size), (lower_place, _) = groups[pair[0]], groups[pair[1]]
    if pair[1] - pair[0] == lower_place - upper_place:  # of one group
        return (2 * (lower_place - upper_place) - upper_size) ** 2
    return 4 * (upper_size - 1 - upper_place) ** 2 + 4 * lower_place**2


def _excess(history: History, entrant: int) -> int:
    """Return how much more often an entrant was named first than second."""
    first, second = history.places[entrant]
    return first - second


def _excesses_after(history: History, pair: Pair) -> tuple[int, int]:
    """Return the excesses of a pair after it meets; the one that has more is named second."""
    less, more = sorted(_excess(history, history.order[node]) for node in pair)
    return less + 1, more - 1


def _seated(history: History, index: int, pair: Pair) -> tuple[int, ...]:
    """Return the entrants, first the one that was first less often.

    Equals take turns down the list, and a lot decides who begins.
    """
    entrants = [history.order[node] for node in pair if node < len(history.order)]
    if len(entrants) == 1:
        return (entrants[0],)
    turned = (history.lot() + index) % 2 == 1
    one, other = reversed(entrants) if turned else entrants
    return (other, one) if _excess(history, other) < _excess(history, one) else (one, other)


def _cheapest(nodes: int, costs: Mapping[Pair, Cost]) -> tuple[Pair, ...] | None:
    """Pair the nodes 0, 1, … so that the sum of the first costs is smallest, then of the others.

    `costs` has the pairs that are allowed, the smaller node first. Return the pairs in order, or
    None if a node would be left over. The same costs always give the same pairs.
    """
    import networkx as nx  # noqa: PLC0415 - 0.2 s of CPU, which most processes can do without

    # Each cost becomes one whole number; a cheaper pair has a larger one. The unit of each level is
    # larger than all that the levels after it can add up to.
    levels = list(zip(*costs.values(), strict=True))
    units, unit = [], 1
    for level in reversed(levels):
        units.append(unit)
        unit *= 1 + nodes // 2 * max(level)
    units.reverse()
    totals = {
        pair: sum(part * unit for part, unit in zip(cost, units, strict=True))
        for pair, cost in costs.items()
    }
    most = max(totals.values(), default=0)
    weights = {pair: most - total for pair, total in totals.items()}
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(nodes))
    graph.add_weighted_edges_from((*pair, weights[pair]) for pair in sorted(costs))
    matched = nx.max_weight_matching(graph, maxcardinality=True)
    if 2 * len(matched) < nodes:
        return None
    return tuple(sorted((min(pair), max(pair)) for pair in matched))
