"""The public log of a tournament: what happened, who did it and why, as text.

An entry stores an action and data. Its text is made when the entry is read. The actions are those
of `arena.texts.tournaments` and of interventions, and the codes of the notes with which formats
explain their decisions.
"""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from typing import Any

from arena.domain.accounts import permissions
from arena.domain.formats.types import DecisionNote, Unplayable
from arena.domain.tournaments import visibility, wording
from arena.domain.tournaments.wording import Details
from arena.models import Tournament, TournamentLogEntry, User, Viewer
from arena.texts import Text, lists, paragraph
from arena.texts import tournaments as texts

WORDS: dict[str, Callable[[Details], Sequence[Text]]] = {  # interventions add their own
    code: partial(wording.texts_of, code)
    for code in dict.fromkeys(slug.partition(":")[0] for slug in wording.TEXTS)
}
ONE_ENTRANT = ("entrant", "by", "to")
SOME_ENTRANTS = ("entrants", "left", "had", "passed", "changed")
VERSIONS = ("was", "version")
TO_CHOOSE_FROM = ("known", "playable")
FOR_ORGANIZERS = ("invited", "declined", "lapsed")  # invitations are private
FOR_OWNERS = ("version_chosen", "left")  # entrants and versions are public only after the freeze
PRIVATE = (*FOR_ORGANIZERS, *FOR_OWNERS)

Names = Mapping[int, str]  # of entrants, by primary key


def write(
    *,
    tournament: Tournament,
    action: str,
    by: User | None = None,
    round_number: int | None = None,
    reason: str = "",
    **details: Any,  # noqa: ANN401 - what the text of the action needs
) -> TournamentLogEntry:
    """Create an entry with the current revision of the tournament, which the caller has locked.

    Raise KeyError if the action has no text.
    """
    return _write(tournament, action, details, by=by, round_number=round_number, reason=reason)


def note(
    *, tournament: Tournament, note: DecisionNote, round_number: int | None
) -> TournamentLogEntry:
    """Create an entry from a note of a format. The caller has locked the tournament."""
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
    """Return the entries that the viewer may see, oldest first.

    An entry of a round is included if the viewer may see the round.
    """
    seen = visibility.rounds_seen(tournament=tournament, viewer=viewer)
    rows = tournament.log.select_related("by").order_by("pk")
    # Read the entrants once for all entries, because every text names them.
    whose = Tournament.objects.prefetch_related("entrants__bot").get(pk=tournament.pk)
    entries = [row for row in rows if row.round_number is None or row.round_number <= seen]
    if not permissions.may_organize(viewer, tournament):
        entrants = whose.entrants.all()
        own = {entrant.pk for entrant in entrants if permissions.may_edit_bot(viewer, entrant.bot)}
        entries = [entry for entry in entries if _is_told(entry, own)]
    # Entries name users as they are called now: staff may rename them.
    about = [entry for entry in entries if "user" in entry.details]
    if about:
        users = User.objects.in_bulk([entry.details["user"] for entry in about])
        for entry in about:
            name = users[entry.details["user"]].username
            entry.details = {**entry.details, "name": name}
    for entry in entries:
        entry.tournament = whose
    return entries


def _is_told(entry: TournamentLogEntry, own: AbstractSet[int]) -> bool:
    """Return whether an entry is public, or private and about an entrant that the viewer owns."""
    if entry.action in FOR_OWNERS:
        return entry.details.get("entrant") in own
    return entry.action not in FOR_ORGANIZERS


def say(entry: TournamentLogEntry) -> str:
    """Return the text of an entry, without its author and reason."""
    names = {entrant.pk: entrant.bot.name for entrant in entry.tournament.entrants.all()}
    return words(code=entry.action, details=entry.details, names=names)


def words(*, code: str, details: Mapping[str, Any], names: Names | None = None) -> str:
    """Return the text of a code: an action, a note, the outline of a round, or an Unplayable."""
    complete = _Complete((name, _said(name, value, names or {})) for name, value in details.items())
    complete["meeting"] = wording.meeting_name(complete)
    return paragraph(WORDS[code](complete), complete)


def why_not(*, exc: Unplayable, entrants: int | None = None) -> str:
    """Return why a format cannot be played, in general or with `entrants` entrants."""
    why = words(code=exc.code, details=exc.details)
    if entrants is None:
        return why
    return str(texts.UNPLAYABLE_WITH % {"entrants": entrants, "why": why})


class _Missing(int):
    """A detail that an old entry lacks. It is a dash in a text, and 0 if it is used as a number."""

    def __str__(self) -> str:
        return "\N{EN DASH}"


class _Complete(dict[str, str | int]):
    """The details of an entry, converted for use in texts."""

    def __missing__(self, key: str) -> str | int:
        return _Missing()


def _said(name: str, value: Any, names: Names) -> str | int:  # noqa: ANN401 - what JSON has
    if value is None:
        return ""
    if isinstance(value, list | tuple):
        return _listed(name, value, names)
    if name in ONE_ENTRANT and isinstance(value, int):
        return _name(value, names)
    if name == "group" and isinstance(value, int):
        return wording.group_letter(value)
    if isinstance(value, int):
        return int(value)
    text = wording.halves(value) if isinstance(value, float) else str(value)
    # Of "owner/bot v3" the version is enough: the entry names the bot as it is called now.
    return text.rpartition(" ")[2] if name in VERSIONS else text


def _listed(name: str, values: Sequence[Any], names: Names) -> str:
    if name == "groups":
        groups = [
            texts.GROUP
            % {
                "letter": wording.group_letter(number),
                "entrants": _listed("entrants", group, names),
            }
            for number, group in enumerate(values, start=1)
        ]
        return "; ".join(map(str, groups))
    if name in TO_CHOOSE_FROM:
        return lists.one_of(values)
    if name not in SOME_ENTRANTS:
        return lists.all_of(values)
    return lists.all_of(
        _frozen(value, names) if isinstance(value, dict) else _name(value, names)
        for value in values
    )


def _frozen(row: Mapping[str, Any], names: Names) -> str:
    """Return the text of a frozen entrant: seed, version, and the beginning of its digest."""
    details = {**row, "name": _name(row["entrant"], names), "digest": str(row["digest"])[:12]}
    return str(texts.FROZEN_ENTRANT % details)


def _name(pk: int, names: Names) -> str:
    return names.get(pk) or str(texts.DELETED_ENTRANT)
