"""What is written down and told of who comes in, changes and leaves.

Callers hold the tournament. Owners are told of what others do with their bots, organizers of who
has left them.
"""

from typing import Any

from arena import jobs
from arena.domain.tournaments import changes, log, messages
from arena.models import Tournament, TournamentEntrant, User


def entered(
    *, tournament: Tournament, entrant: TournamentEntrant, by: User, is_organizer: bool
) -> None:
    """Note that a bot is in."""
    is_late = not tournament.is_before_freeze
    details: dict[str, Any] = {"entrant": entrant.pk}
    if is_late and entrant.version:
        late = {"from_round": entrant.from_round, "seed": entrant.seed, "digest": entrant.digest}
        details |= {**late, "version": entrant.version.number}
        jobs.enqueue(jobs.DIRECT, tournament.pk)
    if is_late or is_organizer:
        changes.bump(tournament=tournament)
    last_round = entrant.from_round - 1 or None  # who may not see it is not told how far it is
    log.write(tournament=tournament, action="entered", by=by, round_number=last_round, **details)
    _tell(tournament, entrant, by, "entered")


def chosen(
    *, tournament: Tournament, entrant: TournamentEntrant, by: User, is_organizer: bool
) -> None:
    """Note that the version of an entrant was chosen."""
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
    """Tell the owner what a list has made of a bot: it is in, or another version or seed.

    `was` is the entrant as it was in before.
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
    """Note that a bot is out before the freeze."""
    if is_organizer:
        changes.bump(tournament=tournament)
    log.write(tournament=tournament, action="left", by=by, reason=reason, entrant=entrant.pk)
    why = reason.strip()
    given = "reason:given" if why else "reason:none"
    _tell(tournament, entrant, by, "taken_out", given, "ask_organizers", why=why)


def withdrew(*, tournament: Tournament, entrant: TournamentEntrant, by: User, reason: str) -> None:
    """Note that an owner has withdrawn a bot after the freeze."""
    changes.bump(tournament=tournament)
    until_round = entrant.until_round or 0
    log.write(
        tournament=tournament,
        action="withdrew",
        by=by,
        round_number=until_round or None,  # who may not see it is not told how far it is
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
    """Tell the owner, where somebody else did it."""
    if by.pk != entrant.bot.owner_id:
        messages.tell_owner(tournament=tournament, bot=entrant.bot, slugs=slugs, by=by, **names)
