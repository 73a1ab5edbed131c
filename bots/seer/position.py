"""One world on a board of numbers: the enemy's reply, and the captures that follow it."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from prices import Prices

from botkit import DuelView
from botkit.ranks import LADDER

EMPTY = -1
OURS, THEIRS = 0, 1
REACH = 3  # steps to an enemy within which a piece may come to fight
LATER = 0.3  # of what we win after the enemy's reply: it may slip away
DARING = 0.9  # how likely an enemy attacks what it does not know, where this pays on average
TIMID = 0.5  # the same where it does not


class Capture(NamedTuple):
    """An attack by piece numbers; `sure` if the attacker knows what it attacks."""

    gain: float
    mover: int
    target: int
    sure: bool


class Fight(NamedTuple):
    """What a move changed, to take it back."""

    mover: int
    origin: int
    victim: int
    target: int
    shown: bool


class Layout:
    """What all worlds of a turn share: squares and pieces by number, and who may come to fight."""

    def __init__(self, view: DuelView, prices: Prices) -> None:
        self.view = view
        self.prices = prices
        self.square = {name: at for at, name in enumerate(view.neighbours)}
        self.near = [tuple(map(self.square.__getitem__, to)) for to in view.neighbours.values()]
        self.pieces = view.pieces
        self.side = [THEIRS if piece.seat != view.seat else OURS for piece in view.pieces]
        self.spot = [self.square[piece.square] for piece in view.pieces]
        self.cell = [EMPTY] * len(self.square)
        for number, at in enumerate(self.spot):
            self.cell[at] = number
        self.beats = {
            (attacker, defender): view.fight(attacker, defender)
            for attacker in LADDER
            for defender in prices.value
        }
        self.active = self._active()

    def _active(self) -> tuple[list[int], list[int]]:
        """List our pieces and the enemy's that have one of the other side within reach."""
        active: tuple[list[int], list[int]] = ([], [])
        for number, start in enumerate(self.spot):
            within = {start}
            for _ in range(REACH):
                within |= {near for at in within for near in self.near[at]}
            others = (self.cell[at] for at in within if self.cell[at] != EMPTY)
            if any(self.side[other] != self.side[number] for other in others):
                active[self.side[number]].append(number)
        return active


