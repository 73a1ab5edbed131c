"""Preflight: a runner tests guarantees of its isolation level at every start, before any job.

These are the ones that separate bots from the host and from each other.

No setting disables it.
"""

import logging
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

from django.conf import settings
from django.db import Error

from arena.domain.bots import languages
from arena.domain.matches import record_keys
from arena.domain.queue import host_clock
from arena.domain.queue.host_clock import ClockIsOff
from arena.runner import host_trouble, programs
from arena.runner.host_trouble import HostRests
from engine.protocol import PlatformFault
from engine.signature import BadKeys
from sandbox.doctor import examination
from sandbox.levels.isolation import reap
from sandbox.refusal import IsolationUnavailable

logger = logging.getLogger(__name__)

RETRY_EVERY_S = 2.0
LOG_EVERY_S = 60.0


class PreflightFailed(Exception):
    """The runner must not play. The message is the doctor's table or a sentence."""


@cache
def wait_until_passed() -> None:
    """Return when the guarantees of the isolation level have passed their tests.

    It can also read the key that signs records, or has made it. A process tests once, for itself
    and its forks. It waits for a Docker engine or launcher that does not respond yet. Raise
    PreflightFailed for a broken guarantee, and for a level that waiting does not make available.
    """
    try:
        record_keys.private_key()
    except (OSError, BadKeys) as why:
        raise PreflightFailed(f"this runner cannot sign records: {why}") from why
    _wait_for(_test_guarantees)


def wait_for_a_job() -> None:
    """Return when a job can begin: preflight has passed, and engine or launcher respond.

    So a job loses no attempt while they are down. Also wait while the clock of this host is off,
    and after a game for which it had too little CPU time. Raise PreflightFailed.
    """
    wait_until_passed()
    _wait_for(_report_level)
    _wait_for(host_clock.check)
    _wait_for(host_trouble.check)


def _wait_for(act: Callable[[], object]) -> None:
    """Call `act` until it succeeds. Raise PreflightFailed if waiting does not help.

    Waiting helps if the level is `docker`, and against a clock that is off or a lack of CPU time.
    """
    logged_s = float("-inf")
    while True:
        try:
            act()
        except (IsolationUnavailable, PlatformFault, ClockIsOff, HostRests) as why:
            can_help = settings.ISOLATION == "docker" or isinstance(why, ClockIsOff | HostRests)
            if not can_help:
                raise PreflightFailed(f"this runner cannot contain bots: {why}") from why
            if time.monotonic() - logged_s >= LOG_EVERY_S:
                logged_s = time.monotonic()
                logger.warning("runner_waits", extra={"why": str(why)})
            time.sleep(RETRY_EVERY_S)
        else:
            return


def _test_guarantees() -> None:
    """Remove the remains of killed runners, then test the guarantees. Raise PreflightFailed."""
    level = programs.level()
    cleared = 0
    run_dir = None  # a launcher service has its own
    if level.launcher is None:
        run_dir = Path(settings.RUN_DIR)
        run_dir.mkdir(parents=True, exist_ok=True)
        cleared = reap(isolation=level, work_dir=run_dir)
    findings = examination.examine(level, run_dir, at_start=True)
    if bad := examination.unproven(findings):
        logger.error("runner_shut", extra={"unproven": [finding.check.text for finding in bad]})
        raise PreflightFailed(examination.as_table(level, findings))
    _report_level()
    logger.info("runner_ready", extra={"isolation": level.reason, "cleared": cleared})


def _report_level() -> None:
    """Report to the site what bots this runner plays, which may change while it runs.

    Without a database, or before its migrations, only log: the next job reports again.
    """
    level = programs.level()
    takes_uploads = level.safe or settings.TRUST_BOTS
    try:
        languages.report(names=level.languages, takes_uploads=takes_uploads)
    except Error as why:
        logger.warning("level_not_reported", extra={"why": str(why)})
