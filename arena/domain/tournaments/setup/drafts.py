"""Tournaments as organizers make them: created, edited, and previewed."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Count, QuerySet
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.domain import refused_names, slugs
from arena.domain.accounts import permissions
from arena.domain.errors import InvalidInput, Refused
from arena.domain.formats import catalogue
from arena.domain.formats.types import Unplayable
from arena.domain.tournaments import changes, log, seedings, times
from arena.domain.tournaments.setup import durations, templates, terms
from arena.domain.tournaments.setup.durations import DurationEstimate
from arena.models import (
    Ladder,
    Tournament,
    TournamentEntrant,
    TournamentEntrantStatus,
    TournamentStatus,
    User,
)
from arena.texts import lists

TEMPLATES = templates.TEMPLATES
FIELDS = (
    "name",
    "slug",
    "description",
    "ladder",
    "format",
    "format_options",
    "scoring",
    "tie_breaks",
    "matches_per_pairing",
    "entry_policy",
    "top_n",
    "min_entrants",
    "max_entrants",
    "max_per_owner",
    "last_entry_round",
    "release",
    "opens_at",
    "freezes_at",
    "starts_at",
)
_TEXTS = ("name", "description")
EDITABLE: Mapping[TournamentStatus, Collection[str]] = {
    TournamentStatus.DRAFT: FIELDS,
    TournamentStatus.REGISTRATION: tuple(name for name in FIELDS if name != "slug"),
    TournamentStatus.FROZEN: (*_TEXTS, "release", "starts_at"),
    TournamentStatus.RUNNING: (*_TEXTS, "release"),
    TournamentStatus.PAUSED: (*_TEXTS, "release"),
    TournamentStatus.COMPLETED: _TEXTS,
    TournamentStatus.RELEASED: _TEXTS,
    TournamentStatus.CANCELLED: (),
}

Values = Mapping[str, Any]
Errors = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """A planned round with its title. `games` is the number of games of its pairings."""

    number: int
    name: str
    pairings: int
    matches: int
    games: int
    byes: int


@dataclass(frozen=True, slots=True)
class Preview:
    """What a tournament will be with this number of entrants if nobody leaves.

    `seeds` are the current entrants in their expected seed order.
    """

    entrants: int
    rounds: tuple[RoundPlan, ...]
    estimate: DurationEstimate
    seeds: tuple[TournamentEntrant, ...] = ()

    @property
    def pairings(self) -> int:
        """The number of pairings without byes."""
        return sum(plan.pairings for plan in self.rounds)

    @property
    def matches(self) -> int:
        """The number of matches without those that break ties."""
        return sum(plan.matches for plan in self.rounds)

    @property
    def games(self) -> int:
        """The number of games without those that break ties."""
        return sum(plan.games for plan in self.rounds)

    @property
    def byes(self) -> int:
        """The number of byes."""
        return sum(plan.byes for plan in self.rounds)


@transaction.atomic
def create(*, by: User, values: Values) -> Tournament:
    """Create a draft with `by` as its organizer. Raise InvalidInput or Refused.

    `values` has any of FIELDS. The ladder is a row or a short name. A missing short name is made
    from the name, and missing tie-breaks are those of the format.
    """
    _check_quota(by)
    tournament = Tournament(created_by=by)
    changed = _fill(tournament, values)
    if not tournament.slug:
        tournament.slug = slugs.of_name(str(tournament.name), model=Tournament)
    errors = terms.check(tournament=tournament, changed=changed) | _of_name(tournament, values)
    errors |= _refused(tournament, ("name", "slug") if values.get("slug") else ("name",))
    if "name" in errors and not values.get("slug"):
        errors.pop("slug", None)  # it would be made from the name
    if errors:
        raise InvalidInput(errors)
    try:
        with transaction.atomic():
            tournament.save()
    except IntegrityError as exc:  # a parallel request with the same address
        raise InvalidInput({"slug": [_slug_taken(tournament)]}) from exc
    tournament.organizers.add(by)
    log.write(tournament=tournament, action="created", by=by)
    return tournament


@transaction.atomic
def edit(
    *, tournament: Tournament, by: User, values: Values, revision: int | None = None
) -> Tournament:
    """Edit the fields that the status allows. Raise InvalidInput, Refused or Stale.

    Before the freeze nearly all fields can be edited. After the freeze the terms are fixed.
    """
    locked = changes.begin(tournament=tournament, by=by, revision=revision)
    before = {name: getattr(locked, name) for name in FIELDS}
    _fill(locked, values)
    changed = [name for name in FIELDS if getattr(locked, name) != before[name]]
    _require_editable(locked, changed)
    if errors := _of_edit(locked, changed, values) | _refused(locked, changed):
        raise InvalidInput(errors)
    if changed:
        locked.revision += 1
        locked.save(update_fields=[*changed, "revision"])
        log.write(tournament=locked, action="edited", by=by, fields=changed)
    tournament.refresh_from_db()
    return locked


def preview(
    *, values: Values, entrants: int | None = None, tournament: Tournament | None = None
) -> Preview:
    """Return a preview with `entrants` entrants, or with the maximum if it is None.

    `tournament` is the row that the values would change, if it exists. Raise InvalidInput.
    """
    planned = Tournament()
    if tournament is not None:
        for name in (*FIELDS, "secret"):
            setattr(planned, name, getattr(tournament, name))
    given = {**values, "name": "?", "slug": "preview"}  # a preview needs neither
    changed = _fill(planned, given)
    if errors := terms.check(tournament=planned, changed=changed):
        raise InvalidInput(errors)
    seeds = seedings.order(tournament=tournament) if tournament is not None else []
    count = planned.max_entrants if entrants is None else entrants
    try:
        setup, outlines = terms.outline(tournament=planned, entrants=count)
    except Unplayable as exc:
        why = log.why_not(exc=exc, entrants=count)
        raise InvalidInput({"entrants": [why]}) from exc
    rounds = tuple(
        RoundPlan(
            number=number,
            name=log.words(code=outline.code, details=outline.details),
            pairings=outline.pairings,
            matches=outline.pairings * planned.matches_per_pairing,
            games=outline.pairings * setup.games,
            byes=outline.byes,
        )
        for number, outline in enumerate(outlines, start=1)
    )
    estimate = durations.estimate(tournament=planned, entrants=count)
    return Preview(count, rounds, estimate, tuple(seeds))


def _check_quota(by: User) -> None:
    """Raise Refused if the quota is used up. Lock the user's row, so that parallel calls count."""
    if permissions.may_exceed_quotas(by):
        return
    User.objects.select_for_update(no_key=True).get(pk=by.pk)
    most = settings.OPEN_TOURNAMENTS_PER_USER
    rows = Tournament.objects.filter(created_by=by, rehearsal_of=None)
    if rows.exclude(status__in=changes.OVER).count() >= most:
        text = ngettext(
            "You have %(most)d tournament that is not over, the maximum. Finish or "
            "cancel it first.",
            "You have %(most)d tournaments that are not over, the maximum. Finish or cancel one"
            " of them first.",
            most,
        )
        raise Refused("too_many_tournaments", text % {"most": most})


