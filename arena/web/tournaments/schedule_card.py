"""The schedule of a tournament: past steps with their times, and planned ones."""

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _

from arena.models import Tournament, TournamentStatus

S = TournamentStatus
NOTED = ("opened", "paused", "cancelled")  # only the log has the times of these


@dataclass(frozen=True, slots=True)
class TimeLine:
    """A line: a step and its time; without a planned time, `said` is what the step waits for."""

    name: str
    at: datetime | None
    said: str = ""


def of(row: Tournament) -> list[TimeLine]:
    """Return the past steps in order, then the planned ones."""
    noted = dict(row.log.filter(action__in=NOTED).order_by("pk").values_list("action", "at"))
    done = [
        TimeLine(_("Opened"), noted.get("opened")),
        TimeLine(_("Frozen"), row.frozen_at),
        TimeLine(_("Started"), row.started_at),
        TimeLine(_("Played"), row.completed_at),
        TimeLine(_("Released"), row.released_at),
    ]
    stopped = {S.PAUSED: _("Paused"), S.CANCELLED: _("Cancelled")}
    status = S(row.status)
    if status in stopped:
        done.append(TimeLine(stopped[status], noted.get(row.status)))
    return [*(line for line in done if line.at), *_ahead(row, status)]


def _ahead(row: Tournament, status: TournamentStatus) -> list[TimeLine]:
    by_hand = _("when the organizers decide")
    at_once = _("as soon as the registration is opened")
    entries = TimeLine(_("Entries"), row.opens_at, at_once)
    is_ahead = row.opens_at is not None and row.opens_at > timezone.now()
    freeze = TimeLine(_("Freeze"), row.freezes_at, by_hand)
    start = TimeLine(_("Start"), row.starts_at, by_hand)
    ahead = {
        S.DRAFT: [entries, freeze, start],
        S.REGISTRATION: [*([entries] if is_ahead else []), freeze, start],
        S.FROZEN: [start],
    }
    return ahead.get(status, [])
