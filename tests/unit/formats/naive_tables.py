"""Standings once more, from single games and in fractions: shares no code with the tree.

It reads meetings as sentences ("A met B and won 2 of 3"), and ranks by cutting a list into pieces.
"""

import hashlib
from fractions import Fraction
from itertools import groupby
from typing import Any

HALF = Fraction(1, 2)


class Naive:
    def __init__(self, state, *, every_round=False, per_game=False, is_scheduled=False):
        self.per_game = per_game
        self.is_scheduled = is_scheduled
        self.setup = state.setup
        self.ids = [entry.id for entry in state.entries]
        self.left = {entry.id: entry.until_round for entry in state.entries}
        self.rounds = max([meeting.round for meeting in state.meetings], default=0)
        self.every_round = every_round
        self.seeds = {entry.id: entry.seed for entry in state.entries}
        self.sentences = [
            (meeting.round, str(meeting.decision), dict(zip(meeting.entrants, scores, strict=True)))
            for meeting in state.meetings
            for scores in [meeting.scores or (None,) * len(meeting.entrants)]
        ]

    def of(self, who):
        return [(n, why, sides) for n, why, sides in self.sentences if who in sides]

    def worth(self, score):
        each = self.setup.scoring
        games = (
            [each.win] * score.wins + [each.draw] * score.draws + [each.forfeit] * score.forfeits
        )
        games += [each.loss] * (score.losses - score.forfeits)
        return sum(map(Fraction, games), Fraction(0))

    def points(self, who):
        return sum((self.worth(s[who]) for _, _, s in self.of(who) if s[who]), Fraction(0))

    def games(self, who):
        scores = [s[who] for _, _, s in self.of(who) if s[who]]
        return sum(s.wins + s.draws + s.losses for s in scores)

    def compared(self, who):
        return self.points(who) / self._divisor(who)

    def _divisor(self, who):
        return max(self.games(who), 1) if self.per_game else 1

    def missed(self, who):
        if not self.every_round:
            return []
        there = {n for n, why, _ in self.of(who) if why != "void"}
        return sorted(set(range(1, self.rounds + 1)) - there)

    def for_others(self, who):
        after = [n for n in self.missed(who) if self.left[who] is not None and n > self.left[who]]
        drawn = len(after) * self.setup.games * Fraction(self.setup.scoring.draw)
        return (self.points(who) + drawn) / self._divisor(who)

    def faced(self, who):
        """Pairs of what an opponent is worth and what share of the games was won of it."""
        faced = []
        for _, why, sides in self.of(who):
            mine = sides[who]
            if mine is None:
                continue
            won = mine.wins + mine.draws * HALF
            others = [other for other in sides if other != who]
            if why == "" or (self.is_scheduled and others):
                faced += [(self.for_others(other), won) for other in others]
            else:
                dummies = len(others) if others else self.setup.size - 1
                faced += [(self.compared(who), won)] * dummies
        faced += [(self.compared(who), Fraction(0))] * (self.setup.size - 1) * len(self.missed(who))
        return faced

    def direct_encounter(self, who, tied):
        def met(one, other):
            counts = [s for _, why, s in self.of(one) if why == "" or self.is_scheduled]
            return [s for s in counts if s[one] and other in s]

        pairs = [(one, other) for one in tied for other in tied if one < other]
        if not all(met(*pair) for pair in pairs):
            return Fraction(0)
        against = [met(who, other) for other in tied if other != who]
        means = [sum(self.worth(s[who]) for s in each) / Fraction(len(each)) for each in against]
        return float(round(sum(means, Fraction(0)), 9))

    def buchholz(self, who, _tied):
        return sum((points for points, _ in self.faced(who)), Fraction(0))

    def buchholz_cut1(self, who, tied):
        faced = [points for points, _ in self.faced(who)]
        return self.buchholz(who, tied) - min(faced) if faced else Fraction(0)

    def sonneborn_berger(self, who, _tied):
        return sum((points * won for points, won in self.faced(who)), Fraction(0))

    def wins(self, who, _tied):
        return sum(s[who].wins for _, why, s in self.of(who) if why == "" and s[who])

    def fewer_forfeits(self, who, _tied):
        return -sum(s[who].forfeits for _, _, s in self.of(who) if s[who])

    def measure(self, name, who, tied):
        """Return a tie-break; per game an average of as many as it is a sum of, to nine digits."""
        value = getattr(self, name)(who, tied)
        if not self.per_game or name == "direct_encounter":
            return value
        opponents = len(self.faced(who))
        games_of_opponents = sum(
            (s[who].wins + s[who].draws + s[who].losses) * (len(s) - 1 or self.setup.size - 1)
            for _, _, s in self.of(who)
            if s[who]
        )
        parts = {
            "buchholz": opponents,
            "buchholz_cut1": opponents - 1,
            "sonneborn_berger": games_of_opponents,
        }
        return float(round(Fraction(value) / max(parts.get(name, self.games(who)), 1), 9))

    def toss(self, who):
        text = f"{self.setup.rng_seed}/coin/{self.seeds[who]}".encode()
        return int(hashlib.sha256(text).hexdigest()[:14], 16) // 8 / 2**53

    def ranking(self, first):
        """Rank by some first values of everybody; give (who, tie-breaks, what decided)."""
        # A piece: those that are level, the values they have, and what tells them from others.
        pieces: list[tuple[list[int], tuple[Any, ...], tuple[Any, ...]]] = [
            (sorted(self.ids), (), ())
        ]
        names = [*first, *self.setup.tie_breaks]
        for name in names:
            cut = []
            for piece, said, path in pieces:
                value = {
                    who: first[name][who] if name in first else self.measure(name, who, piece)
                    for who in piece
                }
                rest = sorted(piece, key=lambda who: -value[who])
                for given, same in groupby(rest, key=lambda who: value[who]):
                    level = [*same]
                    parts = self.met_again(level, piece) if name == "direct_encounter" else [level]
                    cut += [
                        (part, (*said, given), (*path, (given, number)))
                        for number, part in enumerate(parts)
                    ]
            pieces = cut
        rows = [
            (who, said, path)
            for piece, said, path in pieces
            for who in sorted(piece, key=self.toss, reverse=True)
        ]
        following = [path for _, _, path in rows[1:]]
        return [
            (who, said[len(first) :], self._why(names, path, after))
            for (who, said, path), after in zip(rows, [*following, None], strict=True)
        ]

    def met_again(self, level, before):
        """Cut those that direct encounter left level by what they did against each other alone."""
        if len(level) in (1, len(before)):
            return [level]
        value = {who: self.direct_encounter(who, level) for who in level}
        rest = sorted(level, key=lambda who: -value[who])
        parts = [[*same] for _, same in groupby(rest, key=lambda who: value[who])]
        return [smaller for part in parts for smaller in self.met_again(part, level)]

    @staticmethod
    def _why(names, path, after):
        if after is None:
            return ""
        differing = [name for name, a, b in zip(names, path, after, strict=True) if a != b]
        return differing[0] if differing else "coin"
