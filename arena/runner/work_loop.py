"""What a runner does when it is nudged: jobs, one after the other, as long as some are due.

For the runner only: it stands on `sandbox`.
"""

import time
from functools import partial

from structlog.contextvars import bound_contextvars

from arena import jobs
from arena.domain.matches.leases import Lease
from arena.domain.queue import dispatch
from arena.models import Match
from arena.runner import outages, play, preflight, validation

SHIFT_S = 30.0  # then another worker process may have the next job, or this one may be stopped


def work(*, shift_s: float = SHIFT_S) -> int:
    """Do what is due until nothing is, or the shift is over; return the number of jobs begun.

    At the end of a shift a nudge is left for whoever is free next. Raise `preflight.Shut` where
    this runner must not play.
    """
    until_s = time.monotonic() + shift_s
    done = 0
    while time.monotonic() < until_s or not done:
        preflight.wait_for_a_job()
        lease = dispatch.claim_next()
        if lease is None:
            return done
        done += 1
        _do(lease)
    jobs.send(jobs.RUN_MATCH, 0)
    return done


def _do(lease: Lease) -> None:
    began_s = time.monotonic()
    bot_wall_s: dict[int, float] = {}
    try:
        with bound_contextvars(**{lease.model.__name__.lower(): lease.pk}):
            if lease.model is Match:
                play.play(lease=lease, bot_wall_s=bot_wall_s)
            else:
                validation.check(lease=lease)
    finally:
        took_s = time.monotonic() - began_s
        settle = partial(
            dispatch.record_job_cost, lease=lease, took_s=took_s, bot_wall_s=bot_wall_s
        )
        outages.best_effort(settle)  # no more is lost by it than the fairness of one job