def _of_name(tournament: Tournament, values: Values) -> Errors:
    """Return the errors of the address, at the field `name` if only the name was given."""
    field = "slug" if values.get("slug") else "name"
    if not tournament.slug and tournament.name:
        return {"slug": [_("Choose an address of letters and digits, because the name has none.")]}
    if tournament.slug == slugs.RESERVED:
        text = _("The address “%(slug)s” is reserved. Choose another one, or another name.")
        return {field: [text % {"slug": tournament.slug}]}
    others = Tournament.objects.exclude(pk=tournament.pk)
    if tournament.slug and others.filter(slug=tournament.slug).exists():
        return {field: [_slug_taken(tournament)]}
    return {}


def _refused(tournament: Tournament, changed: Collection[str]) -> Errors:
    """Return the errors of a new name or address that nobody may take."""
    refusals = {
        name: refused_names.error_of(getattr(tournament, name))
        for name in ("name", "slug")
        if name in changed
    }
    return {name: [refusal] for name, refusal in refusals.items() if refusal}


def _slug_taken(tournament: Tournament) -> str:
    text = _(
        "There is already a tournament at the address “%(slug)s”. Choose another address or "
        "another name."
    )
    return text % {"slug": tournament.slug}


def _require_editable(locked: Tournament, changed: Collection[str]) -> None:
    allowed = EDITABLE[TournamentStatus(locked.status)]
    fixed = [name for name in changed if name not in allowed]
    if not fixed:
        return
    if locked.status == TournamentStatus.REGISTRATION:
        text = _("The address is public, so it cannot be changed. You can change the name.")
    elif locked.status == TournamentStatus.CANCELLED:
        text = _("The tournament is cancelled and cannot be changed. Make a new one.")
    else:
        text = _(
            "Versions are frozen and bots were entered on these terms, so these fields cannot be "
            "changed: %(fixed)s. You can still change these: %(allowed)s. Correct single pairings "
            "and entrants in the console."
        ) % {"fixed": lists.all_of(fixed), "allowed": lists.all_of(allowed)}
    raise Refused("terms_fixed", text, field=fixed[0])


