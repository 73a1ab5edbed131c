"""Explain which check game a version was rejected for, and how to replay it locally."""

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser

from arena.domain.accounts import permissions
from arena.domain.matches import records
from arena.domain.queries import forensics
from arena.models import CheckState, User, Version, VersionCheck
from arena.texts.matches import Meaning
from arena.web.matches import termination_help
from engine.record import Record


@dataclass(frozen=True, slots=True)
class LostCheckGame:
    """Why a check game was lost; `again` is the command that replays it, for the owner only."""

    meaning: Meaning
    again: str


def fault_of(version: Version, *, viewer: User | AnonymousUser) -> LostCheckGame | None:
    """Explain the game for which a version was rejected; return None if no game was the reason."""
    text = record_of(version)
    if text is None:
        return None
    result = Record.from_json(text).result
    bot = forensics.program_of(version=version)
    line = f"drapeau reproduce {file_of(version)} --seat {result.fault} {bot}"
    may_read = permissions.may_see_logs(viewer, version.bot)
    return LostCheckGame(termination_help.of(result.termination), line if may_read else "")


def record_of(version: Version) -> str | None:
    """Return the record of the lost check game as JSON."""
    failed = VersionCheck.objects.filter(version=version, state=CheckState.FAILED)
    blob = failed.exclude(record=None).values_list("record", flat=True).first()
    return records.unpacked(blob=bytes(blob)) if blob is not None else None


def file_of(version: Version) -> str:
    """Return the file name under which the record is downloaded."""
    return f"{version.bot.slug}-v{version.number}.json"
