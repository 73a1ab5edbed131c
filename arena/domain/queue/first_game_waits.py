"""How long a new version waits for its first game on a ladder."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from arena.models import REMOTE, Entrant, Version, VersionStatus, not_banned

WINDOW = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Waits:
    """The time from upload to the first rated game, of versions uploaded since `since`.

    `counted` versions have had that game, and `waiting` have not. A quantile is None if too many
    still wait; then it is longer than `longest_s`, the longest time that any version took or has
    waited. `longest_s` is None if there are no versions.
    """

    p50_s: float | None
    p95_s: float | None
    longest_s: float | None
    counted: int
    waiting: int
    since: datetime


def first_game() -> Waits:
    """Measure the waits of the last seven days.

    The wait begins with the upload and includes all checks. Versions that still wait are counted as
    waits longer than their wait so far (E. L. Kaplan, P. Meier, 1958). Leaving them out would
    favour a site that serves nobody, and counting them as served now would favour a site that has
    just received many. Versions that do not wait for a game are left out: rejected versions, paused
    versions, versions that were replaced before they played, and versions that their owner tries
    against an older one first.
    """
    now = timezone.now()
    since = now - WINDOW
    uploads = Version.objects.filter(created_at__gte=since).exclude(language=REMOTE).order_by()
    played = uploads.filter(first_game_at__isnull=False).exclude(trials__activates=True)
    served_s = [
        (began_at - created_at).total_seconds()
        for created_at, began_at in played.values_list("created_at", "first_game_at")
        if began_at is not None
    ]
    playing = Entrant.objects.filter(version=OuterRef("pk"), active=True, ladder__is_open=True)
    ready = Q(Exists(playing), status=VersionStatus.READY, paused_at__isnull=True)
    checked = Q(status__in=Version.OPEN, bot__gate_new_versions=False)
    able = Q(first_game_at__isnull=True, bot__is_paused=False) & not_banned(user="bot__owner")
    waiting = uploads.filter(able & (ready | checked))
    waited_s = [
        (now - created_at).total_seconds()
        for created_at in waiting.values_list("created_at", flat=True)
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
    """Return the time within which this share is served, by the Kaplan-Meier estimate.

    `served_s` are finished waits, and `waited_s` are waits so far. Return None if fewer are served.
    """
    ends = sorted(
        [(wait_s, False) for wait_s in served_s] + [(wait_s, True) for wait_s in waited_s]
    )
    left = len(ends)
    unserved = 1.0
    for after_s, still_waits in ends:
        if not still_waits:
            unserved *= (left - 1) / left
            if unserved <= 1 - share + 1e-9:
                return after_s
        left -= 1
    return None