class Position:
    """One world. A gain is what a side wins less what it loses, in the unit of the prices."""

    def __init__(self, layout: Layout, world: Mapping[str, str]) -> None:
        """Take the ranks of the enemy's pieces by their ids."""
        self.layout = layout
        self.prices = layout.prices
        self.cell = layout.cell[:]
        self.spot = layout.spot[:]
        self.rank = [piece.rank or world[piece.id] for piece in layout.pieces]
        self.value = [self.prices.value[rank] for rank in self.rank]
        self.shown = [
            self.prices.sure(piece) if side == THEIRS else piece.revealed
            for piece, side in zip(layout.pieces, layout.side, strict=True)
        ]
        self.active = layout.active

    def after(self, origin: str, target: str) -> float:
        """Return what the exchanges after a move of ours are worth to us, its own fight apart."""
        square, owner = self.layout.square, self.layout.side
        mover, to = self.cell[square[origin]], square[target]
        beside = (self.cell[at] for at in self.layout.near[to])
        met = [number for number in beside if number != EMPTY and owner[number] == THEIRS]
        ours, theirs = self.layout.active
        if mover not in ours and not met and self.cell[to] == EMPTY:
            return self._undisturbed
        self.active = ([*{*ours, mover}], [*{*theirs, *met}])
        fight = self._play(mover, to)
        worth = -self._reply()
        self._take_back(fight)
        return worth

    @cached_property
    def _undisturbed(self) -> float:
        """What the exchanges are worth to us if we change nothing."""
        self.active = self.layout.active
        return -self._reply()

    def _play(self, mover: int, target: int) -> Fight:
        """Move a piece, with the fight that this brings."""
        origin, victim = self.spot[mover], self.cell[target]
        fight = Fight(mover, origin, victim, target, self.shown[mover])
        end = 1 if victim == EMPTY else self.layout.beats[self.rank[mover], self.rank[victim]]
        self.cell[origin] = EMPTY
        self.spot[mover] = EMPTY
        if victim != EMPTY:
            self.shown[mover] = True
            if end >= 0:
                self.spot[victim] = self.cell[target] = EMPTY
        if end > 0:
            self.cell[target], self.spot[mover] = mover, target
        return fight

    def _take_back(self, fight: Fight) -> None:
        mover, origin, victim, target, self.shown[mover] = fight
        self.cell[origin], self.spot[mover] = mover, origin
        self.cell[target] = victim
        if victim != EMPTY:
            self.spot[victim] = target

    def _reply(self) -> float:
        """Return the most that the enemy gains by a capture, a flight, a threat, or by waiting."""
        best = self._best(THEIRS, -1e9, 1e9, idle=-self._best(OURS, -1e9, 1e9))
        for mover, target in self._quiet():
            fight = self._play(mover, target)
            best = max(best, -self._best(OURS, -1e9, -best))
            self._take_back(fight)
        return best

    def _quiet(self) -> Sequence[tuple[int, int]]:
        """List the enemy's steps away from a piece that beats it, or next to one that it beats."""
        known: dict[int, list[str]] = {}  # square -> ranks beside it that the enemy has seen
        for number in self.active[OURS]:
            if self.shown[number] and self.spot[number] != EMPTY:
                for near in self.layout.near[self.spot[number]]:
                    known.setdefault(near, []).append(self.rank[number])
        moves = []
        for mover in self.active[THEIRS] if known else ():
            at, rank = self.spot[mover], self.rank[mover]
            if at != EMPTY and rank in LADDER:
                hunted = self._meets(rank, known.get(at, ()), -1)
                moves += [
                    (mover, to)
                    for to in self.layout.near[at]
                    if self.cell[to] == EMPTY
                    and (hunted or (to in known and self._meets(rank, known[to], 1)))
                ]
        return moves

    def _meets(self, rank: str, others: Sequence[str], end: int) -> bool:
        """Return whether an attack of a rank on one of the others ends like this."""
        return any(self.layout.beats[rank, other] == end for other in others)

    def _best(self, side: int, alpha: float, beta: float, idle: float = 0.0) -> float:
        """Return the most that a side gains by captures; `idle` is what it has without one."""
        best = idle
        for gain, mover, target, sure in sorted(self._captures(side), reverse=True):
            if best >= beta:
                break
            alpha = max(alpha, best)
            if sure:
                fight = self._play(mover, target)
                worth = gain - self._best(1 - side, gain - beta, gain - alpha)
                self._take_back(fight)
            else:
                worth = gain
            best = max(best, worth)
        return best

    def _captures(self, side: int) -> Iterable[Capture]:
        """Find the attacks that a side would make, knowing what it knows."""
        cell, near, owner = self.cell, self.layout.near, self.layout.side
        for mover in self.active[side]:
            at = self.spot[mover]
            if at == EMPTY or self.rank[mover] not in LADDER:
                continue
            for target in near[at]:
                victim = cell[target]
                if victim != EMPTY and owner[victim] != side:
                    gain = self._gain(side, mover, victim)
                    if gain > 0:
                        yield Capture(gain, mover, target, self.shown[victim])

    def _gain(self, side: int, mover: int, victim: int) -> float:
        """Return what an attack brings its side: what is known counts, or else what is expected."""
        end = self.layout.beats[self.rank[mover], self.rank[victim]]
        if self.shown[victim] or side == THEIRS:
            gain = (end >= 0) * self.value[victim] - (end <= 0) * self.value[mover]
            if self.shown[victim]:
                return gain if side == THEIRS else LATER * gain
            moved = self.layout.pieces[victim].moved
            return gain * (DARING if self.prices.dares(self.rank[mover], moved=moved) else TIMID)
        pieces = self.layout.pieces
        return LATER * self.prices.gain(pieces[mover], pieces[victim])
