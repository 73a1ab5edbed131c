"""Play the games of a match."""

import logging
import math
import time
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from django.conf import settings

from arena.domain import finishing
from arena.domain.bots import person_games
from arena.domain.errors import DATABASE_IS_DOWN
from arena.domain.matches import evidence, leases, lifecycle, live, live_log, record_keys
from arena.domain.matches.leases import Lease, LeaseLost
from arena.domain.matches.lifecycle import PlayedGame
from arena.domain.matches.remarks import Notebook
from arena.models import HOME, Game, GameStatus, Ladder, Match, Version, new_game_id
from arena.runner import host_trouble, outages, programs
from arena.runner.person_table import RowTable
from arena.runner.remote_table import RemoteTable
from engine import chance, referee, registry
from engine.outcome import PLATFORM
from engine.protocol import Answer, Ask, Failure, PlatformFault, Table, TableWrapper
from engine.record import Played, PlayerId, Record
from engine.remarks import Remark
from sandbox.wire.evidence import Evidence

logger = logging.getLogger(__name__)

BEATS_PER_LEASE = 12  # a lease survives many that are lost, and few write to the database


class Stopwatch(TableWrapper):
    """A table that adds up what the clock of each bot is charged. `bots` maps seats to bots.

    Where the clocks charge CPU time, a slow host makes no bot slow.
    """

    def __init__(
        self, table: Table, bots: Mapping[str, int], bot_clock_s: MutableMapping[int, float]
    ) -> None:
        super().__init__(table)
        self._bots, self._bot_clock_s = bots, bot_clock_s

    def ask(self, asks: Mapping[str, Ask]) -> Mapping[str, Answer | Failure]:
        """Ask the seats, and add what they are charged."""
        outcomes = super().ask(asks)
        for seat, outcome in outcomes.items():
            bot = self._bots[seat]
            self._bot_clock_s[bot] = self._bot_clock_s.get(bot, 0.0) + outcome.charged_ms / 1000
        return outcomes


@dataclass(slots=True)
class Pulse:
    """Calls `beat` with the ply, often in the time of a lease; the referee's progress callback."""

    beat: Callable[[int], None]
    last_s: float = -math.inf
    ply: int = 0  # the latest one

    def __call__(self, ply: int) -> None:
        self.ply = ply
        self.again()

    def again(self) -> None:
        """Beat if it is time, also during a long wait for a bot."""
        now_s = time.monotonic()
        if now_s - self.last_s >= settings.LEASE_S / BEATS_PER_LEASE:
            self.last_s = now_s
            self.beat(self.ply)


def play(*, lease: Lease, bot_clock_s: MutableMapping[int, float]) -> bool:
    """Play the remaining games of a claimed match, finish and rate it.

    Return False if the lease was lost, or if the platform failed, so that the match waits for
    another attempt. Finished games of an earlier attempt are not played again. Add the seconds that
    the clock of each bot is charged to `bot_clock_s`.
    """
    try:
        rows = Match.objects.select_related("ladder", "requested_by")
        match = rows.prefetch_related("person_seats").get(pk=lease.pk)
        versions = {
            entrant.position: entrant.version
            for entrant in match.entrants.select_related("version__bot__owner")
        }
        for game in match.games.exclude(status=GameStatus.FINISHED).order_by("number"):
            game.match = match
            outages.retried(lifecycle.begin_game)(lease=lease, game=game)
            played = _play(lease, game, versions, bot_clock_s)
            outages.retried(lifecycle.store_game)(lease=lease, game=game, played=played)
        return _finish(lease)
    except LeaseLost:
        logger.warning("lease_lost", extra={"match": lease.pk})
    except DATABASE_IS_DOWN:
        logger.exception("outage_not_outlasted", extra={"match": lease.pk})  # the lease expires
    except programs.TROUBLE as exc:
        _void(lease, str(exc), counts=not host_trouble.explains(trouble=exc))
    except Exception as exc:
        logger.exception("match_crashed", extra={"match": lease.pk})
        reason = f"internal error: {type(exc).__name__}"
        _void(lease, reason, counts=not host_trouble.explains(trouble=exc))
    return False


@outages.retried
def _finish(lease: Lease) -> bool:
    """Renew the lease first: the last try may have waited in vain for the lock on an entrant."""
    leases.renew(lease=lease)
    return finishing.finish(lease=lease)


def _void(lease: Lease, reason: str, *, counts: bool = True) -> None:
    outages.retried(lifecycle.void_attempt)(lease=lease, reason=reason, counts=counts)


