"""Entering a tournament, choosing a version and leaving.

Owners act for their bots. Before the freeze organizers may enter any bot, whatever the entry policy
is, and each of their acts increases the revision. Owners are told what others do with their bots.
Every function locks the tournament first.
"""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from arena import jobs
from arena.domain.accounts import permissions
from arena.domain.errors import Refused
from arena.domain.tournaments import changes, log, messages, seedings
from arena.domain.tournaments.entry import admission, ladder_entry, rosters, self_entry
from arena.models import (
    Bot,
    Entrant,
    Tournament,
    TournamentEntrant,
    TournamentEntrantStatus,
    TournamentStatus,
    User,
    Version,
)

IN = TournamentEntrantStatus.ENTERED
INVITED = TournamentEntrantStatus.INVITED


def seeding(*, tournament: Tournament) -> list[TournamentEntrant]:
    """Return the entered entrants, strongest first, in their actual or expected seed order."""
    return seedings.order(tournament=tournament)


@transaction.atomic
def enter(
    *,
    tournament: Tournament,
    bot: Bot,
    by: User,
    version: Version | None = None,
    revision: int | None = None,
) -> TournamentEntrant:
    """Enter a bot with the chosen version, or with the version that is active at the freeze.

    After the freeze this is possible only if the tournament takes late entries. The entrant is then
    paired from the next round on, and has no points for earlier rounds. Raise Refused.
    """
    locked = changes.begin(tournament=tournament, by=None, revision=revision)
    is_organizer = _require_right(locked, bot, by)
    entrant = _of(locked, bot)
    admission.require_can_come(entrant=entrant, tournament=locked)
    if not is_organizer and (entrant is None or entrant.status != INVITED):
        self_entry.require(tournament=locked)
    is_late = not locked.is_before_freeze
    from_round = admission.late_round(tournament=locked) if is_late else 1
    admission.require_able(tournament=locked, bot=bot, chosen=version)
    admission.require_place(tournament=locked, owner=bot.owner)
    entrant = admission.put_in(
        tournament=locked, bot=bot, by=by, version=version, from_round=from_round
    )
    details: dict[str, Any] = {"entrant": entrant.pk}
    if is_late and entrant.version:
        late = {"from_round": from_round, "seed": entrant.seed, "digest": entrant.digest}
        details |= {**late, "version": entrant.version.number}
        jobs.enqueue(jobs.DIRECT, locked.pk)
    if is_late or is_organizer:
        changes.bump(tournament=locked)
    last_round = from_round - 1 or None  # hidden with the round: it tells the progress
    log.write(tournament=locked, action="entered", by=by, round_number=last_round, **details)
    messages.tell_owner(tournament=locked, bot=bot, slugs=["entered"], by=by)
    tournament.refresh_from_db()
    return entrant


@transaction.atomic
def choose_version(
    *, tournament: Tournament, bot: Bot, by: User, version: Version | None
) -> TournamentEntrant:
    """Set the version that an entrant plays, or None for the active one at the freeze.

    Raise Refused.
    """
    locked = changes.begin(tournament=tournament, by=None, revision=None)
    is_organizer = _require_right(locked, bot, by)
    if not locked.is_before_freeze:
        text = _(
            "Versions are frozen. Ask an organizer: the console can substitute a version that "
            "can no longer play."
        )
        raise Refused("versions_frozen", text, field="version")
    entrant = _require_in(locked, bot)
    admission.version_for(tournament=locked, bot=bot, chosen=version)
    entrant.version = version
    entrant.save(update_fields=["version"])
    if is_organizer:
        changes.bump(tournament=locked)
    number = version.number if version else None
    log.write(tournament=locked, action="version_chosen", by=by, entrant=entrant.pk, version=number)
    slugs = ["version_chosen:one" if version else "version_chosen:active", "may_choose"]
    messages.tell_owner(tournament=locked, bot=bot, slugs=slugs, by=by, version=number)
    tournament.refresh_from_db()
    return entrant


