"""Log entries and messages about entering, choosing a version and leaving.

Callers have locked the tournament. Owners are told what others do with their bots. Organizers are
told when a bot leaves after the freeze.
"""

from typing import Any

from arena import jobs
from arena.domain.tournaments import changes, log, messages
from arena.models import Tournament, TournamentEntrant, User


def entered(
    *, tournament: Tournament, entrant: TournamentEntrant, by: User, is_organizer: bool
) -> None:
    """Write that a bot was entered, and tell its owner."""
    is_late = not tournament.is_before_freeze
    details: dict[str, Any] = {"entrant": entrant.pk}
    if is_late and entrant.version:
        late = {"from_round": entrant.from_round, "seed": entrant.seed, "digest": entrant.digest}
        details |= {**late, "version": entrant.version.number}
        jobs.enqueue(jobs.DIRECT, tournament.pk)
    if is_late or is_organizer:
        changes.bump(tournament=tournament)
    last_round = entrant.from_round - 1 or None  # hidden with the round: it tells the progress
    log.write(tournament=tournament, action="entered", by=by, round_number=last_round, **details)
    _tell(tournament, entrant, by, "entered")


def chosen(
    *, tournament: Tournament, entrant: TournamentEntrant, by: User, is_organizer: bool
) -> None:
    """Write that the version of an entrant was chosen, and tell its owner."""
    if is_organizer:
        changes.bump(tournament=tournament)
    number = entrant.version.number if entrant.version else None
    log.write(
        tournament=tournament, action="version_chosen", by=by, entrant=entrant.pk, version=number
    )
    text = "version_chosen:one" if number else "version_chosen:active"
    _tell(tournament, entrant, by, text, "may_choose", version=number)


def listed(
    *, tournament: Tournament, entrant: TournamentEntrant, by: User, was: TournamentEntrant | None
) -> None:
    """Notify the owner of what a list changed: the bot was entered, or its version or seed is new.

    `was` is the entrant before the list, or None if it was not in.
    """
    if was is None:
        _tell(tournament, entrant, by, "entered")
    elif (was.version_id, was.seed) != (entrant.version_id, entrant.seed):
        version, seed = entrant.version, entrant.seed
        texts = (
            "list_changed",
            "list_version:one" if version else "list_version:active",
            "list_seed:one" if seed else "list_seed:none",
            "may_choose",
        )
        number = version.number if version else None
        _tell(tournament, entrant, by, *texts, version=number, seed=seed)


def left(
    *,
    tournament: Tournament,
    entrant: TournamentEntrant,
    by: User,
    reason: str,
    is_organizer: bool,
) -> None:
    """Write that a bot left before the freeze, and tell its owner."""
    if is_organizer:
        changes.bump(tournament=tournament)
    log.write(tournament=tournament, action="left", by=by, reason=reason, entrant=entrant.pk)
    why = reason.strip()
    given = "reason:given" if why else "reason:none"
    _tell(tournament, entrant, by, "taken_out", given, "ask_organizers", why=why)


def withdrew(*, tournament: Tournament, entrant: TournamentEntrant, by: User, reason: str) -> None:
    """Write that an owner withdrew a bot after the freeze, and tell the organizers."""
    changes.bump(tournament=tournament)
    until_round = entrant.until_round or 0
    log.write(
        tournament=tournament,
        action="withdrew",
        by=by,
        round_number=until_round or None,  # hidden with the round, which would reveal the progress
        reason=reason,
        entrant=entrant.pk,
        until_round=until_round,
    )
    messages.tell_organizers(
        tournament=tournament, slugs=["withdrew"], bot=entrant.bot, round=until_round
    )
    jobs.enqueue(jobs.DIRECT, tournament.pk)


def _tell(
    tournament: Tournament,
    entrant: TournamentEntrant,
    by: User,
    *slugs: str,
    **names: object,
) -> None:
    """Notify the owner, unless the owner did it."""
    if by.pk != entrant.bot.owner_id:
        messages.tell_owner(tournament=tournament, bot=entrant.bot, slugs=slugs, by=by, **names)
