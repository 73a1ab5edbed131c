"""Rehearsals: playing a tournament with house bots before the real one.

A rehearsal is a separate tournament that only its organizers see. It is as small as its format
allows. It shows what can happen in a tournament: a bye, a tie between two bots of one program, a
crash, and a withdrawal after round 1.
"""

import secrets
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from arena.domain.errors import Refused
from arena.domain.formats import catalogue
from arena.domain.formats.types import Unplayable
from arena.domain.tournaments import changes, log, snapshot, stages
from arena.domain.tournaments.entry import admission
from arena.domain.tournaments.rehearsal import findings, rehearsal_bots, sizes
from arena.domain.tournaments.rehearsal.findings import Report
from arena.domain.tournaments.rehearsal.sizes import RehearsalSize
from arena.models import (
    EntryPolicy,
    Match,
    MatchStatus,
    Release,
    Tournament,
    TournamentEntrant,
    TournamentEntrantStatus,
    TournamentLogEntry,
    TournamentRound,
    TournamentStatus,
    User,
)

LEAVES_AFTER_ROUND = 1
NAME_LENGTH = 80
SLUG_LENGTH = 50


@transaction.atomic
def start(*, tournament: Tournament, by: User) -> Tournament:
    """Start a rehearsal of a tournament. Raise Refused.

    A tournament has one running rehearsal at a time. The tournament must not be over, and house
    bots must play its variant.
    """
    locked = changes.begin(tournament=tournament, by=by, revision=None)
    if locked.rehearsal_of_id is not None:
        text = _("This is a rehearsal itself. Rehearse the original tournament again.")
        raise Refused("rehearsal_of_rehearsal", text)
    if locked.status in changes.OVER:
        text = _("The tournament is over, so there is nothing to rehearse.")
        raise Refused("tournament_over", text)
    if no_cast := why_no_cast(tournament=locked):
        raise Refused("no_house_bots", no_cast)
    if locked.rehearsals.filter(status__in=changes.UNDER_WAY).exists():
        text = _("A rehearsal is running. Wait for its end, or cancel it.")
        raise Refused("rehearsal_running", text)
    rehearsal, fit = _fitted(locked)
    rehearsal.save()
    rehearsal.organizers.set(locked.organizers.all())
    cast = rehearsal_bots.gather(variant=rehearsal.ladder.variant_slug, others=fit.entrants - 3)
    parts = sizes.roles(
        format_=catalogue.find(rehearsal.format),
        setup=snapshot.setup_of(tournament=rehearsal),
        entrants=fit.entrants,
    )
    playing = {
        parts.twins[0]: cast.twins[0],
        parts.twins[1]: cast.twins[1],
        parts.quitter: cast.quitter,
    }
    free = [seed for seed in range(1, fit.entrants + 1) if seed not in playing]
    playing |= dict(zip(free, cast.others, strict=True))
    for seed, version in sorted(playing.items()):
        TournamentEntrant.objects.create(
            tournament=rehearsal,
            bot=version.bot,
            version=version,
            digest=version.digest,
            seed=seed,
            entered_by=by,
        )
    stages.start(tournament=rehearsal, by=None)
    rehearsal.refresh_from_db()
    return rehearsal


def why_no_cast(*, tournament: Tournament) -> str:
    """Return why house bots cannot play a rehearsal and what to do; empty if they can."""
    if rehearsal_bots.houses(variant=tournament.ladder.variant_slug):
        return ""
    text = _(
        "No house bot plays %(ladder)s, so there is nobody to rehearse with. Make a small "
        "tournament with your own bots instead, or ask the operator of this site to add house "
        "bots."
    )
    return text % {"ladder": tournament.ladder.name}


def of(*, tournament: Tournament) -> QuerySet[Tournament]:
    """Return the rehearsals of a tournament, latest first."""
    return tournament.rehearsals.select_related("ladder").order_by("-created_at", "-pk")