@transaction.atomic
def leave(
    *, tournament: Tournament, bot: Bot, by: User, reason: str = "", revision: int | None = None
) -> TournamentEntrant:
    """Withdraw a bot. Before the freeze it may enter again. After the freeze this is final.

    Pairings already drawn are still played, and results stand. Raise Refused, after the freeze also
    for organizers, who withdraw the bot of another user in the console.
    """
    locked = changes.begin(tournament=tournament, by=None, revision=revision)
    is_organizer = _require_right(locked, bot, by)
    if locked.status in changes.OVER:
        raise changes.refuse(tournament=locked)
    entrant = _require_in(locked, bot)
    if locked.is_before_freeze:
        admission.put_out(entrant=entrant)
        if is_organizer:
            changes.bump(tournament=locked)
        log.write(tournament=locked, action="left", by=by, reason=reason, entrant=entrant.pk)
        why = reason.strip()
        slugs = ["taken_out", "reason:given" if why else "reason:none", "ask_organizers"]
        messages.tell_owner(tournament=locked, bot=bot, slugs=slugs, by=by, why=why)
    else:
        _withdraw(locked, entrant, by, reason)
    tournament.refresh_from_db()
    return entrant


@transaction.atomic
def invite(
    *, tournament: Tournament, bot: Bot, by: User, revision: int | None = None
) -> TournamentEntrant:
    """Invite the owner of a bot to enter it. The invitation lapses at the freeze. Raise Refused."""
    locked = changes.begin(tournament=tournament, by=by, revision=revision)
    if locked.status != TournamentStatus.REGISTRATION:
        raise changes.refuse(tournament=locked)  # also for a draft, which only organizers can see
    entrant = _of(locked, bot)
    admission.require_can_come(entrant=entrant, tournament=locked)
    if entrant is not None and entrant.status == INVITED:
        raise Refused("already_invited", _("%(bot)s is already invited.") % {"bot": bot})
    admission.require_able(tournament=locked, bot=bot)
    entrant, _made = TournamentEntrant.objects.update_or_create(
        tournament=locked,
        bot=bot,
        defaults={"status": INVITED, "until_round": None, "entered_by": by},
    )
    changes.bump(tournament=locked)
    log.write(tournament=locked, action="invited", by=by, entrant=entrant.pk)
    messages.tell_owner(tournament=locked, bot=bot, slugs=["invited"])
    tournament.refresh_from_db()
    return entrant


@transaction.atomic
def answer(
    *, tournament: Tournament, bot: Bot, by: User, accept: bool, version: Version | None = None
) -> TournamentEntrant:
    """Accept an invitation and enter the bot, or decline it. Tell the organizers.

    Raise Refused.
    """
    locked = changes.begin(tournament=tournament, by=None, revision=None)
    entrant = _of(locked, bot)
    if not permissions.may_edit_bot(by, bot):
        raise Refused("not_your_bot", _("Only the owner of a bot can answer its invitation."))
    if entrant is None or entrant.status != INVITED:
        text = _(
            "%(bot)s has no open invitation. Invitations lapse at the freeze. Ask the organizers."
        )
        raise Refused("not_invited", text % {"bot": bot})
    if accept:
        entrant = enter(tournament=tournament, bot=bot, by=by, version=version)
    else:
        entrant.status = TournamentEntrantStatus.DECLINED
        entrant.save(update_fields=["status"])
        log.write(tournament=locked, action="declined", by=by, entrant=entrant.pk)
    answer = "accepted" if accept else "declined"
    messages.tell_organizers(tournament=locked, slugs=[answer], bot=bot)
    return entrant


