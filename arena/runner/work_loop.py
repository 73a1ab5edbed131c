"""The work loop: after a message, a runner takes jobs one after the other while some are due."""

import time
from functools import partial
from random import SystemRandom

from structlog.contextvars import bound_contextvars

from arena import jobs
from arena.domain.queue import dispatch
from arena.models import Match
from arena.runner import outages, play, preflight, validation

SHIFT_S = 30.0  # after this time, another process may take the next job, or this one may stop


def work(*, shift_s: float = SHIFT_S) -> int:
    """Do due jobs until there are none or the shift is over. Return the number of jobs begun.

    At the end of a shift, send a message for the next free process. Raise PreflightFailed if this
    runner must not play.
    """
    until_s = time.monotonic() + shift_s
    done = 0
    while time.monotonic() < until_s or not done:
        preflight.wait_for_a_job()
        lease = dispatch.claim_next()
        if lease is None:
            return done
        done += 1
        began_s = time.monotonic()
        bot_clock_s: dict[int, float] = {}
        try:
            with bound_contextvars(**{lease.model.__name__.lower(): lease.pk}):
                if lease.model is Match:
                    play.play(lease=lease, bot_clock_s=bot_clock_s)
                else:
                    validation.check(lease=lease, random=SystemRandom())
        finally:
            took_s = time.monotonic() - began_s
            record_cost = partial(
                dispatch.record_job_cost, lease=lease, took_s=took_s, bot_clock_s=bot_clock_s
            )
            outages.best_effort(record_cost)  # without it, only the share of one job is wrong
    jobs.send(jobs.WAKE_RUNNER)
    return done
