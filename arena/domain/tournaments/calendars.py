"""Tournaments as iCalendar files: the times of registration, freeze, start and end.

The files contain only public information: a round is in them when it is finished and public.
"""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _
from icalendar import Calendar, Event

from arena.domain.tournaments import visibility
from arena.models import ANYBODY, Tournament, TournamentStatus

PRODUCT = "-//Drapeau//Tournaments//EN"
MOST = 500  # tournaments in the calendar of all tournaments
SHOWN_FOR = timedelta(days=365)  # after the tournament was created
ASK_AGAIN = timedelta(hours=1)

Address = Callable[[str], str]  # makes an absolute URL of a path


@dataclass(frozen=True, slots=True)
class Moment:
    """An event of a tournament. `key` never changes."""

    key: str
    at: datetime
    what: str


def of_one(*, tournament: Tournament, address: Address = str) -> bytes:
    """Return the calendar of a tournament. `address` makes absolute URLs of paths."""
    return _calendar(tournament.name, [tournament], address)


def of_all(*, address: Address = str) -> bytes:
    """Return the calendar of all public tournaments that were created in the last year."""
    rows = Tournament.objects.visible_to(ANYBODY)
    recent = rows.filter(created_at__gte=timezone.now() - SHOWN_FOR)
    return _calendar(_("Tournaments"), recent.order_by("-created_at", "-pk")[:MOST], address)


def moments(*, tournament: Tournament) -> list[Moment]:
    """Return the past and planned events of a tournament in order of time.

    A planned time is used only for an event that has not happened yet.
    """
    name = {"name": tournament.name}
    frozen_at = tournament.frozen_at or tournament.freezes_at
    planned = (
        ("registration", tournament.opens_at, _("%(name)s: registration opens")),
        ("freeze", frozen_at, _("%(name)s: versions are frozen")),
        ("start", tournament.started_at or tournament.starts_at, _("%(name)s begins")),
        ("end", tournament.completed_at, _("%(name)s is played")),
    )
    events = [Moment(key, at, what % name) for key, at, what in planned if at is not None]
    seen = visibility.rounds_seen(tournament=tournament, viewer=ANYBODY)
    done = tournament.rounds.filter(number__lte=seen, finished_at__isnull=False)
    for number, at in done.order_by("number").values_list("number", "finished_at"):
        if at is not None:
            text = _("%(name)s: round %(number)d is over") % {**name, "number": number}
            events.append(Moment(f"round-{number}", at, text))
    return sorted(events, key=lambda moment: moment.at)


def _calendar(name: str, tournaments: Iterable[Tournament], address: Address) -> bytes:
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("name", name)
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval", ASK_AGAIN, parameters={"value": "DURATION"})
    for tournament in tournaments:
        for moment in moments(tournament=tournament):
            # Unique across sites, from values that never change.
            identity = f"{tournament.pk}/{tournament.created_at.isoformat()}"
            digest = hashlib.sha256(identity.encode()).hexdigest()[:20]
            event = Event()
            event.add("uid", f"{moment.key}-{digest}@drapeau")
            event.add("dtstamp", _utc(tournament.created_at))
            event.add("dtstart", _utc(moment.at))
            event.add("summary", moment.what)
            event.add("url", address(tournament.get_absolute_url()))
            event.add("transp", "TRANSPARENT")
            is_off = tournament.status == TournamentStatus.CANCELLED
            event.add("status", "CANCELLED" if is_off else "CONFIRMED")
            if tournament.description:
                event.add("description", tournament.description)
            calendar.add_component(event)
    return bytes(calendar.to_ical())


def _utc(at: datetime) -> datetime:
    return at.astimezone(UTC).replace(microsecond=0)
