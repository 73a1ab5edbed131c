"""Thinking time: a budget to start, a bank with increment, a cap per action; in milliseconds."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from engine.errors import BadRecord

LONGEST_MS = 2**53  # what a float counts without a gap


@dataclass(frozen=True, slots=True)
class ClockSpec:
    """What every seat of a game gets."""

    startup_ms: int = 10_000
    bank_ms: int = 60_000
    increment_ms: int = 100
    action_ms: int = 5_000

    def as_json(self) -> dict[str, int]:
        """Return the words of the wire and of records."""
        return asdict(self)


@dataclass(slots=True)
class SeatClock:
    """One seat's bank during one game."""

    spec: ClockSpec
    bank_ms: float

    @classmethod
    def full(cls, spec: ClockSpec) -> "SeatClock":
        """Start with the whole bank."""
        return cls(spec, float(spec.bank_ms))

    def allowance_ms(self) -> float:
        """Return what the next action may cost: the cap, or the bank where that is less."""
        return min(float(self.spec.action_ms), self.bank_ms)

    def charge(self, used_ms: float) -> None:
        """Take what an action cost from the bank, then add the increment."""
        self.bank_ms = self.bank_ms - used_ms + self.spec.increment_ms


def left_ms(clock: Mapping[str, int], charges_ms: Iterable[int]) -> int:
    """Return what is left in the bank of a record's clock after these charges of one seat."""
    return int(clock["bank_ms"]) + sum(clock["increment_ms"] - each for each in charges_ms)


def check_charges(
    clock: Mapping[str, Any], seats: Sequence[str], charges: Sequence[tuple[str, int]]
) -> None:
    """Hold every charge to what the clock allowed then, give or take what rounding adds up to.

    `clock` is a record's, `charges` are the seat and the milliseconds of each action. Raises
    BadRecord.
    """
    words = dict(clock)
    started = words.pop("startup_used_ms", {})
    if (
        words.pop("basis", None) not in ("cpu", "wall")
        or words.keys() != asdict(ClockSpec()).keys()
    ):
        raise BadRecord("the clock is not complete")
    if not all(type(value) is int and 0 <= value < LONGEST_MS for value in words.values()):
        raise BadRecord("the clock is not in whole milliseconds")
    spec = ClockSpec(**words)
    if not isinstance(started, dict) or not started.keys() <= set(seats):
        raise BadRecord("starts are charged to who did not play")
    for seat, charged_ms in started.items():
        if type(charged_ms) is not int or charged_ms < 0:
            raise BadRecord(f"the start of {seat!r} is not in whole milliseconds")
        if charges and charged_ms > spec.startup_ms:  # without any, a start may have cost the game
            raise BadRecord(f"the start of {seat!r} costs more than the clock allowed")
    clocks = {seat: SeatClock.full(spec) for seat in seats}
    for number, (seat, charged_ms) in enumerate(charges, start=1):
        own = clocks.get(seat)
        if own is None or not 0 <= charged_ms <= own.allowance_ms() + number / 2:
            raise BadRecord(f"action {number} costs what no clock of {seat!r} allowed")
        own.charge(charged_ms)