@transaction.atomic
def take_top(
    *, tournament: Tournament, by: User, n: int, revision: int | None = None
) -> list[TournamentEntrant]:
    """Enter those of the best `n` of the ladder who are not in yet. Return them. Raise Refused."""
    locked = _begin_list(tournament, by, revision)
    if n < 1 or n > locked.max_entrants:
        text = _("Take between 1 and %(most)d, the number of places in the tournament.")
        raise Refused("wrong_number", text % {"most": locked.max_entrants}, field="top_n")
    changes.bump(tournament=locked)
    places = locked.max_entrants - locked.entrants.filter(status=IN).count()
    entered = ladder_entry.enter_best(tournament=locked, by=by, best=n, most=places)
    if not entered:
        if Entrant.objects.filter(ladder=locked.ladder_id, active=True).exists():
            text = _(
                "There is nobody to enter: the best %(n)d who can play are already in, or no place "
                "is left. Take more, or allow more entrants."
            )
        else:
            text = _("Nobody plays on the ladder yet. Enter bots one by one, or by a list.")
        raise Refused("nobody_to_take", text % {"n": n}, field="top_n")
    tournament.refresh_from_db()
    return entered


@transaction.atomic
def take_csv(
    *, tournament: Tournament, by: User, text: str | bytes, revision: int | None = None
) -> list[TournamentEntrant]:
    """Enter all bots of a list, with its versions and seeds. Return the entrants in order.

    Bots that are already in get the version and seed of the list. If the list changes nothing, the
    tournament keeps its revision. Raise Refused, or InvalidInput with every wrong line. No bot is
    entered then.
    """
    locked = _begin_list(tournament, by, revision)
    entrants = rosters.take(tournament=locked, by=by, text=text)
    tournament.refresh_from_db()
    return entrants


def _withdraw(locked: Tournament, entrant: TournamentEntrant, by: User, reason: str) -> None:
    bot = entrant.bot
    if not permissions.may_edit_bot(by, bot):
        text = _(
            "Versions are frozen, so only the owner of %(bot)s can withdraw it here. Organizers"
            " withdraw it in the console, which shows the new standings, asks for a reason and "
            "tells the owner."
        )
        raise Refused("withdraw_in_console", text % {"bot": bot}, field="bot")
    drawn = admission.drawn_rounds(tournament=locked)
    admission.put_out(entrant=entrant, until_round=drawn)
    changes.bump(tournament=locked)
    log.write(
        tournament=locked,
        action="withdrew",
        by=by,
        round_number=drawn or None,  # hidden with the round, which would reveal the progress
        reason=reason,
        entrant=entrant.pk,
        until_round=drawn,
    )
    messages.tell_organizers(tournament=locked, slugs=["withdrew"], bot=bot, round=drawn)
    jobs.enqueue(jobs.DIRECT, locked.pk)


def _begin_list(tournament: Tournament, by: User, revision: int | None) -> Tournament:
    locked = changes.begin(tournament=tournament, by=by, revision=revision)
    if not locked.is_before_freeze:
        raise changes.refuse(tournament=locked)
    return locked


def _require_right(tournament: Tournament, bot: Bot, by: User) -> bool:
    """Return whether the user is an organizer. Raise Refused if neither organizer nor owner."""
    is_organizer = permissions.may_organize(by, tournament)
    if not is_organizer and not permissions.may_edit_bot(by, bot):
        text = _("%(bot)s is not your bot. Its owner or an organizer can do that.")
        raise Refused("not_your_bot", text % {"bot": bot}, field="bot")
    return is_organizer


def _of(tournament: Tournament, bot: Bot) -> TournamentEntrant | None:
    rows = tournament.entrants.select_related("tournament", "bot__owner")
    return rows.filter(bot=bot).first()


def _require_in(tournament: Tournament, bot: Bot) -> TournamentEntrant:
    entrant = _of(tournament, bot)
    if entrant is None or entrant.status != IN:
        raise Refused("not_in", _("%(bot)s is not in this tournament.") % {"bot": bot}, field="bot")
    return entrant
