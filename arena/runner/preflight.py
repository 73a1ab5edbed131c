"""The gate before the first job: a runner tries what its level promises, at every start anew.

For the runner only: it stands on `sandbox`. There is no setting that opens it.
"""

import logging
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

from django.conf import settings

from arena.runner import programs
from engine.protocol import PlatformFault
from sandbox.doctor import examination
from sandbox.levels.isolation import reap
from sandbox.refusal import IsolationUnavailable

logger = logging.getLogger(__name__)

LOOK_EVERY_S = 2.0
SAY_EVERY_S = 60.0


class Shut(Exception):
    """The runner must not play. The message says why: the doctor's table, or a sentence."""


@cache
def wait_until_open() -> None:
    """Come back when every promise of the level in force has been seen to hold.

    Tried once by a process, for itself and what it forks. Waits for an engine or a launcher that
    does not answer yet. Raise `Shut` for a promise that does not hold, and for a level that no
    waiting will bring.
    """
    _patiently(_pass)


def wait_for_a_job() -> None:
    """Come back when a job can be begun: the gate is open, and engine or launcher are there.

    So a job that is not begun yet loses no attempt while they are away. Raise `Shut`.
    """
    wait_until_open()
    _patiently(programs.level)


def _patiently(act: Callable[[], object]) -> None:
    said_s = float("-inf")
    while True:
        try:
            act()
        except (IsolationUnavailable, PlatformFault) as why:
            if settings.ISOLATION != "docker":
                raise Shut(f"this runner cannot contain bots: {why}") from why
            if time.monotonic() - said_s >= SAY_EVERY_S:
                said_s = time.monotonic()
                logger.warning("runner_waits", extra={"why": str(why)})
            time.sleep(LOOK_EVERY_S)
        else:
            return


def _pass() -> None:
    """Clear what killed runners have left, then try everything."""
    found = programs.level()
    cleared = 0
    run_dir = None  # a launcher service has its own
    if found.launcher is None:
        run_dir = Path(settings.RUN_DIR)
        run_dir.mkdir(parents=True, exist_ok=True)
        cleared = reap(isolation=found, work_dir=run_dir)
    findings = examination.examine(found, run_dir)
    if bad := examination.broken(findings):
        logger.error("runner_shut", extra={"broken": [each.check.text for each in bad]})
        raise Shut(examination.as_table(found, findings))
    logger.info("runner_ready", extra={"isolation": found.reason, "cleared": cleared})
