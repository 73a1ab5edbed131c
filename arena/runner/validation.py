"""Check an uploaded version until it is ready or rejected.

The begin and the end of each step are committed, so that pages show the progress. If the bot fails,
the version is rejected with a reason. If the platform fails, the version is requeued, up to the
limit of attempts.
"""

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from random import Random

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.domain.bots import languages, versions
from arena.domain.errors import DATABASE_IS_DOWN
from arena.domain.matches import leases
from arena.domain.matches.leases import Lease, LeaseLost
from arena.models import CheckStep, Version, VersionArchive
from arena.runner import check_games, host_trouble, outages, programs
from arena.runner.check_games import CheckFailed, VersionUnderCheck
from arena.texts import lists
from botkit.manifest import BadUpload
from botkit.package import Package
from engine import registry
from engine.errors import UnknownVariant
from sandbox.levels.isolation import Isolation
from sandbox.refusal import BuildFailed
from sandbox.uploads import package

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class _Step:
    """The message and the log of a step that passes."""

    message: str = ""
    log: str = ""

    def say_first(self, words: str) -> None:
        """Put a line before the message."""
        self.message = f"{words}\n{self.message}".strip()


def check(*, lease: Lease, random: Random) -> bool:
    """Run the checks of a claimed version. Return whether it became ready.

    `random` draws the seats and the chance of the check games.
    """
    try:
        _check(lease, random)
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


def _check(lease: Lease, random: Random) -> None:
    version = Version.objects.get(pk=lease.pk)
    with _step(lease, CheckStep.SCANNED) as step:
        program, level = _scan(lease, version)
        step.message = ngettext(
            "%(files)d file, digest %(digest)s.",
            "%(files)d files, digest %(digest)s.",
            len(program.files),
        ) % {"files": len(program.files), "digest": program.digest[:12]}
    if languages.is_compiled(program.manifest.language):
        with _step(lease, CheckStep.BUILT) as step:
            program = _build(lease, program, level, step)
    candidate = VersionUnderCheck(lease, program, left_s=settings.CHECK_WAIT_S)
    names_games = bool(version.variants)
    with _step(lease, CheckStep.PROTOCOL) as step:
        passed = _passed(
            step,
            version.variants or sorted(registry.variants()),
            partial(_first_action, candidate, random),
            must_pass=names_games,
        )
        started = _("Started, deployed and moved: %(variants)s.")
        step.say_first(started % {"variants": lists.all_of(passed)})
    with _step(lease, CheckStep.SMOKE) as step:
        passed = _passed(
            step, passed, partial(_whole_games, candidate, random), must_pass=names_games
        )
        step.say_first(" ".join(ending for endings in passed.values() for ending in endings))
        if not names_games:
            leases.renew(lease=lease, variants=[*passed])


def _first_action(
    candidate: VersionUnderCheck, random: Random, step: _Step, slug: str
) -> list[str]:
    step.log += check_games.first_action(candidate=candidate, variant_slug=slug, random=random)
    return []


def _whole_games(candidate: VersionUnderCheck, random: Random, step: _Step, slug: str) -> list[str]:
    endings = []
    games = check_games.whole_games(candidate=candidate, variant_slug=slug, random=random)
    for ending, log in games:
        endings.append(ending)
        step.log += log
    return endings


def _passed(
    step: _Step,
    slugs: Iterable[str],
    check: Callable[[_Step, str], list[str]],
    *,
    must_pass: bool,
) -> dict[str, list[str]]:
    """Run a check for each variant. Return the passed variants with the endings of their games.

    Raise CheckFailed for the first failure if the version must pass in all, and otherwise if it
    fails in all. The games in which it fails are then in the message of the step.
    """
    passed: dict[str, list[str]] = {}
    failures: list[CheckFailed] = []
    for slug in slugs:
        try:
            passed[slug] = check(step, slug)
        except CheckFailed as failure:
            if must_pass:
                raise
            failures.append(failure)
            step.log += failure.log
    # The game that went furthest is probably the one for which the bot was written.
    failures.sort(key=lambda each: -len(each.record.actions) if each.record else 0)
    reasons = [failure.message for failure in failures]
    if not passed:
        heading = _("The bot failed in every game. It must pass in one at least.")
        raise CheckFailed("\n".join([heading, *reasons]), "", failures[0].record)
    if failures:
        step.message = "\n".join([_("It does not play the games in which it failed:"), *reasons])
    return passed


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
    program = package.unpack(bytes(archive.data), version.filename)
    level = programs.level()
    if program.manifest.language not in level.languages:
        text = languages.not_played(name=program.manifest.language, known=level.languages)
        raise BadUpload("no_runtime", text)
    if not version.variants:
        # Without names here either, they stay empty until the check games have chosen them.
        version.variants = sorted({_slug(name) for name in program.manifest.variants})
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


def _build(lease: Lease, program: Package, level: Isolation, step: _Step) -> Package:
    """Compile the sources once for all games."""
    on_wait = partial(leases.renew, lease=lease)
    built = programs.build(level=level, program=program, on_wait=on_wait)
    versions.keep_build(lease=lease, artefact=built.artefact, image=built.image)
    step.log = built.log
    step.message = _("Compiled, %(size)d bytes.") % {"size": len(built.artefact)}
    return replace(program, artefact=built.artefact)


def _slug(name: str) -> str:
    try:
        return registry.find(name).slug
    except UnknownVariant as exc:
        raise BadUpload("unknown_variant", str(exc)) from exc


def _ms_since(began_s: float) -> int:
    return round((time.monotonic() - began_s) * 1000)
