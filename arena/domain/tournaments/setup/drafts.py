"""Tournaments as organizers make them: created, edited, and previewed."""

import secrets
from collections.abc import Collection, Mapping

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Count, QuerySet
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.domain.accounts import permissions
from arena.domain.errors import InvalidInput, Refused
from arena.domain.matches.lifecycle import SEED_BITS
from arena.domain.tournaments import changes, log
from arena.domain.tournaments.setup import draft_values, previews, templates, terms
from arena.domain.tournaments.setup.draft_values import Values
from arena.domain.tournaments.setup.previews import Preview
from arena.models import (
    Tournament,
    TournamentEntrant,
    TournamentEntrantStatus,
    TournamentStatus,
    User,
)
from arena.texts import lists

TEMPLATES = templates.TEMPLATES
FIELDS = draft_values.FIELDS
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
RESERVED_SLUGS = ("new",)
_IN_OR_ASKED = (TournamentEntrantStatus.ENTERED, TournamentEntrantStatus.INVITED)


@transaction.atomic
def create(*, by: User, values: Values) -> Tournament:
    """Create a draft with `by` as its organizer. Raise InvalidInput or Refused.

    `values` has any of FIELDS. The ladder is a row or a short name. A missing short name is made
    from the name, and missing tie-breaks are those of the format.
    """
    _check_quota(by)
    tournament = Tournament(created_by=by, rng_seed=secrets.randbits(SEED_BITS))
    changed = draft_values.fill(tournament=tournament, values=values)
    if not tournament.slug:
        tournament.slug = slugify(str(tournament.name))[:50]
    if errors := _of_new(tournament, changed, values):
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
    draft_values.fill(tournament=locked, values=values)
    changed = [name for name in FIELDS if getattr(locked, name) != before[name]]
    _require_editable(locked, changed)
    if errors := _of_edit(locked, changed, values):
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
    """Return a preview with this number of entrants: see `previews.look`. Raise InvalidInput."""
    return previews.look(values=values, entrants=entrants, tournament=tournament)


def open_ones(*, by: User) -> int:
    """Return the number of a user's tournaments that are not over, which the quota limits."""
    rows = Tournament.objects.filter(created_by=by, rehearsal_of=None)
    return rows.exclude(status__in=changes.OVER).count()


def _check_quota(by: User) -> None:
    """Raise Refused if the quota is used up. Lock the user's row, so that parallel calls count."""
    if permissions.may_exceed_quotas(by):
        return
    User.objects.select_for_update(no_key=True).get(pk=by.pk)
    most = settings.OPEN_TOURNAMENTS_PER_USER
    if open_ones(by=by) >= most:
        said = ngettext(
            "You have %(most)d tournament that is not over, the maximum. Finish or "
            "cancel it first.",
            "You have %(most)d tournaments that are not over, the maximum. Finish or cancel one"
            " of them first.",
            most,
        )
        raise Refused("too_many_tournaments", said % {"most": most})


def _of_new(
    tournament: Tournament, changed: Collection[str], values: Values
) -> dict[str, list[str]]:
    errors = terms.check(tournament=tournament, changed=changed) | _of_name(tournament, values)
    if "name" in errors and not values.get("slug"):
        errors.pop("slug", None)  # it would be made from the name
    return errors


def _of_name(tournament: Tournament, values: Values) -> dict[str, list[str]]:
    """Return the errors of the address, at the field `name` if only the name was given."""
    field = "slug" if values.get("slug") else "name"
    if not tournament.slug and tournament.name:
        return {"slug": [_("Choose an address of letters and digits, because the name has none.")]}
    if tournament.slug in RESERVED_SLUGS:
        said = _("The address “%(slug)s” is reserved. Choose another one, or another name.")
        return {field: [said % {"slug": tournament.slug}]}
    others = Tournament.objects.exclude(pk=tournament.pk)
    if tournament.slug and others.filter(slug=tournament.slug).exists():
        return {field: [_slug_taken(tournament)]}
    return {}


def _slug_taken(tournament: Tournament) -> str:
    said = _(
        "There is already a tournament at the address “%(slug)s”. Choose another address or "
        "another name."
    )
    return said % {"slug": tournament.slug}


def _require_editable(locked: Tournament, changed: Collection[str]) -> None:
    allowed = EDITABLE[TournamentStatus(locked.status)]
    fixed = [name for name in changed if name not in allowed]
    if not fixed:
        return
    if locked.status == TournamentStatus.REGISTRATION:
        said = _("The address is public, so it cannot be changed. You can change the name.")
    elif locked.status == TournamentStatus.CANCELLED:
        said = _("The tournament is cancelled and cannot be changed. Make a new one.")
    else:
        said = _(
            "Versions are frozen and bots were entered on these terms, so these fields cannot be "
            "changed: %(fixed)s. You can still change these: %(allowed)s. Correct single pairings "
            "and entrants in the console."
        ) % {"fixed": lists.all_of(fixed), "allowed": lists.all_of(allowed)}
    raise Refused("terms_fixed", said, field=fixed[0])


def _of_edit(locked: Tournament, changed: Collection[str], values: Values) -> dict[str, list[str]]:
    if not locked.is_before_freeze:
        return terms.check_plain(tournament=locked, changed=changed)
    errors = terms.check(tournament=locked, changed=changed) | _of_name(locked, values)
    there = locked.entrants.filter(status__in=_IN_OR_ASKED)
    if "ladder" in changed and there.exists():
        said = _("Bots were entered to play this game. Make a new tournament for another game.")
        errors["ladder"] = [said]
    entered = there.filter(status=TournamentEntrantStatus.ENTERED)
    if "max_entrants" in changed and locked.max_entrants < entered.count():
        said = _("%(entered)d bots are already entered. Allow at least as many, or take some out.")
        errors["max_entrants"] = [said % {"entered": entered.count()}]
    if "max_per_owner" in changed and (too_few := _of_owners(locked, entered)):
        errors.setdefault("max_per_owner", []).append(too_few)
    return errors


def _of_owners(locked: Tournament, entered: QuerySet[TournamentEntrant]) -> str:
    """Return an error if an owner has more entrants than the new limit, or an empty text."""
    owners = entered.order_by().values("bot__owner__username").annotate(has=Count("pk"))
    most = owners.order_by("-has", "bot__owner__username").first()
    if locked.max_per_owner is None or most is None or most["has"] <= locked.max_per_owner:
        return ""
    said = _("%(owner)s already has %(has)d bots in it. Allow at least as many, or take some out.")
    return said % {"owner": most["bot__owner__username"], "has": most["has"]}
