"""Perfect matchings of least cost: pairs so that nobody is left over."""

from collections.abc import Mapping, Sequence

import networkx as nx

Pair = tuple[int, int]
Cost = tuple[int, ...]  # whole numbers from 0 on, the weightiest first


def cheapest(nodes: int, costs: Mapping[Pair, Cost]) -> tuple[Pair, ...] | None:
    """Pair the nodes 0, 1, … so that the first costs add up to the least, then the others.

    `costs` has the pairs that are allowed, the lesser node first. Return the ordered pairs, or None
    where somebody would be left over. The same costs always give the same pairs.
    """
    weights = _weights(nodes, costs)
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(nodes))
    graph.add_weighted_edges_from((*pair, weights[pair]) for pair in sorted(costs))
    matched = nx.max_weight_matching(graph, maxcardinality=True)
    if 2 * len(matched) < nodes:
        return None
    return tuple(sorted((min(pair), max(pair)) for pair in matched))


def _weights(nodes: int, costs: Mapping[Pair, Cost]) -> dict[Pair, int]:
    """Make one whole number of each cost, the more the cheaper.

    Each level counts in units greater than all that the levels after it can add up to.
    """
    levels = list(zip(*costs.values(), strict=True))
    units = _units([max(level) for level in levels], nodes // 2)
    totals = {
        pair: sum(part * unit for part, unit in zip(cost, units, strict=True))
        for pair, cost in costs.items()
    }
    most = max(totals.values(), default=0)
    return {pair: most - total for pair, total in totals.items()}


def _units(most: Sequence[int], pairs: int) -> list[int]:
    """Return the unit of every level, from the most that one pair can cost there."""
    units = []
    unit = 1
    for level in reversed(most):
        units.append(unit)
        unit *= 1 + pairs * level
    return units[::-1]
