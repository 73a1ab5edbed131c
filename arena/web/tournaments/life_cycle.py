"""The life cycle of a tournament as pages show it: its steps, its schedule, and its winner."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.core.cache import cache
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.domain.tournaments import snapshot, visibility
from arena.models import Tournament, TournamentEntrant, Viewer
from arena.models import TournamentStatus as S

DONE, HERE, AHEAD = "done", "here", "ahead"
WINNER_KEPT_S = 24 * 3600
NOTED = ("opened", "paused", "cancelled")  # only the log has the times of these


@dataclass(frozen=True, slots=True)
class StatusStep:
    """A step: its status, whether it is done, here or ahead, and when.

    `at` is when it was reached, or its planned time; None if unknown. If the tournament is paused
    or cancelled at this step, `status` and `at` are those of the pause or cancellation.
    """

    status: S
    state: str
    at: datetime | None = None

    @property
    def label(self) -> str:
        """The name of the step."""
        return str(self.status.label)

    @property
    def is_odd(self) -> bool:
        """Whether the tournament left the normal course here, temporarily or permanently."""
        return self.status in (S.PAUSED, S.CANCELLED)


@dataclass(frozen=True, slots=True)
class TimeLine:
    """A line: a step and its time; without a planned time, `said` is what the step waits for."""

    name: str
    at: datetime | None
    said: str = ""


def noted(row: Tournament) -> Mapping[str, datetime]:
    """Return when the tournament was last opened, paused and cancelled, if it was."""
    return dict(row.log.filter(action__in=NOTED).order_by("pk").values_list("action", "at"))


def steps(
    row: Tournament, *, opened: datetime | None = None, since: datetime | None = None
) -> list[StatusStep]:
    """Return the steps in order.

    A paused tournament stays at the step at which it was running. A cancelled one has the steps
    that it reached and the cancellation. `opened` is the time when registration opened, and
    `since` the time of the pause or cancellation; each is None if it did not happen.
    """
    status = S(row.status)
    reached = {
        S.DRAFT: row.created_at,
        S.REGISTRATION: opened,
        S.FROZEN: row.frozen_at,
        S.RUNNING: row.started_at,
        S.COMPLETED: row.completed_at,
        S.RELEASED: row.released_at,
    }
    planned = {S.REGISTRATION: row.opens_at, S.FROZEN: row.freezes_at, S.RUNNING: row.starts_at}
    times = {station: at or planned.get(station) for station, at in reached.items()}
    if status == S.CANCELLED:
        was_open = reached | {S.REGISTRATION: opened or row.frozen_at}
        done = [StatusStep(station, DONE, times[station]) for station, at in was_open.items() if at]
        return [*done, StatusStep(status, HERE, since)]
    here = list(reached).index(S.RUNNING if status == S.PAUSED else status)
    stations = [
        StatusStep(station, DONE if place < here else HERE if place == here else AHEAD, at)
        for place, (station, at) in enumerate(times.items())
    ]
    if status == S.PAUSED:
        stations[here] = StatusStep(status, HERE, since)
    return stations


def schedule(row: Tournament) -> list[TimeLine]:
    """Return the past steps in order, then the planned ones."""
    logged = noted(row)
    done = [
        TimeLine(_("Opened"), logged.get("opened")),
        TimeLine(_("Frozen"), row.frozen_at),
        TimeLine(_("Started"), row.started_at),
        TimeLine(_("Played"), row.completed_at),
        TimeLine(_("Released"), row.released_at),
    ]
    status = S(row.status)
    if status in (S.PAUSED, S.CANCELLED):
        stopped = _("Paused") if status == S.PAUSED else _("Cancelled")
        done.append(TimeLine(stopped, logged.get(status)))
    return [*(line for line in done if line.at), *_ahead(row, status)]


def _ahead(row: Tournament, status: S) -> list[TimeLine]:
    by_hand = _("when the organizers decide")
    entries = TimeLine(_("Entries"), row.opens_at, _("as soon as the registration is opened"))
    freeze = TimeLine(_("Freeze"), row.freezes_at, by_hand)
    start = TimeLine(_("Start"), row.starts_at, by_hand)
    match status:
        case S.DRAFT:
            return [entries, freeze, start]
        case S.REGISTRATION if row.opens_at is not None and row.opens_at > timezone.now():
            return [entries, freeze, start]
        case S.REGISTRATION:
            return [freeze, start]
        case S.FROZEN:
            return [start]
        case _:
            return []


def winner(row: Tournament, *, viewer: Viewer) -> TournamentEntrant | None:
    """Return the winner if the viewer may see all rounds.

    Return None if the tournament is not played to its end, or if no game of the first counts. The
    result is cached for a while, until a change of the tournament increases its revision.
    """
    if row.status not in (S.COMPLETED, S.RELEASED):
        return None
    seen = visibility.rounds_seen(tournament=row, viewer=viewer)
    if row.rounds.filter(number__gt=seen).exists():
        return None
    key = f"tournament.winner.{row.pk}.{row.revision}"
    pk: int | None = cache.get(key)
    if pk is None:
        standings = snapshot.load(tournament=row).standings
        pk = standings[0].entrant if standings and standings[0].games else 0
        cache.set(key, pk, WINNER_KEPT_S)
    return row.entrants.select_related("bot__owner").filter(pk=pk).first()
