"""Setting the values of a draft on its row, with the values that depend on them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from arena.domain.errors import InvalidInput
from arena.domain.formats import catalogue
from arena.domain.formats.types import Unplayable
from arena.domain.tournaments import times
from arena.domain.tournaments.setup import terms
from arena.models import Ladder, Tournament
from arena.texts import lists

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
_TEXTS = ("name", "slug", "description")
_EMPTY_IS_NONE = ("top_n", "max_per_owner")

Values = Mapping[str, Any]


def fill(*, tournament: Tournament, values: Values) -> set[str]:
    """Set fields of an unsaved row and the fields that depend on them. Return the names of all.

    Raise InvalidInput for an unknown field, and if there is no ladder.
    """
    if unknown := sorted(set(values) - set(FIELDS)):
        said = _("There is no such field; there are: %(known)s.") % {"known": lists.all_of(FIELDS)}
        raise InvalidInput({name: [said] for name in unknown})
    had = tournament.format if tournament.pk else None  # a new row has no format yet
    for name, value in values.items():
        setattr(tournament, name, _plain(name, value))
    if tournament.ladder_id is None:
        raise InvalidInput({"ladder": [_("Choose the ladder whose game is played.")]})
    is_other_format = tournament.format != had
    return set(values) | _complete(tournament, set(values), is_other_format=is_other_format)


def _plain(name: str, value: Any) -> Any:  # noqa: ANN401 - from a form or the API
    """Return a value as the row stores it. The later checks refuse a value of the wrong type."""
    if name == "ladder":
        return _ladder(value)
    if name == "tie_breaks" and isinstance(value, tuple):
        return list(value)
    if isinstance(value, str):
        value = value.strip()
    if name in times.TIMES and isinstance(value, str):
        return _time(value)
    if name in _TEXTS and value is None:
        return ""
    return None if name in _EMPTY_IS_NONE and value == "" else value


def _complete(tournament: Tournament, given: set[str], *, is_other_format: bool) -> set[str]:
    """Set the fields that depend on the given fields. Return their names."""
    filled = {"format_options"}
    if is_other_format and "tie_breaks" not in given:
        tournament.tie_breaks = _usual_tie_breaks(tournament)
        filled.add("tie_breaks")
    if is_other_format and "format_options" not in given:
        tournament.format_options = {}
    tournament.format_options = terms.complete_options(tournament=tournament)
    is_due = isinstance(tournament.starts_at, datetime) and tournament.frozen_at is None
    if is_due and tournament.freezes_at is None:
        tournament.freezes_at = tournament.starts_at
        filled.add("freezes_at")
    return filled


def _time(text: str) -> datetime | str | None:
    """Return a time, None for an empty text, or an invalid text as it is, for the later checks."""
    try:
        return parse_datetime(text) or text or None
    except ValueError:
        return text


def _ladder(value: Any) -> Ladder:  # noqa: ANN401 - a row or a short name
    if isinstance(value, Ladder):
        return value
    found = Ladder.objects.filter(slug=str(value)[:40]).first()
    if found is None:
        known = lists.all_of(Ladder.objects.order_by("slug").values_list("slug", flat=True))
        said = _("There is no such ladder; there are: %(known)s.")
        raise InvalidInput({"ladder": [said % {"known": known}]})
    return found


def _usual_tie_breaks(tournament: Tournament) -> list[str]:
    try:
        return list(catalogue.find(tournament.format).tie_breaks)
    except Unplayable:
        return []
