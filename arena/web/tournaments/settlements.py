"""Who goes on from a pairing of a bracket whose games do not say it, and why, in a few words."""

from django.utils.translation import gettext, ngettext

from arena.domain.formats.types import DecisionNote


def say(note: DecisionNote, *, extra: int = 0) -> str:
    """Say it without names; `extra` is how many matches were added to break the tie."""
    if note.code == "bracket_nobody":
        return gettext("All had left: the higher seed keeps the place.")
    outcome = gettext("the higher seed goes on")
    if note.details["left"]:
        outcome = gettext("who has not left goes on")
    return f"{_what(note, extra)}: {outcome}."


def _what(note: DecisionNote, extra: int) -> str:
    if note.code == "bracket_void":
        return gettext("Void")
    if note.code == "bracket_award_shared":
        return gettext("The games are shared")
    if extra <= 0:
        return gettext("Level")
    said = ngettext(
        "Level, also after %(extra)d more match", "Level, also after %(extra)d more matches", extra
    )
    return said % {"extra": extra}
