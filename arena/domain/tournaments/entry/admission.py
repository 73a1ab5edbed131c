"""Whether a bot, a version and its owner may take part in a tournament, and the row of the entrant.

Callers have locked the tournament.
"""

from django.db.models import Max
from django.utils.translation import gettext as _

from arena.domain.bots import activation
from arena.domain.errors import Refused
from arena.domain.formats import catalogue
from arena.domain.tournaments import changes
from arena.models import (
    Bot,
    Tournament,
    TournamentEntrant,
    TournamentEntrantStatus,
    User,
    Version,
    VersionStatus,
)


def require_playable(*, tournament: Tournament, version: Version) -> None:
    """Raise Refused unless the version is ready and plays the variant of the tournament."""
    activation.require_ready(version=version)
    variant = tournament.ladder.variant_slug
    if version.is_remote:
        text = _("%(bot)s plays from home. Only bots that were uploaded play in tournaments.")
        raise Refused("remote_bot", text % {"bot": version.bot}, field="bot")
    if not version.plays(variant):
        text = _(
            "Version %(number)d of %(bot)s does not play %(variant)s. "
            "Choose one that does, or upload one."
        )
        names = {"number": version.number, "bot": version.bot, "variant": variant}
        raise Refused("wrong_variant", text % names, field="version")


def version_for(*, tournament: Tournament, bot: Bot, chosen: Version | None) -> Version:
    """Return the version that a bot would play: the chosen one, else its active one.

    Raise Refused if that version cannot play in this tournament.
    """
    if chosen is not None and chosen.bot_id != bot.pk:
        raise Refused(
            "version_of_another_bot",
            _("This version is not one of %(bot)s. Choose one of its own.") % {"bot": bot},
            field="version",
        )
    version = chosen or bot.active_version
    if version is None:
        text = _(
            "%(bot)s has no active version. Upload one or activate one that is ready, then enter."
        )
        raise Refused("no_version", text % {"bot": bot}, field="bot")
    require_playable(tournament=tournament, version=version)
    return version


def require_able(*, tournament: Tournament, bot: Bot, chosen: Version | None = None) -> Version:
    """Return the version with which a bot can be entered now. Raise Refused."""
    if bot.owner.is_banned:
        text = _("%(bot)s cannot be entered: its owner is banned. Enter another bot.")
        raise Refused("owner_banned", text % {"bot": bot}, field="bot")
    if bot.is_paused:
        text = _("%(bot)s is paused. Its owner can resume it on its page; then enter it.")
        raise Refused("bot_paused", text % {"bot": bot}, field="bot")
    version = version_for(tournament=tournament, bot=bot, chosen=chosen)
    if version.paused_at is not None:
        text = _(
            "Version %(number)d of %(bot)s is paused because it forfeited several times in a "
            "row. Resume it, choose another version, or upload a better one."
        )
        names = {"number": version.number, "bot": bot}
        raise Refused("version_paused", text % names, field="version")
    return version


def require_place(*, tournament: Tournament, owner: User) -> None:
    """Raise Refused if the tournament is full or the owner has too many bots in it."""
    inside = tournament.entrants.entered()
    if inside.count() >= tournament.max_entrants:
        text = _(
            "All %(most)d places are taken. Ask the organizers for more, "
            "or come back when somebody leaves."
        )
        raise Refused("tournament_full", text % {"most": tournament.max_entrants})
    most = tournament.max_per_owner
    if most is not None and inside.filter(bot__owner=owner).count() >= most:
        text = _(
            "%(owner)s already has %(most)d bots in the tournament, the maximum for one owner. "
            "Withdraw one of them first."
        )
        raise Refused("too_many_of_owner", text % {"owner": owner, "most": most}, field="bot")


def late_round(*, tournament: Tournament) -> int:
    """Return the first round that is not drawn yet, for a late entry. Raise Refused."""
    drawn = drawn_rounds(tournament=tournament)
    require_takes_late(tournament=tournament, drawn=drawn)
    return drawn + 1


