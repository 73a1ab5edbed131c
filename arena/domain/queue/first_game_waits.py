"""How long a new version waits for its first game on a ladder."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from arena.models import Entrant, Version, VersionStatus

WINDOW = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Waits:
    """The time from upload to the first rated game, over the versions uploaded since.

    `counted` have had that game, `waiting` have not had it yet. A quantile is None where so many
    still wait that it is not known: it is longer than `longest_s`, the longest time that any of
    them took or has waited; None where there are no versions.
    """

    p50_s: float | None
    p95_s: float | None
    longest_s: float | None
    counted: int
    waiting: int
    since: datetime


def first_game() -> Waits:
    """Measure over the last seven days.

    Versions count from their upload, with all their checks. Those that still wait are not left out,
    which would praise a site that serves nobody, nor taken as served now, which would praise one
    that was just sent many: each is known to take longer than it has waited already, and that much
    is counted of it (E. L. Kaplan, P. Meier, 1958). Who is not waiting for a game does not count:
    rejected versions, paused ones, those replaced before they played, and those whose owner has
    them tried against an older one first.
    """
    now = timezone.now()
    since = now - WINDOW
    uploads = Version.objects.filter(created_at__gte=since)
    played = uploads.filter(first_game_at__isnull=False).exclude(trials__activates=True)
    served_s = [
        (began_at - created_at).total_seconds()
        for created_at, began_at in played.values_list("created_at", "first_game_at")
        if began_at is not None
    ]
    waited_s = [
        (now - created_at).total_seconds()
        for created_at in uploads.filter(_waits()).values_list("created_at", flat=True)
    ]
    return Waits(
        p50_s=quantile(served_s, waited_s, share=0.5),
        p95_s=quantile(served_s, waited_s, share=0.95),
        longest_s=max([*served_s, *waited_s], default=None),
        counted=len(served_s),
        waiting=len(waited_s),
        since=since,
    )


def quantile(served_s: Sequence[float], waited_s: Sequence[float], *, share: float) -> float | None:
    """Return the time in which this share is served, by the estimate of Kaplan and Meier.

    `served_s` are times that are over, `waited_s` those that go on. None where fewer are served.
    """
    ends = sorted([(each, False) for each in served_s] + [(each, True) for each in waited_s])
    left = len(ends)
    unserved = 1.0
    for after_s, still_waits in ends:
        if not still_waits:
            unserved *= (left - 1) / left
            if unserved <= 1 - share + 1e-9:
                return after_s
        left -= 1
    return None


def _waits() -> Q:
    """Return the condition of a version that is on its way to a first game, or waits for it."""
    playing = Entrant.objects.filter(active=True, ladder__is_open=True).values("version")
    ready = Q(status=VersionStatus.READY, paused_at__isnull=True, pk__in=playing)
    checked = Q(status__in=Version.OPEN, bot__gate_new_versions=False)
    return Q(first_game_at__isnull=True, bot__is_paused=False) & (ready | checked)