def _of_edit(locked: Tournament, changed: Collection[str], values: Values) -> Errors:
    if not locked.is_before_freeze:
        return terms.check_plain(tournament=locked, changed=changed)
    errors = terms.check(tournament=locked, changed=changed) | _of_name(locked, values)
    present = locked.entrants.filter(
        status__in=(TournamentEntrantStatus.ENTERED, TournamentEntrantStatus.INVITED)
    )
    if "ladder" in changed and present.exists():
        text = _("Bots were entered to play this game. Make a new tournament for another game.")
        errors["ladder"] = [text]
    entered = present.entered()
    if "max_entrants" in changed and locked.max_entrants < entered.count():
        text = _("%(entered)d bots are already entered. Allow at least as many, or take some out.")
        errors["max_entrants"] = [text % {"entered": entered.count()}]
    if "max_per_owner" in changed and (too_few := _of_owners(locked, entered)):
        errors.setdefault("max_per_owner", []).append(too_few)
    return errors


def _of_owners(locked: Tournament, entered: QuerySet[TournamentEntrant]) -> str:
    """Return an error if an owner has more entrants than the new limit, or an empty text."""
    owners = entered.order_by().values("bot__owner__username").annotate(has=Count("pk"))
    most = owners.order_by("-has", "bot__owner__username").first()
    if locked.max_per_owner is None or most is None or most["has"] <= locked.max_per_owner:
        return ""
    text = _("%(owner)s already has %(has)d bots in it. Allow at least as many, or take some out.")
    return text % {"owner": most["bot__owner__username"], "has": most["has"]}


def _fill(tournament: Tournament, values: Values) -> set[str]:
    """Set fields of an unsaved row and the fields that depend on them. Return the names of all.

    Raise InvalidInput for an unknown field, and if there is no ladder.
    """
    if unknown := sorted(set(values) - set(FIELDS)):
        text = _("There is no such field; there are: %(known)s.") % {"known": lists.all_of(FIELDS)}
        raise InvalidInput({name: [text] for name in unknown})
    had = tournament.format if tournament.pk else None  # a new row has no format yet
    for name, value in values.items():
        setattr(tournament, name, _plain(name, value))
    if tournament.ladder_id is None:
        raise InvalidInput({"ladder": [_("Choose the ladder whose game is played.")]})
    filled = {"format_options"}
    if tournament.format != had and "tie_breaks" not in values:
        format_ = catalogue.FORMATS.get(tournament.format)
        tournament.tie_breaks = list(format_.tie_breaks) if format_ else []
        filled.add("tie_breaks")
    if tournament.format != had and "format_options" not in values:
        tournament.format_options = {}
    tournament.format_options = terms.complete_options(tournament=tournament)
    is_due = isinstance(tournament.starts_at, datetime) and tournament.frozen_at is None
    if is_due and tournament.freezes_at is None:
        tournament.freezes_at = tournament.starts_at
        filled.add("freezes_at")
    return filled.union(values)


def _plain(name: str, value: Any) -> Any:  # noqa: ANN401 - from a form or the API
    """Return a value as the row stores it. The later checks refuse a value of the wrong type."""
    if name == "ladder":
        return _ladder(value)
    if name == "tie_breaks" and isinstance(value, tuple):
        return list(value)
    if isinstance(value, str):
        value = value.strip()
    if name in times.TIMES and isinstance(value, str):
        try:
            return parse_datetime(value) or value or None
        except ValueError:
            return value
    if name in ("slug", *_TEXTS) and value is None:
        return ""
    return None if name in ("top_n", "max_per_owner") and value == "" else value


def _ladder(value: Any) -> Ladder:  # noqa: ANN401 - a row or a short name
    if isinstance(value, Ladder):
        return value
    offered = Ladder.objects.filter(is_remote=False)
    ladder = offered.filter(slug=str(value)[:40]).first()
    if ladder is None:
        known = lists.all_of(offered.order_by("slug").values_list("slug", flat=True))
        text = _("There is no such ladder; there are: %(known)s.")
        raise InvalidInput({"ladder": [text % {"known": known}]})
    return ladder
