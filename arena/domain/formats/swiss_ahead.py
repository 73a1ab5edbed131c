"""Whether rounds are left after a round of a small Swiss tournament.

Entrants that may still meet are neighbours in a graph; the bye is one more to meet. So many rounds
can be played as there are perfect matchings of the graph that share no edge. Whether there are
enough of them is searched for, in a bounded number of steps.
"""

from collections.abc import Iterable, Iterator

Pair = tuple[int, int]
Graph = dict[int, frozenset[int]]  # whom each node may still meet

FEW = 12  # nodes, for which the search is short
_STEPS = 3_000


def graph_of(pairs: Iterable[Pair], nodes: int) -> Graph:
    """Return the graph of the pairs that may meet."""
    met: dict[int, set[int]] = {node: set() for node in range(nodes)}
    for one, other in pairs:
        met[one].add(other)
        met[other].add(one)
    return {node: frozenset(others) for node, others in met.items()}


def without(graph: Graph, pairs: Iterable[Pair]) -> Graph:
    """Return the graph after these pairs have met."""
    left = dict(graph)
    for one, other in pairs:
        left[one] = left[one] - {other}
        left[other] = left[other] - {one}
    return left


def has_rounds(graph: Graph, rounds: int) -> bool:
    """Return whether so many rounds were found in which nobody meets anybody twice."""
    return _has_rounds(graph, rounds, iter(range(_STEPS)))


def matchings(graph: Graph) -> Iterator[tuple[Pair, ...]]:
    """Yield all ways to pair all nodes, each with its pairs in order."""
    return (tuple(sorted(pairs)) for pairs in _matchings(graph, frozenset(graph), iter(int, 1)))


def _has_rounds(graph: Graph, rounds: int, steps: Iterator[int]) -> bool:
    fewest = min(map(len, graph.values()), default=0)
    if rounds <= 0 or fewest < rounds:
        return rounds <= 0
    if 2 * (fewest - rounds + 1) >= len(graph):  # a matching is left to the last (G. A. Dirac)
        return True
    return any(
        _has_rounds(without(graph, pairs), rounds - 1, steps)
        for pairs in _matchings(graph, frozenset(graph), steps)
    )


def _matchings(
    graph: Graph, left: frozenset[int], steps: Iterator[int]
) -> Iterator[tuple[Pair, ...]]:
    """Yield the ways to pair all that are left; who has the fewest left to meet comes first."""
    if not left:
        yield ()
        return
    node = min(left, key=lambda node: (len(graph[node] & left), node))
    for other in sorted(graph[node] & left):
        if next(steps, None) is None:
            return
        pair = (min(node, other), max(node, other))
        for pairs in _matchings(graph, left - {node, other}, steps):
            yield (pair, *pairs)
