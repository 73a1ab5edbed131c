"""The public log of a tournament: what happened, by whom and why, in words.

An entry keeps an action and data; the words are made when somebody reads it. Actions are those of
`phrases` and of interventions, and the codes of notes with which formats explain what they draw.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arena.domain.accounts import permissions
from arena.domain.formats import catalogue
from arena.domain.formats.types import DecisionNote
from arena.domain.tournaments import phrases, reasons, visibility, writing
from arena.domain.tournaments.reasons import Words
from arena.models import Tournament, TournamentLogEntry, User, Viewer

WORDS: dict[str, Words] = {**reasons.BY_CODE, **phrases.BY_ACTION}  # interventions add theirs
for _format in catalogue.FORMATS.values():
    WORDS.update({code: gettext_lazy(text) for code, text in _format.texts.items()})
ONE_ENTRANT = ("entrant", "by", "to")
SOME_ENTRANTS = ("entrants", "left", "had", "changed")
FOR_ORGANIZERS = ("invited", "declined", "lapsed")  # an invitation is no business of others
FOR_OWNERS = ("version_chosen", "left")  # others learn at the freeze who plays, and what

Names = Mapping[int, str]  # of entrants, by row


def write(
    *,
    tournament: Tournament,
    action: str,
    by: User | None = None,
    round_number: int | None = None,
    reason: str = "",
    **details: Any,  # noqa: ANN401 - what the words of the action need
) -> TournamentLogEntry:
    """Add an entry, with the revision that the tournament has now; the caller holds it.

    Raise KeyError for an action that has no words.
    """
    return _write(tournament, action, details, by=by, round_number=round_number, reason=reason)


def note(
    *, tournament: Tournament, note: DecisionNote, round_number: int | None
) -> TournamentLogEntry:
    """Add what a format says of its decision; the caller holds the tournament."""
    return _write(tournament, note.code, note.details, round_number=round_number)


def _write(
    tournament: Tournament,
    action: str,
    details: Mapping[str, Any],
    **columns: Any,  # noqa: ANN401 - columns of the row
) -> TournamentLogEntry:
    if action not in WORDS:
        raise KeyError(action)
    return TournamentLogEntry.objects.create(
        tournament=tournament,
        action=action,
        details=dict(details),
        revision=tournament.revision,
        **columns,
    )


def of(*, tournament: Tournament, viewer: Viewer) -> list[TournamentLogEntry]:
    """Return the entries that a viewer may see, oldest first: those of a round with the round."""
    seen = visibility.rounds_seen(tournament=tournament, viewer=viewer)
    rows = tournament.log.select_related("by").order_by("pk")
    # Read once for all of them: every entry says who it is about.
    whose = Tournament.objects.prefetch_related("entrants__bot").get(pk=tournament.pk)
    entries = [row for row in rows if row.round_number is None or row.round_number <= seen]
    if not permissions.may_organize(viewer, tournament):
        entrants = whose.entrants.all()
        own = {each.pk for each in entrants if permissions.may_edit_bot(viewer, each.bot)}
        entries = [entry for entry in entries if _is_told(entry, own)]
    for entry in entries:
        entry.tournament = whose
    return entries


def _is_told(entry: TournamentLogEntry, own: AbstractSet[int]) -> bool:
    """Return whether an entry is for everybody, or about an entrant of the viewer's own."""
    if entry.action in FOR_OWNERS:
        return entry.details.get("entrant") in own
    return entry.action not in FOR_ORGANIZERS


def say(entry: TournamentLogEntry) -> str:
    """Return what an entry tells, without by whom and why."""
    names = {entrant.pk: entrant.bot.name for entrant in entry.tournament.entrants.all()}
    return words(code=entry.action, details=entry.details, names=names)


def words(*, code: str, details: Mapping[str, Any], names: Names | None = None) -> str:
    """Say a code with its details: an action, a note, the outline of a round, why not."""
    found = WORDS[code]
    said = {name: _said(name, value, names or {}) for name, value in details.items()}
    text = found(said) if callable(found) else found
    return str(text) % _Complete(said)


class _Complete(dict[str, str]):
    """Details in words; what an old entry lacks is a dash."""

    def __missing__(self, key: str) -> str:
        return "–"  # noqa: RUF001 - a dash


def _said(name: str, value: Any, names: Names) -> str:  # noqa: ANN401 - what JSON has
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, list | tuple):
        return _listed(name, value, names)
    if name in ONE_ENTRANT and isinstance(value, int):
        return _name(value, names)
    if name == "group" and isinstance(value, int):
        return writing.group_letter(value)
    return writing.halves(value) if isinstance(value, float) else str(value)


def _listed(name: str, values: Sequence[Any], names: Names) -> str:
    if name == "groups":
        groups = (_listed("entrants", group, names) for group in values)
        return "; ".join(
            f"{writing.group_letter(number)}: {each}" for number, each in enumerate(groups, start=1)
        )
    if name not in SOME_ENTRANTS:
        return ", ".join(map(str, values))
    return ", ".join(
        _frozen(each, names) if isinstance(each, dict) else _name(each, names) for each in values
    )


def _frozen(row: Mapping[str, Any], names: Names) -> str:
    """Say an entrant as it was frozen: seed, version, the beginning of its digest."""
    said = _("%(seed)s. %(name)s v%(version)s (%(digest)s)")
    digest = str(row["digest"])[:12]
    return said % {**row, "name": _name(row["entrant"], names), "digest": digest}


def _name(pk: int, names: Names) -> str:
    return names.get(pk) or _("somebody who was deleted")