def require_takes_late(*, tournament: Tournament, drawn: int) -> None:
    """Raise Refused unless bots may still enter after `drawn` rounds."""
    format_ = catalogue.find(tournament.format)
    if tournament.status not in changes.UNDER_WAY:
        raise Refused("tournament_over", _("The tournament is over. Look for the next one."))
    if not format_.takes_late_entries or tournament.last_entry_round == 0:
        text = _(
            "Entries are closed: versions are frozen, and this tournament takes no late entries."
        )
        raise Refused("entries_closed", text)
    if drawn >= tournament.last_entry_round:
        # Do not name the next round: viewers of hidden rounds must not learn how many there are.
        text = _("Entries are closed: late entry was possible until round %(last)d.")
        raise Refused("entries_closed", text % {"last": tournament.last_entry_round})


def drawn_rounds(*, tournament: Tournament) -> int:
    """Return the number of rounds drawn so far."""
    return tournament.rounds.aggregate(last=Max("number"))["last"] or 0


def require_can_come(*, entrant: TournamentEntrant | None, tournament: Tournament) -> None:
    """Raise Refused if the bot is already in, or has left after the freeze.

    An entrant that left before the freeze, or was dropped at it, has no seed and may enter again.
    """
    if entrant is None:
        return
    if entrant.status == TournamentEntrantStatus.ENTERED:
        text = _("%(bot)s is already entered. Its version can be changed until the freeze.")
        raise Refused("already_entered", text % {"bot": entrant.bot}, field="bot")
    was_in = entrant.seed is not None and not tournament.is_before_freeze
    if entrant.has_left and was_in:
        text = _("%(bot)s has left this tournament. This cannot be undone.")
        raise Refused("has_left", text % {"bot": entrant.bot}, field="bot")


def put_in(
    *,
    tournament: Tournament,
    bot: Bot,
    by: User | None,
    version: Version | None = None,
    from_round: int = 1,
) -> TournamentEntrant:
    """Create or update the entrant of a bot. With `version` None it plays its active version.

    After the freeze, pin the version at once and give the entrant the last seed.
    """
    entrant, _made = TournamentEntrant.objects.update_or_create(
        tournament=tournament,
        bot=bot,
        defaults={
            "status": TournamentEntrantStatus.ENTERED,
            "version": version,
            "from_round": from_round,
            "until_round": None,
            "entered_by": by,
        },
    )
    if not tournament.is_before_freeze:
        held = hold_bots(bots=[bot.pk])[bot.pk]
        chosen = version and Version.objects.select_related("bot").get(pk=version.pk)
        pin(entrant=entrant, version=version_for(tournament=tournament, bot=held, chosen=chosen))
        last = tournament.entrants.aggregate(last=Max("seed"))["last"] or 0
        entrant.seed = last + 1
        entrant.save(update_fields=["seed"])
    return entrant


def pin(*, entrant: TournamentEntrant, version: Version) -> None:
    """Pin the version that the entrant plays from now on."""
    entrant.version = version
    entrant.digest = version.digest
    entrant.save(update_fields=["version", "digest"])


def put_out(*, entrant: TournamentEntrant, until_round: int = 0) -> None:
    """Withdraw an entrant after a round. Before the freeze, clear its seed and its version."""
    entrant.status = TournamentEntrantStatus.WITHDRAWN
    entrant.until_round = until_round
    if entrant.tournament.is_before_freeze:
        entrant.seed = entrant.version = None
    entrant.save(update_fields=["status", "until_round", "seed", "version"])


def hold_bots(*, bots: list[int]) -> dict[int, Bot]:
    """Lock bots until the transaction ends, so that none of their versions is retired meanwhile.

    Lock the tournament first, then the bots in the order of their rows. Read the versions again
    after this call, because they may have changed while it waited.
    """
    rows = Bot.objects.filter(pk__in=bots).order_by("pk")
    list(rows.select_for_update(no_key=True).values_list("pk"))
    return {bot.pk: bot for bot in rows.select_related("owner", "active_version")}


def is_ready(*, tournament: Tournament, version: Version | None) -> bool:
    """Return whether a version is ready and plays the variant of the tournament."""
    return (
        version is not None
        and version.status == VersionStatus.READY
        and tournament.ladder.takes(version)
    )
