"""Tournaments as iCalendar files: when registration opens, versions are frozen, it begins and ends.

They tell what everybody may know: a round is in them once it is played and public.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _
from icalendar import Calendar, Event

from arena.domain.tournaments import visibility
from arena.models import ANYBODY, Tournament, TournamentStatus

PRODUCT = "-//Drapeau//Tournaments//EN"
MOST = 500  # tournaments in the calendar of all
SHOWN_FOR = timedelta(days=365)  # after it was made
ASK_AGAIN = timedelta(hours=1)

Address = Callable[[str], str]  # makes a path one that can be followed from anywhere


@dataclass(frozen=True, slots=True)
class Moment:
    """Something that happens in a tournament; `key` is the same for ever."""

    key: str
    at: datetime
    what: str


def of_one(*, tournament: Tournament, address: Address = str) -> bytes:
    """Return the calendar of a tournament; `address` makes paths whole."""
    return _calendar(tournament.name, [tournament], address)


def of_all(*, address: Address = str) -> bytes:
    """Return the calendar of all tournaments that everybody may know of, those of the last year."""
    rows = Tournament.objects.visible_to(ANYBODY)
    recent = rows.filter(created_at__gte=timezone.now() - SHOWN_FOR)
    return _calendar(_("Tournaments"), recent.order_by("-created_at", "-pk")[:MOST], address)


def moments(*, tournament: Tournament) -> list[Moment]:
    """Return what happened and what will, in the order of time: as it was, or as it is meant."""
    return sorted(_moments(tournament), key=lambda moment: moment.at)


def _moments(tournament: Tournament) -> Iterator[Moment]:
    name = {"name": tournament.name}
    found = (
        ("registration", tournament.opens_at, _("%(name)s: registration opens")),
        (
            "freeze",
            tournament.frozen_at or tournament.freezes_at,
            _("%(name)s: versions are frozen"),
        ),
        ("start", tournament.started_at or tournament.starts_at, _("%(name)s begins")),
        ("end", tournament.completed_at, _("%(name)s is played")),
    )
    for key, at, what in found:
        if at is not None:
            yield Moment(key, at, what % name)
    seen = visibility.rounds_seen(tournament=tournament, viewer=ANYBODY)
    done = tournament.rounds.filter(number__lte=seen, finished_at__isnull=False)
    for number, at in done.order_by("number").values_list("number", "finished_at"):
        said = _("%(name)s: round %(number)d is over")
        if at is not None:
            yield Moment(f"round-{number}", at, said % {**name, "number": number})


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
            calendar.add_component(_event(tournament, moment, address))
    return bytes(calendar.to_ical())


def _event(tournament: Tournament, moment: Moment, address: Address) -> Event:
    event = Event()
    event.add("uid", f"{moment.key}-{_digest(tournament)}@drapeau")
    event.add("dtstamp", _utc(tournament.created_at))
    event.add("dtstart", _utc(moment.at))
    event.add("summary", moment.what)
    event.add("url", address(tournament.get_absolute_url()))
    event.add("transp", "TRANSPARENT")
    is_off = tournament.status == TournamentStatus.CANCELLED
    event.add("status", "CANCELLED" if is_off else "CONFIRMED")
    if tournament.description:
        event.add("description", tournament.description)
    return event


def _digest(tournament: Tournament) -> str:
    """Tell tournaments apart, here and on other sites, by what never changes."""
    made = f"{tournament.pk}/{tournament.created_at.isoformat()}"
    return hashlib.sha256(made.encode()).hexdigest()[:20]


def _utc(at: datetime) -> datetime:
    return at.astimezone(UTC).replace(microsecond=0)
