"""Check an uploaded version until it is ready or rejected.

The begin and the end of each step are committed, so that pages show the progress. If the bot fails,
the version is rejected with a reason. If the platform fails, the version is requeued, up to the
limit of attempts.
"""

import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from random import Random

from django.conf import settings
from django.utils.translation import gettext as _

from arena.domain.bots import languages, versions
from arena.domain.errors import DATABASE_IS_DOWN
from arena.domain.matches import leases
from arena.domain.matches.leases import Lease, LeaseLost
from arena.models import CheckStep, Version, VersionArchive
from arena.runner import host_trouble, outages, programs
from arena.runner.check_games import CheckGames
from botkit import checks
from botkit.checks import CheckFailed
from botkit.manifest import BadUpload
from botkit.package import Package
from engine import registry
from sandbox.levels.isolation import Isolation
from sandbox.refusal import BuildFailed
from sandbox.uploads import unpacking

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class _Step:
    """The message and the log of a step that passes."""

    message: str = ""
    log: str = ""

    def passed(self, step: checks.Passed) -> Sequence[str]:
        """Take what a step of the check games says. Return the variants in which it passed."""
        self.message, self.log = step.message, step.log
        return step.variants


def check(*, lease: Lease, random: Random) -> bool:
    """Run the checks of a claimed version. Return whether it became ready.

    `random` draws the seats and the chance of the check games.
    """
    try:
        version = Version.objects.get(pk=lease.pk)
        with _step(lease, CheckStep.SCANNED) as step:
            program, level = _scan(lease, version)
            step.message = checks.scanned(program)
        if languages.is_compiled(program.manifest.language):
            with _step(lease, CheckStep.BUILT) as step:
                on_wait = partial(leases.renew, lease=lease)
                built = programs.build(level=level, program=program, on_wait=on_wait)
                versions.keep_build(lease=lease, artefact=built.artefact, image=built.image)
                step.log = built.log
                step.message = checks.BUILT
                program = replace(program, artefact=built.artefact)
        place = CheckGames(lease, program)
        games = checks.Checks(place, random=random, wait_s=settings.CHECK_WAIT_S)
        names_games = bool(version.variants)
        slugs: Sequence[str] = version.variants or sorted(registry.variants())
        with _step(lease, CheckStep.PROTOCOL) as step:
            slugs = step.passed(games.protocol(slugs, must_pass=names_games))
        with _step(lease, CheckStep.SMOKE) as step:
            slugs = step.passed(games.smoke(slugs, must_pass=names_games))
            if not names_games:
                leases.renew(lease=lease, variants=[*slugs])
        return outages.retried(versions.accept)(lease=lease)
    except _Rejected:
        return False
    except LeaseLost:
        logger.warning("lease_lost", extra={"version": lease.pk})
    except DATABASE_IS_DOWN:
        logger.exception("outage_during_checks", extra={"version": lease.pk})
        _postpone(lease, _("The database was down during the checks."), counts=False)
    except programs.TROUBLE as exc:
        _postpone(lease, str(exc), counts=not host_trouble.explains(trouble=exc))
    except Exception as exc:
        logger.exception("validation_crashed", extra={"version": lease.pk})
        reason = f"internal error: {type(exc).__name__}"
        _postpone(lease, reason, counts=not host_trouble.explains(trouble=exc))
    return False


def _postpone(lease: Lease, reason: str, *, counts: bool = True) -> None:
    outages.retried(versions.postpone)(lease=lease, reason=reason, counts=counts)


class _Rejected(Exception):
    """The version has been rejected, and its step has stored the reason."""


@contextmanager
def _step(lease: Lease, step: CheckStep) -> Iterator[_Step]:
    versions.begin_step(lease=lease, step=step)
    began_s = time.monotonic()
    outcome = _Step()
    try:
        yield outcome
    except (BadUpload, CheckFailed) as exc:
        log = (
            exc.log if isinstance(exc, CheckFailed | BuildFailed) else f"{exc.code}: {exc.message}"
        )
        versions.reject(
            lease=lease,
            step=step,
            reason=exc.message,
            log=outcome.log + log,
            took_ms=_ms_since(began_s),
            record=exc.record if isinstance(exc, CheckFailed) else None,
        )
        raise _Rejected from exc
    versions.pass_step(
        lease=lease, step=step, message=outcome.message, log=outcome.log, took_ms=_ms_since(began_s)
    )


def _scan(lease: Lease, version: Version) -> tuple[Package, Isolation]:
    """Store what the package is. Raise BadUpload, also without a runtime for its language."""
    archive = VersionArchive.objects.get(version=version)
    program = unpacking.unpack(bytes(archive.data), version.filename)
    level = programs.level()
    if program.manifest.language not in level.languages:
        text = languages.not_played(name=program.manifest.language, known=level.languages)
        raise BadUpload("no_runtime", text)
    if not version.variants:
        # Without names here either, they stay empty until the check games have chosen them.
        version.variants = checks.games_of(program.manifest.variants)
    leases.renew(
        lease=lease,
        digest=program.digest,
        language=program.manifest.language,
        variants=version.variants,
        isolation=level.name,
    )
    if languages.is_compiled(program.manifest.language):
        versions.expect_build(lease=lease)
    return program, level


def _ms_since(began_s: float) -> int:
    return round((time.monotonic() - began_s) * 1000)
