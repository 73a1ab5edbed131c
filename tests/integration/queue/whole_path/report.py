"""What a simulated site shows: waits and variety."""

import math
from collections import Counter
from dataclasses import dataclass
from itertools import combinations

from arena.domain.queue.opponent_choice import groups_of
from tests.integration.queue.whole_path.site import Site, Start

WINDOW = 24  # matches of a bot in a row
LONGEST_WAIT = 6.0  # matches of the ladder, for each of its bots


@dataclass(frozen=True, slots=True)
class Variety:
    """Who met whom on a ladder, after all were let in.

    `connected_after` is the number of matches that were made until chains of matches joined all
    bots. `largest_share` is that of one pair in all matches of the ladder, and `even_share` what
    each pair has if all have as many. `most_of_window` is the most matches against one opponent of
    any `WINDOW` matches of a bot in a row.
    """

    bots: int
    matches: int
    never_met: float
    largest_share: float
    even_share: float
    most_of_window: int
    connected_after: float


@dataclass(frozen=True, slots=True)
class Report:
    """The figures of a cell. Waits are in seconds and in matches of the ladder."""

    longest_wait_s: float
    longest_wait_matches: float  # as a multiple of the number of bots
    overtaken: int
    per_minute: float
    varieties: tuple[Variety, ...]

    def broken(self) -> list[str]:
        """Return the invariants of docs/explanation/scheduling.md that do not hold."""
        invariants = {
            "a bot waits for at most 6 n matches": self.longest_wait_matches <= LONGEST_WAIT,
            "n matches join all bots": all(
                each.connected_after <= each.bots for each in self.varieties
            ),
            "at most half of 24 matches are against one opponent": all(
                each.most_of_window <= WINDOW / 2 for each in self.varieties
            ),
        }
        return [invariant for invariant, holds in invariants.items() if not holds]


def of(site: Site) -> Report:
    """Return the figures of a site that has played."""
    starts = [each for each in site.starts if each.ladder in site.opened]
    sizes = {ladder.pk: len(_crowd(site, ladder.pk)) for ladder in site.ladders}
    waits = [
        (seconds, matches / sizes[each.ladder])
        for each in starts
        for seconds, matches in each.waits
    ]
    began = min(each.at for each in site.starts)
    lasted_s = (site.clock.now - began).total_seconds()
    return Report(
        longest_wait_s=max(seconds for seconds, _ in waits),
        longest_wait_matches=max(matches for _, matches in waits),
        overtaken=max(each.overtaken for each in starts),
        per_minute=60 * site.finished / lasted_s,
        varieties=tuple(_variety(site, ladder.pk) for ladder in site.ladders),
    )


def _crowd(site: Site, ladder: int) -> list[int]:
    return [bot for bot, player in site.players.items() if ladder in player.since]


def _variety(site: Site, ladder: int) -> Variety:
    crowd = _crowd(site, ladder)
    all_met = sorted((each for each in site.starts if each.ladder == ladder), key=_made)
    met = [each for each in all_met if each.made > site.opened[ladder]]
    pairs = [frozenset(two) for two in combinations(crowd, 2)]
    meetings = Counter(each.bots for each in met)
    return Variety(
        bots=len(crowd),
        matches=len(met),
        never_met=sum(pair not in meetings for pair in pairs) / len(pairs),
        largest_share=max(meetings.values()) / len(met),
        even_share=1 / len(pairs),
        most_of_window=max(_most_of_window(bot, met) for bot in crowd),
        connected_after=_connected_after(crowd, all_met) - (len(all_met) - len(met)),
    )


def _made(start: Start) -> int:
    return start.made


def _most_of_window(bot: int, met: list[Start]) -> int:
    opponents = [next(iter(each.bots - {bot})) for each in met if bot in each.bots]
    spans = (opponents[at : at + WINDOW] for at in range(max(1, len(opponents) - WINDOW + 1)))
    return max((max(Counter(span).values(), default=0) for span in spans), default=0)


def _connected_after(crowd: list[int], met: list[Start]) -> float:
    made = range(1, len(met) + 1)
    joined = (at for at in made if not groups_of(crowd, (each.bots for each in met[:at])))
    return next(joined, math.inf)
