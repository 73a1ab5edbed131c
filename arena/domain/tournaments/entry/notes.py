"""What is written down and told of who comes in, changes and leaves.

Callers hold the tournament. Owners are told of what others do with their bots, organizers of who
has left them.
"""

from typing import Any

from django.utils.translation import gettext as _

from arena import jobs
from arena.domain.tournaments import log, messages, stages
from arena.models import Tournament, TournamentEntrant, User, Version


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
        stages.bump(tournament=tournament)
    last_round = entrant.from_round - 1 or None  # who may not see it is not told how far it is
    log.write(tournament=tournament, action="entered", by=by, round_number=last_round, **details)
    said = _("%(bot)s was entered in %(tournament)s by %(by)s.")
    _tell(tournament, entrant, by, said)


def chosen(
    *, tournament: Tournament, entrant: TournamentEntrant, by: User, is_organizer: bool
) -> None:
    """Note that the version of an entrant was chosen."""
    if is_organizer:
        stages.bump(tournament=tournament)
    number = entrant.version.number if entrant.version else None
    log.write(
        tournament=tournament, action="version_chosen", by=by, entrant=entrant.pk, version=number
    )
    said = _(
        "%(by)s has chosen for %(bot)s in %(tournament)s: %(version)s. "
        "You may choose otherwise on its page until the freeze."
    )
    _tell(tournament, entrant, by, said, version=_version(entrant.version))


def listed(
    *, tournament: Tournament, entrant: TournamentEntrant, by: User, was: TournamentEntrant | None
) -> None:
    """Tell the owner what a list has made of a bot: it is in, or another version or seed.

    `was` is the entrant as it was in before.
    """
    if was is None:
        _tell(tournament, entrant, by, _("%(bot)s was entered in %(tournament)s by %(by)s."))
    elif (was.version_id, was.seed) != (entrant.version_id, entrant.seed):
        said = _(
            "A list of %(by)s has changed %(bot)s in %(tournament)s: %(version)s, %(seed)s. "
            "You may choose another version on its page until the freeze."
        )
        seed = _("seed %(seed)d") % {"seed": entrant.seed} if entrant.seed else _("no seed yet")
        _tell(tournament, entrant, by, said, version=_version(entrant.version), seed=seed)


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
        stages.bump(tournament=tournament)
    log.write(tournament=tournament, action="left", by=by, reason=reason, entrant=entrant.pk)
    said = _(
        "%(by)s has taken %(bot)s out of %(tournament)s. %(why)s "
        "Ask the organizers where it should play nevertheless."
    )
    why = reason.strip() or _("No reason is given.")
    _tell(tournament, entrant, by, said, why=why)


def withdrew(*, tournament: Tournament, entrant: TournamentEntrant, by: User, reason: str) -> None:
    """Note that an owner has withdrawn a bot after the freeze."""
    stages.bump(tournament=tournament)
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
    said = _("%(bot)s has withdrawn from %(tournament)s after round %(round)d.")
    names = {"bot": entrant.bot, "tournament": tournament.name, "round": until_round}
    messages.tell_organizers(tournament=tournament, text=said % names)
    jobs.enqueue(jobs.DIRECT, tournament.pk)


def _version(version: Version | None) -> str:
    if version is None:
        return _("the version that is active at the freeze")
    return _("version %(number)d") % {"number": version.number}


def _tell(
    tournament: Tournament, entrant: TournamentEntrant, by: User, said: str, **more: str
) -> None:
    """Tell the owner, where somebody else did it."""
    if by.pk != entrant.bot.owner_id:
        names = {"bot": entrant.bot, "tournament": tournament.name, "by": by, **more}
        messages.tell_owner(tournament=tournament, bot=entrant.bot, text=said % names)
