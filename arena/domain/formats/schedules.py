"""Schedules: who meets whom in which round, and who is named first, by places 0 to n - 1.

They depend on numbers alone, so every round can be worked out again at any time.
"""

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations

Seating = tuple[int, ...]  # the first is named first
Round = tuple[Seating, ...]


@lru_cache(maxsize=256)
def circle(places: int) -> tuple[Round, ...]:
    """Return rounds in which every two meet once: the circle method, placed as in Berger tables.

    With an odd number one rests in each round. Everybody is named first as often as second, or
    once more or less if the number is even.
    """
    even = places + places % 2
    around = even - 1  # the last place stays where it is, the others go around
    rounds: list[Round] = []
    for turn in range(around):
        pairs = [((turn + step) % around, (turn - step) % around) for step in range(1, even // 2)]
        first = (turn, around) if turn <= around // 2 else (around, turn)
        fixed = [] if places % 2 else [first]
        rounds.append((*fixed, *(_berger(*pair) for pair in pairs)))
    return tuple(rounds) if places > 1 else ()


def _berger(one: int, other: int) -> Seating:
    low, high = sorted((one, other))
    return (low, high) if (low + high) % 2 else (high, low)


@lru_cache(maxsize=64)
def all_of_three(places: int, cycles: int) -> tuple[Round, ...]:
    """Return rounds in which every three meet once in each cycle, one cycle after the other."""
    return balanced(pack(combinations(range(places), 3)) * cycles)


@lru_cache(maxsize=256)
def gauntlet(challengers: int, others: int, size: int) -> tuple[Round, ...]:
    """Return rounds in which each of the first places meets all the others, or all their pairs."""
    if size == 2:  # noqa: PLR2004 - two meet: every challenger goes round the others
        turns = max(challengers, others)
        rounds = []
        for turn in range(turns):
            met = [(challenger, (challenger + turn) % turns) for challenger in range(challengers)]
            rounds.append(
                tuple(
                    (challengers + opponent, challenger)
                    if (challenger + opponent) % 2
                    else (challenger, challengers + opponent)
                    for challenger, opponent in met
                    if opponent < others
                )
            )
        return tuple(rounds)
    pairs = [pair for turn in circle(others) for pair in turn]
    meetings = [
        (challenger, challengers + one, challengers + other)
        for challenger in range(challengers)
        for one, other in pairs
    ]
    alone = challengers == 1  # is in every meeting, so there is nothing to pack
    return balanced([[meeting] for meeting in meetings] if alone else pack(meetings))


def pack(meetings: Iterable[Seating]) -> list[list[Seating]]:
    """Put meetings into rounds in which nobody plays twice; those with most left to play first."""
    left = list(meetings)
    to_come = Counter(place for meeting in left for place in meeting)
    rounds = []
    while left:
        left.sort(key=lambda meeting: -sum(to_come[place] for place in meeting))
        taken: set[int] = set()
        chosen: list[Seating] = []
        for meeting in left:
            if taken.isdisjoint(meeting):
                chosen.append(meeting)
                taken.update(meeting)
        rounds.append(chosen)
        gone = set(chosen)
        left = [meeting for meeting in left if meeting not in gone]
        for place in taken:
            to_come[place] -= 1
    return rounds


def balanced(rounds: Sequence[Sequence[Seating]]) -> tuple[Round, ...]:
    """Choose who is named first, second and so on, so that everybody has its share of each place.

    The share is the number of its meetings divided by the number of places, up to one more or less.
    The firsts are chosen, then the firsts of those who are left, and so on.
    """
    left: Sequence[Seating] = [meeting for turn in rounds for meeting in turn]
    named: list[Seating] = [() for _ in left]
    while left and left[0]:
        chosen = _Firsts(left).chosen
        named = [(*seating, first) for seating, first in zip(named, chosen, strict=True)]
        left = [
            tuple(place for place in meeting if place != first)
            for meeting, first in zip(left, chosen, strict=True)
        ]
    seatings = iter(named)
    return tuple(tuple(next(seatings) for _ in turn) for turn in rounds)


class _Firsts:
    """Who is named first in each of some meetings of equal size.

    The one that has had the least of its share is chosen. If that leaves somebody with too many or
    too few, firsts move along a chain of meetings. This is a flow: a half or a third each would be
    fair, so a solution in whole numbers exists (Ford and Fulkerson 1956).
    """

    def __init__(self, meetings: Sequence[Seating]) -> None:
        self.meetings = meetings
        shares = Counter(place for meeting in meetings for place in meeting)
        self.counts = dict.fromkeys(shares, 0)
        self.chosen: list[int] = []
        size = len(meetings[0]) if meetings else 1
        self._numbers: dict[int, list[int]] = {place: [] for place in shares}
        for number, meeting in enumerate(meetings):
            for place in meeting:
                self._numbers[place].append(number)
            first = min(meeting, key=lambda place: self.counts[place] / shares[place])
            self.chosen.append(first)
            self.counts[first] += 1
        self._least = {place: share // size for place, share in shares.items()}
        self._most = {place: -(-share // size) for place, share in shares.items()}
        for place in shares:
            while self.counts[place] > self._most[place]:
                self._hand_on(place, gives=True)
            while self.counts[place] < self._least[place]:
                self._hand_on(place, gives=False)

    def _hand_on(self, start: int, *, gives: bool) -> None:
        """Move a first from `start` to a place with room, or to `start` from one with a spare."""
        came_by: dict[int, tuple[int, int]] = {}
        waiting = deque([start])
        while waiting:
            place = waiting.popleft()
            count = self.counts[place]
            has_room = count < self._most[place] if gives else count > self._least[place]
            if place != start and has_room:
                self._flip(start, place, came_by)
                return
            for number, other in self._next(place, gives=gives):
                if other != start and other not in came_by:
                    came_by[other] = (number, place)
                    waiting.append(other)
        raise AssertionError("a fair choice of firsts exists")

    def _next(self, place: int, *, gives: bool) -> Iterable[tuple[int, int]]:
        for number in self._numbers[place]:
            first = self.chosen[number]
            if gives and first == place:
                yield from ((number, other) for other in self.meetings[number] if other != place)
            elif not gives and first != place:
                yield number, first

    def _flip(self, start: int, end: int, came_by: dict[int, tuple[int, int]]) -> None:
        place = end
        while place != start:
            number, before = came_by[place]
            gainer, loser = (place, before) if self.chosen[number] == before else (before, place)
            self.chosen[number] = gainer
            self.counts[gainer] += 1
            self.counts[loser] -= 1
            place = before