def on_round_finished(*, tournament: Tournament, round_number: int) -> None:
    """Withdraw an entrant of a rehearsal after round 1. `directing` calls this with the lock."""
    if tournament.rehearsal_of_id is None or round_number != LEAVES_AFTER_ROUND:
        return
    has_left = tournament.entrants.filter(status=TournamentEntrantStatus.WITHDRAWN).exists()
    entrant = None if has_left else _leaver(tournament)
    if entrant is None:
        return
    admission.put_out(entrant=entrant, until_round=round_number)
    changes.bump(tournament=tournament)
    log.write(
        tournament=tournament, action="withdrew", entrant=entrant.pk, until_round=round_number
    )


@transaction.atomic
def discard(*, rehearsal: Tournament, by: User) -> None:
    """Delete a finished rehearsal with all its matches.

    Raise Refused, also while a runner may still be playing a cancelled match of it.
    """
    locked = changes.begin(tournament=rehearsal, by=by, revision=None)
    if locked.rehearsal_of_id is None:
        raise Refused("no_rehearsal", _("This is not a rehearsal. You can cancel it instead."))
    if locked.status in changes.UNDER_WAY:
        text = _("This rehearsal is still being played. Cancel it, or wait for its end.")
        raise Refused("rehearsal_running", text)
    rows = Match.objects.of_tournament(locked)
    lately = timezone.now() - timedelta(seconds=settings.LEASE_S)
    if rows.filter(status=MatchStatus.CANCELLED, taken_at__gt=lately).exists():
        text = _("A runner may still be working on it. Try again in a minute.")
        raise Refused("rehearsal_in_work", text)
    while rows.exists():  # delete a repetition before the match that it repeats
        rows.not_rerun().delete()
    TournamentRound.objects.filter(tournament=locked).delete()
    # The log is append-only. A plain QuerySet may delete it: nobody needs a rehearsal's history.
    QuerySet(TournamentLogEntry).filter(tournament=locked).delete()
    locked.delete()


def report(*, rehearsal: Tournament) -> Report:
    """Return the findings of a rehearsal so far, and how long the tournament would take."""
    return findings.report(rehearsal=rehearsal)


def _fitted(original: Tournament) -> tuple[Tournament, RehearsalSize]:
    """Return the unsaved row of a rehearsal, and its size and options. Raise Refused."""
    number = original.rehearsals.count() + 1
    name = _("Rehearsal %(number)d: %(name)s") % {"number": number, "name": original.name}
    base = original.slug[: SLUG_LENGTH - len("-rehearsal-000000")]
    rehearsal = Tournament(
        slug=f"{base}-rehearsal-{secrets.token_hex(3)}",
        name=name[:NAME_LENGTH],
        ladder=original.ladder,
        created_by=original.created_by,
        format=original.format,
        format_options=original.format_options,
        scoring=original.scoring,
        tie_breaks=original.tie_breaks,
        matches_per_pairing=1,
        entry_policy=EntryPolicy.LISTED,
        release=Release.HIDDEN,
        status=TournamentStatus.FROZEN,
        frozen_at=timezone.now(),
        rehearsal_of=original,
    )
    try:
        fit = sizes.fit(
            format_=catalogue.find(original.format), setup=snapshot.setup_of(tournament=rehearsal)
        )
    except Unplayable as exc:
        text = _("A small tournament is not possible with this format and its options. %(why)s")
        why = log.why_not(exc=exc)
        raise Refused(exc.code, text % {"why": why}) from exc
    rehearsal.format_options = dict(fit.options)
    return rehearsal, fit


def _leaver(rehearsal: Tournament) -> TournamentEntrant | None:
    """Return the entrant that withdraws: the strongest that is neither a twin nor crashes."""
    rows = rehearsal.entrants.select_related("tournament", "bot__owner", "version__bot__owner")
    entrants = list(rows.entered().order_by("seed"))
    programs = [entrant.digest for entrant in entrants]
    for entrant in entrants:
        is_quitter = entrant.version is not None and rehearsal_bots.is_quitter(
            version=entrant.version
        )
        if programs.count(entrant.digest) == 1 and not is_quitter:
            return entrant
    return None
