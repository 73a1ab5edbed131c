"""Looking ahead: the best few moves of each seat, and what is forced to its end."""

import random
from collections.abc import Sequence
from typing import NamedTuple

from board import SOLDIERS, Move
from judge import WIN, Judge

WIDTH = {1: 4, 2: 4}  # moves that a besieger looks at after the first ply, by the plies left
ANSWERS = {1: 3, 2: 4}  # the same for the garrison
LIKELY = 12  # moves of a besieger that are judged, the best at first sight
ENTRIES = 2  # that are looked at when no ply is left
BAITS = 3  # moves with a demand that are looked at beyond these
DEMANDS = 4  # turns with demands that are looked at beyond the plies
FIRST_WIDTH, FIRST_BAITS = 8, 8  # the same for the move that is chosen
ENTRY, NEEDLESS = 12.0, -3.0  # at first sight: coming in, where that is needed or not
PARRY = 1.0  # at first sight: saving or guarding what could be captured
BOLD, BOLD_AT_FIRST = 1.5, 1.0  # what a demand gets ahead, to be looked at early
NOW = 0.05  # how much the position after one move counts beside the one that is foreseen
TIE = 0.01
FOREVER = 2 * WIN


class Candidate(NamedTuple):
    """A move with what it seems to be worth to the seat that makes it."""

    worth: float
    start: int
    target: int
    demands: bool


class Search:
    """Minimax from one position: the besiegers want much, the garrison little."""

    def __init__(self, judge: Judge, cycle: Sequence[int], turn: int) -> None:
        """Begin where a seat of the cycle is to move."""
        self.judge = judge
        self.board = judge.board
        self.cycle = cycle
        self.turn = turn

    def seat(self, turn: int) -> int:
        """Return who moves in a turn."""
        return self.cycle[turn % len(self.cycle)]

    def choose(self, moves: Sequence[tuple[Move, bool]], plies: int, rng: random.Random) -> int:
        """Return the number of the best of some moves, each with whether it makes a demand."""
        first = sorted(self._at_first(moves, rng), reverse=True)
        quiet = [candidate for candidate in first if not moves[candidate[1]][1]][:FIRST_WIDTH]
        baits = [candidate for candidate in first if moves[candidate[1]][1]][:FIRST_BAITS]
        best, chosen = -2 * FOREVER, 0
        for seeming, number in sorted(quiet + baits, reverse=True):
            (start, target), demands = moves[number]
            played = self.judge.play(start, target)
            if self.seat(self.turn):
                worth = self.garrison(
                    self.turn + 1, plies - 1, DEMANDS, (best, FOREVER), demanded=demands
                )
            else:
                worth = -self.besieger(self.turn + 1, plies - 1, DEMANDS, (-FOREVER, -best))
            self.judge.take_back(start, target, played)
            worth += NOW * seeming
            if worth > best:
                best, chosen = worth, number
        return chosen

    def _at_first(
        self, moves: Sequence[tuple[Move, bool]], rng: random.Random
    ) -> list[tuple[float, int]]:
        """Judge every move by the position after it, but for demands that nothing follows."""
        judged = []
        mine = bool(self.seat(self.turn))
        following = self.seat(self.turn + 1 + mine)
        for number, ((start, target), demands) in enumerate(moves):
            played = self.judge.play(start, target)
            value, prey = self.judge.value(following, garrison_next=mine)
            self.judge.take_back(start, target, played)
            if prey or not demands:
                seeming = value if mine else -value
                judged.append((seeming + BOLD_AT_FIRST * demands + TIE * rng.random(), number))
        return judged

    def besieger(self, turn: int, plies: int, demands: int, window: tuple[float, float]) -> float:
        """Return what the position is worth where a besieger is to move."""
        seat, (alpha, beta) = self.seat(turn), window
        now, prey = self.judge.value(seat, garrison_next=False)
        if plies <= 0 and (demands <= 0 or now >= beta):
            return now
        best = now if plies <= 0 else -FOREVER
        for candidate in self._candidates(seat, prey, plies):
            if candidate.worth >= WIN:
                return WIN
            played = self.judge.play(candidate.start, candidate.target)
            bounds = max(alpha, best), beta
            worth = self.garrison(
                turn + 1, plies - 1, demands - 1, bounds, demanded=candidate.demands
            )
            self.judge.take_back(candidate.start, candidate.target, played)
            best = max(best, worth)
            if best >= beta:
                break
        return best if best > -FOREVER else now

    def _candidates(self, seat: int, prey: list[int], plies: int) -> list[Candidate]:
        """Return the moves of a besieger to look at; where no ply is left, entries and demands."""
        judge, first = self.judge, self.board.tables.first_circle
        at, steps = self.board.at, self.board.tables.steps
        quiet, baits = [], []
        sketched = sorted(self._sketch(seat, prey), reverse=True)
        for number, (_, start, target) in enumerate(sketched):
            enters = target >= first > start
            likely = number < LIKELY if plies > 0 else number == 0 and enters
            attacked = any(target in steps[at[guard]][guard] for guard in self.board.places[0])
            if not (likely or attacked):
                continue
            played = judge.play(start, target)
            value, offered = judge.value(3 - seat, garrison_next=True)
            judge.take_back(start, target, played)
            if likely:
                quiet.append(Candidate(value, start, target, demands=False))
            if offered and attacked and not enters:
                baits.append(Candidate(value + BOLD, start, target, demands=True))
        quiet.sort(reverse=True)
        baits.sort(reverse=True)
        width = WIDTH[plies] if plies > 0 else ENTRIES
        return sorted(quiet[:width] + baits[: BAITS + (plies > 1)], reverse=True)

    def _sketch(self, seat: int, prey: list[int]) -> list[tuple[float, int, int]]:
        """Return what each move of a besieger seems to be worth before it is looked into."""
        at, near, first = self.board.at, self.board.tables.near, self.board.tables.first_circle
        worth, needed = self.judge.worth, self.judge.needed()
        sketched = []
        for start, target in self.board.besieger_moves(seat):
            code = at[start]
            seeming = worth[code][target] - worth[code][start]
            if target >= first > start:
                seeming += ENTRY if needed[code not in SOLDIERS] else NEEDLESS
            if prey:
                guards = any(target in near[place] for place in prey)
                seeming += PARRY * ((start in prey) + guards)
            sketched.append((seeming, start, target))
        return sketched

    def garrison(
        self, turn: int, plies: int, demands: int, window: tuple[float, float], *, demanded: bool
    ) -> float:
        """Return what the position is worth where the garrison is to move."""
        alpha, beta = window
        standing, over = self.judge.standing()
        if over:
            return standing
        at, following = self.board.at, self.seat(turn + 1)
        moves = self.board.garrison_moves()
        if not moves:
            return WIN
        forced = [move for move in moves if at[move[1]]] if demanded else []
        if plies <= 0 and not forced:
            return self.judge.value(following, garrison_next=True)[0]
        answers = []
        for start, target in forced or moves:
            played = self.judge.play(start, target)
            answers.append((self.judge.value(following, garrison_next=False)[0], start, target))
            self.judge.take_back(start, target, played)
        answers.sort()
        spent = not forced
        best = FOREVER
        for _, start, target in answers if forced else answers[: ANSWERS[plies]]:
            played = self.judge.play(start, target)
            bounds = alpha, min(beta, best)
            worth = self.besieger(turn + 1, plies - spent, demands - spent, bounds)
            self.judge.take_back(start, target, played)
            best = min(best, worth)
            if best <= alpha:
                break
        return best
