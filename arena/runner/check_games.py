"""Where the check games of a new version are played: in the sandbox, on the terms of a ladder."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any

from arena.domain.matches import evidence, leases
from arena.domain.matches.leases import Lease
from arena.models import Ladder
from arena.runner import programs
from arena.runner.play import Pulse, referee_game
from botkit.package import Package
from botkit.reference import ReferenceBot
from engine.outcome import Result
from engine.protocol import Table
from engine.record import PlayerId, Record
from engine.variant import Variant
from sandbox.table import BotTable, Seating


@dataclass(slots=True)
class CheckGames:
    """The place of the check games of a claimed version. Implements `botkit.checks.Place`."""

    lease: Lease
    program: Package
    _pulse: Pulse = field(init=False)
    _table: BotTable = field(init=False)  # the latest one

    def __post_init__(self) -> None:
        self._pulse = Pulse(lambda _ply: leases.renew(lease=self.lease))

    @property
    def player(self) -> PlayerId:
        """The version, by the name in its manifest."""
        return PlayerId(self.program.manifest.name, self.program.digest)

    @contextmanager
    def seated(
        self, *, seat: str, others: Mapping[str, ReferenceBot], on_wait: Callable[[], None]
    ) -> Iterator[Table]:
        """Start the bot. Renew the lease while it is waited for, and raise LeaseLost."""

        def wait() -> None:
            on_wait()
            leases.renew(lease=self.lease)

        seats: dict[str, Seating] = {**others, seat: self.program}
        with programs.seated(level=programs.level(), seats=seats, on_wait=wait) as table:
            self._table = table
            yield table

    def referee(
        self,
        *,
        variant: Variant[Any],
        players: Mapping[str, PlayerId],
        table: Table,
        rng_seed: int,
        random: Random,
        progress: Callable[[int], None],
    ) -> Record:
        """Play a game on the terms of any ladder of the variant, an open one if there is one."""
        ladders = Ladder.objects.filter(variant=variant.name, is_remote=False)
        choices = [*ladders.filter(is_open=True)] or [*ladders] or [Ladder(variant=variant.name)]
        return referee_game(
            ladder=random.choice(choices),
            rng_seed=rng_seed,
            players=players,
            table=table,
            isolation=programs.named(level=programs.level()),
            progress=progress,
        )

    def log(self, *, seat: str, result: Result | None) -> Sequence[str]:
        """Return the stderr of the bot, and the evidence of its fault."""
        lines = ["-- stderr", programs.stderr(table=self._table, seat=seat).rstrip()]
        if result is not None:
            kept = evidence.gather(kept=self._table.evidence, seats=[seat], result=result)
            lines += [evidence.in_words(row=row) for row in kept]
        return lines

    def renew(self) -> None:
        """Renew the lease, often in its time. Raise LeaseLost."""
        self._pulse.again()