def _play(
    lease: Lease, game: Game, versions: dict[int, Version], bot_clock_s: MutableMapping[int, float]
) -> PlayedGame:
    by_seat = {seat: versions[position] for seat, position in game.seats.items()}
    began_s = time.monotonic()
    note = partial(lifecycle.note_progress, lease=lease, game=game)
    pulse = Pulse(lambda ply: outages.best_effort(partial(note, plies=ply)))
    notebook = Notebook()
    rng_seed = chance.game_seed(game.match.secret, game=game.number, take=game.take)
    broadcast = live.Broadcast(log=live_log.live_log(), game=game, rng_seed=rng_seed)
    actions: list[Played] = []

    def on_progress(ply: int) -> None:
        pulse(ply)
        broadcast(actions)

    def on_wait() -> None:
        pulse.again()
        broadcast(actions)

    with _room(game, by_seat, bot_clock_s, on_wait) as room:
        record = referee_game(
            ladder=game.match.ladder,
            rng_seed=rng_seed,
            players={seat: _player(game.match, version) for seat, version in by_seat.items()},
            table=room.table,
            isolation=room.isolation,
            progress=on_progress,
            keep=notebook.keep,
            actions=actions,
        )
    broadcast.publish(actions)
    return PlayedGame(
        record_json=outages.retried(record_keys.sign)(record=record).to_json(),
        outcome=_points(record),
        termination=str(record.result.termination),
        fault=record.result.fault or "",
        detail=record.result.detail,
        plies=pulse.ply,
        duration_ms=round((time.monotonic() - began_s) * 1000),
        isolation=room.level,
        logs={seat: room.log(seat) for seat in game.seats},
        evidence=evidence.gather(kept=room.evidence, seats=game.seats, result=record.result),
        remarks=notebook.columns(record=record),
    )


@dataclass(frozen=True, slots=True)
class _Room:
    """Where a game is played: its table, and what is kept of a seat, its log and its evidence.

    `isolation` is that of the record, and `level` that of the row.
    """

    table: Table
    isolation: str
    level: str
    log: Callable[[str], str] = lambda _seat: ""
    evidence: Callable[[str], Evidence | None] = lambda _seat: None


@contextmanager
def _room(
    game: Game,
    by_seat: Mapping[str, Version],
    bot_clock_s: MutableMapping[int, float],
    on_wait: Callable[[], None],
) -> Iterator[_Room]:
    """Create a block with the room of a game. What runs in it ends with the block."""
    rows = {row.position: row for row in game.match.person_seats.all()}
    asked = {seat: rows[position] for seat, position in game.seats.items() if position in rows}
    if game.match.ladder.is_remote:
        yield _Room(RemoteTable(asked, on_wait=on_wait), HOME, HOME)
        return
    load = outages.retried(programs.load)
    bots = {seat: load(version=version) for seat, version in by_seat.items() if seat not in asked}
    level = programs.level()
    with programs.seated(level=level, seats=bots, on_wait=on_wait) as table:
        timed: Table = Stopwatch(
            table, {seat: version.bot_id for seat, version in by_seat.items()}, bot_clock_s
        )
        if asked:
            person = rows[person_games.PERSON]
            timed = RowTable(timed, person=person, seats=asked.keys(), on_wait=on_wait)
        yield _Room(
            timed,
            programs.named(level=level),
            level.name,
            lambda seat: programs.stderr(table=table, seat=seat),
            table.evidence,
        )


def referee_game(  # noqa: PLR0913 - what a game needs, by keyword
    *,
    ladder: Ladder,
    rng_seed: int,
    players: Mapping[str, PlayerId],
    table: Table,
    isolation: str,
    progress: Callable[[int], None],
    keep: Callable[[Remark], None] = lambda _said: None,
    actions: list[Played] | None = None,
) -> Record:
    """Play one game on the terms of a ladder.

    Every game of uploaded bots is played here, so that a bot is told the same in a check game. The
    id of the game is new each time: it says neither which match it is nor which attempt.
    """
    return referee.play(
        registry.find(ladder.variant),
        options=ladder.options,
        rng_seed=rng_seed,
        game=new_game_id(),
        players=players,
        clock=ladder.clock,
        table=table,
        isolation=isolation,
        progress=progress,
        keep=keep,
        actions=actions,
    )


def _player(match: Match, version: Version) -> PlayerId:
    """Return what the record says of who played. A program at home has no digest."""
    if version.is_remote:
        who = match.requested_by if version.bot.is_person else version
        return PlayerId(f"{who}, remote", "")
    return PlayerId(str(version), version.digest)


def _points(record: Record) -> dict[str, float]:
    if record.result.points is None or record.result.fault == PLATFORM:
        raise PlatformFault(record.result.detail or "the game is void")
    return dict(record.result.points)
