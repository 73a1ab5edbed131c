"""The freeze: who plays, with which version and which seed.

Callers have locked the tournament.
"""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.domain.errors import Refused
from arena.domain.formats import catalogue
from arena.domain.formats.types import Unplayable
from arena.domain.tournaments import changes, log, messages, seedings, snapshot
from arena.domain.tournaments.entry import admission, ladder_entry
from arena.models import (
    Bot,
    EntryPolicy,
    Tournament,
    TournamentEntrant,
    TournamentEntrantStatus,
    TournamentStatus,
    Version,
)


def pin_all(*, tournament: Tournament) -> dict[str, Any]:
    """Pin the version of every entrant and set the seeds. Return the data of the log entry.

    Open invitations lapse. With the entry policy `ladder`, the best bots of the ladder are entered.
    If the chosen version of an entrant is no longer ready, it plays the active version. If there is
    none either, the entrant is dropped and its owner is told. Raise Refused.
    """
    if tournament.entry_policy == EntryPolicy.LADDER:
        ladder_entry.fill(tournament=tournament)
    invited = tournament.entrants.filter(status=TournamentEntrantStatus.INVITED)
    lapsed = list(invited.order_by("pk").values_list("pk", flat=True))
    if lapsed:
        invited.update(status=TournamentEntrantStatus.DECLINED)
        log.write(tournament=tournament, action="lapsed", entrants=lapsed)
    inside = tournament.entrants.entered()
    held = admission.hold_bots(bots=[*inside.values_list("bot", flat=True)])
    for entrant in seedings.order(tournament=tournament):  # read again under the lock
        _pin(tournament, entrant, held[entrant.bot_id])
    seeded = seedings.order(tournament=tournament)
    tournament.entrants.update(seed=None)  # so that no two rows ever have the same seed
    for seed, entrant in enumerate(seeded, start=1):
        entrant.seed = seed
    TournamentEntrant.objects.bulk_update(seeded, ["seed"])
    require_enough(tournament=tournament, entrants=len(seeded))
    return {
        "entrants": [
            {
                "entrant": entrant.pk,
                "seed": entrant.seed,
                "version": entrant.version.number if entrant.version else None,
                "digest": entrant.digest,
            }
            for entrant in seeded
        ]
    }


def obstacle(*, tournament: Tournament) -> Refused | None:
    """Return why a tournament cannot be frozen or started now, or None if it can.

    Of one that is neither to be frozen nor to be started, return None.
    """
    try:
        if tournament.status == TournamentStatus.REGISTRATION:
            require_enough(tournament=tournament, entrants=len(_who_would_play(tournament)))
        elif tournament.status == TournamentStatus.FROZEN:
            require_enough_left(tournament=tournament)
    except Refused as refusal:
        return refusal
    return None


def _who_would_play(tournament: Tournament) -> list[TournamentEntrant]:
    """Return the entrants that a freeze would leave in, those of the ladder included."""
    with transaction.atomic():
        if tournament.entry_policy == EntryPolicy.LADDER:
            ladder_entry.fill(tournament=changes.lock(pk=tournament.pk))
        rows = tournament.entrants.entered().select_related("version", "bot__active_version")
        able = [row for row in rows if _ready_versions(tournament, row, row.bot)]
        transaction.set_rollback(True)
    return able


def require_enough(*, tournament: Tournament, entrants: int) -> None:
    """Raise Refused if the tournament cannot be played with this number of entrants."""
    if entrants < tournament.min_entrants:
        text = ngettext(
            "The tournament has %(has)d entrant and needs %(least)d. Enter more bots, freeze "
            "later, or cancel it.",
            "The tournament has %(has)d entrants and needs %(least)d. Enter more bots, freeze "
            "later, or cancel it.",
            entrants,
        )
        numbers = {"has": entrants, "least": tournament.min_entrants}
        raise Refused("too_few_entrants", text % numbers)
    try:
        setup = snapshot.setup_of(tournament=tournament)
        catalogue.find(tournament.format).check(setup, entrants)
    except Unplayable as exc:
        raise Refused(exc.code, log.why_not(exc=exc, entrants=entrants)) from exc


def require_enough_left(*, tournament: Tournament) -> None:
    """Raise Refused if too many entrants have left since the freeze."""
    left = tournament.entrants.entered().count()
    try:
        require_enough(tournament=tournament, entrants=left)
    except Refused as refusal:
        try:
            admission.late_round(tournament=tournament)
            what_now = _("Let others enter late, or cancel it.")
        except Refused:
            what_now = _("Cancel it.")
        text = ngettext(
            "Bots have left since the freeze, and %(left)d is too few to play it. %(what_now)s",
            "Bots have left since the freeze, and %(left)d are too few to play it. %(what_now)s",
            left,
        )
        raise Refused(refusal.code, text % {"left": left, "what_now": what_now}) from refusal


def _ready_versions(tournament: Tournament, entrant: TournamentEntrant, bot: Bot) -> list[Version]:
    """Return the versions that the entrant could play: the chosen one, then the active one."""
    return [
        version
        for version in (entrant.version, bot.active_version)
        if version and admission.is_ready(tournament=tournament, version=version)
    ]


def _pin(tournament: Tournament, entrant: TournamentEntrant, bot: Bot) -> None:
    entrant.tournament = tournament
    chosen = entrant.version
    ready = _ready_versions(tournament, entrant, bot)
    if not ready:
        admission.put_out(entrant=entrant)
        entrant.seed = entrant.version = None
        entrant.save(update_fields=["seed", "version"])
        log.write(tournament=tournament, action="dropped", entrant=entrant.pk)
        messages.tell_owner(tournament=tournament, bot=entrant.bot, slugs=["dropped"])
        return
    pinned = ready[0]
    admission.pin(entrant=entrant, version=pinned)
    if chosen is not None and chosen != pinned:
        numbers: dict[str, Any] = {"chosen": chosen.number, "version": pinned.number}
        log.write(tournament=tournament, action="fell_back", entrant=entrant.pk, **numbers)
        messages.tell_owner(tournament=tournament, bot=entrant.bot, slugs=["fell_back"], **numbers)
