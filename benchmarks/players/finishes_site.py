"""The ladder and the runners of `finishes`; imported when its settings are made."""

import logging
import multiprocessing
import secrets
import time
from datetime import timedelta
from unittest.mock import patch

from django.db import connection, connections
from django.utils import timezone

from benchmarks.players import fleet_site

from arena import jobs  # isort: skip - `fleet_site` sets Django up
from arena.domain.matches.leases import Lease  # isort: skip
from arena.models import Entrant, Game, Ladder, Match, MatchEntrant  # isort: skip
from arena.domain import finishing  # isort: skip

SEATS = ({"red": 0, "blue": 1}, {"red": 1, "blue": 0})
_FORK = multiprocessing.get_context("fork")


def measure(*, bots: int, matches: int, runners: int, rounds: int) -> list[float]:
    """Return how many matches a second the runners finished in each round on a new site."""
    logging.disable(logging.WARNING)
    with fleet_site.database():
        fleet_site.fill(bots=bots, until=timezone.now())
        return [_round(matches, runners) for _ in range(rounds)]


def _round(matches: int, runners: int) -> float:
    leases = played(matches)
    connections.close_all()  # a process does not share those of its parent
    start = _FORK.Barrier(runners + 1)
    processes = [
        _FORK.Process(target=_run, args=(leases[number::runners], start))
        for number in range(runners)
    ]
    for process in processes:
        process.start()
    start.wait()
    began_s = time.monotonic()
    for process in processes:
        process.join()
    took_s = time.monotonic() - began_s
    if any(process.exitcode for process in processes):
        raise RuntimeError("a runner failed")
    return matches / took_s


def played(number: int) -> list[Lease]:
    """Make so many matches between all bots, played to their end and not finished."""
    ladder = Ladder.objects.get(is_open=True)
    versions = list(Entrant.objects.filter(ladder=ladder).values_list("version", flat=True))
    now = timezone.now()
    rows = Match.objects.bulk_create(
        Match(
            ladder=ladder,
            status="running",
            lease_token=secrets.token_hex(16),
            lease_until=now + timedelta(hours=1),
            started_at=now,
        )
        for _ in range(number)
    )
    MatchEntrant.objects.bulk_create(
        MatchEntrant(
            match=row,
            position=position,
            version_id=versions[(2 * index + position) % len(versions)],
        )
        for index, row in enumerate(rows)
        for position in (0, 1)
    )
    Game.objects.bulk_create(
        Game(
            match=row,
            number=game,
            seats=seats,
            status="finished",
            outcome={"red": 1.0, "blue": 0.0},
            termination="flag_captured",
        )
        for row in rows
        for game, seats in enumerate(SEATS, start=1)
    )
    return [Lease(Match, row.pk, row.lease_token) for row in rows]


def _run(leases: list[Lease], start: "multiprocessing.synchronize.Barrier") -> None:
    with patch.object(jobs, "enqueue", lambda *_: None):
        connection.ensure_connection()
        start.wait()
        for lease in leases:
            if not finishing.finish(lease=lease):
                raise RuntimeError("a lease was lost")
