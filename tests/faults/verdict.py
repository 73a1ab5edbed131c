"""What must hold once everything has come to rest, whatever was killed before.

Works on rows, commands and folders alone: it knows nothing of how the site came there.
"""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from django.db.models import Q
from django.utils import timezone

from arena.domain.matches.leases import Leasable
from arena.domain.queue import sweeping
from arena.models import (
    Game,
    Ladder,
    Match,
    MatchKind,
    MatchStatus,
    RatingEvent,
    Version,
    VersionStatus,
)
from sandbox.host.uid_slots import notes
from tests.sandbox.attack import remains
from tests.tree import ROOT

SETTLED = (VersionStatus.READY, VersionStatus.REJECTED, VersionStatus.RETIRED)
NEVER_BEGUN = "runc:["  # what a container is before its program
RERUN = (MatchStatus.CANCELLED, MatchStatus.FAILED)


@dataclass(frozen=True)
class Tally:
    """The numbers of the table. All but the first line should be 0."""

    finished: int
    failed: int
    cancelled: int
    reruns: int
    retried: int  # finished after more than one attempt
    doubled: int
    missing: int
    misnumbered: int
    blamed: int
    unfinished: int
    abandoned: int  # of these, in the hands of nobody alive

    @property
    def defects(self) -> dict[str, int]:
        names = ("doubled", "missing", "misnumbered", "blamed", "unfinished", "abandoned")
        return {name: found for name, found in asdict(self).items() if name in names and found}


def tally() -> Tally:
    """Count what the rows say."""
    over = Match.objects.filter(status=MatchStatus.FINISHED)
    doubled, missing = _events()
    return Tally(
        finished=over.count(),
        failed=Match.objects.filter(status=MatchStatus.FAILED).count(),
        cancelled=Match.objects.filter(status=MatchStatus.CANCELLED).count(),
        reruns=Match.objects.filter(rerun_of__isnull=False).count(),
        retried=over.filter(attempt__gt=1).count(),
        doubled=doubled,
        missing=missing,
        misnumbered=sum(_misnumbered(ladder) for ladder in Ladder.objects.all()),
        # Every bot here is sound: whoever forfeits was blamed for what was done to the platform.
        blamed=Game.objects.exclude(fault="").count()
        + Version.objects.filter(status=VersionStatus.REJECTED).count(),
        unfinished=len(list(unfinished())),
        abandoned=_abandoned(Match) + _abandoned(Version),
    )


def _abandoned(model: Leasable) -> int:
    """Count the rows whose lease has run out: whoever lives renews it every second."""
    return model.objects.filter(lease_until__lt=timezone.now()).count()


def _events() -> tuple[int, int]:
    """Count the events too many and too few: one for each entrant of a finished rated match."""
    rated = Match.objects.filter(status=MatchStatus.FINISHED, kind=MatchKind.LADDER)
    wanted = Counter(rated.values_list("pk", "entrants__version"))
    found = Counter(RatingEvent.objects.values_list("match", "version"))
    return (found - wanted).total(), (wanted - found).total()


def _misnumbered(ladder: Ladder) -> int:
    """Count the finish numbers that a ladder lacks or has too often; they run from 1."""
    numbers = Match.objects.filter(ladder=ladder, finish_number__isnull=False)
    found: Counter[int | None] = Counter(numbers.values_list("finish_number", flat=True))
    wanted: Counter[int | None] = Counter(range(1, ladder.next_finish_number))
    return (found - wanted).total() + (wanted - found).total()


def unfinished() -> Iterator[str]:
    """Name what is not over, or is half over: open rows, held leases, games without a record."""
    for match in Match.objects.filter(Q(status__in=Match.OPEN) | ~Q(lease_token="")):
        yield f"match {match} is {match.status}: {match.waiting_reason}"
    for version in Version.objects.exclude(status__in=SETTLED, lease_token=""):
        yield f"version {version} is {version.status}: {version.waiting_reason}"
    for game in Game.objects.filter(match__status=MatchStatus.FINISHED, record__isnull=True):
        yield f"{game} of a finished match has no record"
    for match in Match.objects.filter(status__in=RERUN, failure=""):
        yield f"match {match} is {match.status} without a reason"


def swept() -> int:
    """Sweep, and count what there was to sweep."""
    return sum(asdict(sweeping.sweep()).values())


def rerate(environment: dict[str, str]) -> str:
    """Run the operator's check; return what it says where it finds a difference, else nothing."""
    done = subprocess.run(
        [sys.executable, "manage.py", "rerate", "--check"],
        check=False,
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    return f"{done.stdout}{done.stderr}" if done.returncode else ""


def left(run_dir: Path, *, docker: bool) -> dict[str, list[str]]:
    """Return what is left of bots in a run directory; nothing should be, once the runners ended.

    But for containers that Docker was just making when it was killed: it forgets them itself.
    """
    found = remains.of(run_dir, docker=docker)
    found["processes"] = [each for each in found["processes"] if NEVER_BEGUN not in each]
    slots = notes(run_dir) if (run_dir / "slots").exists() else {}
    return {kind: each for kind, each in {**found, "slots": list(slots.values())}.items() if each}
