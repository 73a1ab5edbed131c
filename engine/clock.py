"""Thinking time: a budget to start, a bank with increment, a cap per action; in milliseconds."""

from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class ClockSpec:
    """What every seat of a game gets."""

    startup_ms: int = 10_000
    bank_ms: int = 60_000
    increment_ms: int = 100
    action_ms: int = 5_000

    def as_json(self) -> dict[str, int]:
        """Give the words of the wire and of records."""
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
        """Say what the next action may cost: the cap, or the bank where that is less."""
        return min(float(self.spec.action_ms), self.bank_ms)

    def charge(self, used_ms: float) -> None:
        """Take what an action cost from the bank, then add the increment."""
        self.bank_ms = self.bank_ms - used_ms + self.spec.increment_ms
