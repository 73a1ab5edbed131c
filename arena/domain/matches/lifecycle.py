"""Matches: made, claimed, played game by game, finished once."""

import logging
import secrets
from collections.abc import Collection, Sequence

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from arena import jobs
from arena.domain.errors import Refused
from arena.domain.matches import game_results, leases
from arena.domain.matches.game_results import PlayedGame
from arena.domain.matches.leases import Lease
from arena.domain.matches.purposes import RATED, Purpose
from arena.models import (
    Game,
    GameRecord,
    GameStatus,
    Ladder,
    Match,
    MatchEntrant,
    MatchKind,
    MatchStatus,
    Pairing,
    Tournament,
    TournamentStatus,
    Version,
    VersionStatus,
)
from engine import registry
from engine.seating import seatings

logger = logging.getLogger(__name__)

RETRY_DELAY_S = 10.0
SEED_BITS = 48  # a JSON number that every language reads exactly


def create_match(
    *,
    ladder: Ladder,
    versions: Sequence[Version],
    rng_seed: int | None = None,
    rerun_of: Match | None = None,
    purpose: Purpose = RATED,
) -> Match:
    """Queue a match between versions: one `rng_seed`, and a game for every way to seat them.

    Who has which seats in which game is the variant's business. Raise WrongEntrants where it has
    no seats for so many.
    """
    variant = registry.find(ladder.variant)
    options = registry.resolve_options(variant, ladder.options)
    rng_seed = secrets.randbits(SEED_BITS) if rng_seed is None else rng_seed
    games = seatings(variant, options, rng_seed, range(len(versions)))
    now = timezone.now()
    with transaction.atomic():
        match = Match.objects.create(
            **purpose.columns,
            ladder=ladder,
            status=MatchStatus.QUEUED,
            rng_seed=rng_seed,
            rerun_of=rerun_of,
            queued_at=now,
            sent_at=now,
        )
        MatchEntrant.objects.bulk_create(
            MatchEntrant(match=match, position=position, version=version)
            for position, version in enumerate(versions)
        )
        Game.objects.bulk_create(
            Game(match=match, number=number, seats=seats)
            for number, seats in enumerate(games, start=1)
        )
        jobs.enqueue(jobs.RUN_MATCH, match.pk)
    return match


def claim(*, match_pk: int) -> Lease | None:
    """Take a waiting match; None where another runner was first or it waits no longer.

    None too while its tournament is held, and where one of its versions was retired since it was
    made, which ends it.
    """
    lease = leases.claim(waiting=Match.objects.runnable(), pk=match_pk, into=MatchStatus.LEASED)
    retired = Match.objects.filter(pk=match_pk, entrants__version__status=VersionStatus.RETIRED)
    if lease and (match := retired.first()):
        cancel(match=match, reason=_("One of its versions was retired."))
        return None
    return lease


def begin_game(*, lease: Lease, game: Game) -> None:
    """Mark the match and one of its games as running. Raise LeaseLost.

    With a match of the ladder, versions that never had one begin to play: that is noted in them.
    """
    now = timezone.now()
    with transaction.atomic():
        leases.renew(lease=lease, status=MatchStatus.RUNNING)
        if Match.objects.filter(pk=lease.pk, started_at__isnull=True).update(started_at=now):
            Version.objects.filter(
                first_game_at__isnull=True,
                pk__in=MatchEntrant.objects.filter(
                    match=lease.pk, match__kind=MatchKind.LADDER
                ).values("version"),
            ).update(first_game_at=now)
        Game.objects.filter(pk=game.pk).update(status=GameStatus.RUNNING, plies=0)


def note_progress(*, lease: Lease, game: Game, plies: int) -> None:
    """Hold on to the match and show how far the game is. Raise LeaseLost."""
    with transaction.atomic():
        leases.renew(lease=lease)
        Game.objects.filter(pk=game.pk).update(plies=plies)


def store_game(*, lease: Lease, game: Game, played: PlayedGame) -> None:
    """Store all that came of one game, once. Raise LeaseLost; then nothing is stored."""
    with transaction.atomic():
        leases.renew(lease=lease)
        if GameRecord.objects.filter(game=game).exists():
            return  # stored before: only the answer to that commit was lost
        game_results.store(game=game, played=played)


def void_attempt(*, lease: Lease, reason: str, counts: bool = True) -> None:
    """Queue the match again, the platform having failed; `failed` after the last that counts."""
    match = Match.objects.get(pk=lease.pk)
    if counts and match.attempt >= settings.MATCH_ATTEMPTS:
        gone = {"status": MatchStatus.FAILED, "failure": reason, "finished_at": timezone.now()}
    else:
        gone = leases.wait_again(
            status=MatchStatus.RETRYING, reason=reason, delay_s=RETRY_DELAY_S * match.attempt
        )
        gone["attempt"] = match.attempt if counts else match.attempt - 1
    with transaction.atomic():
        if leases.leave(lease=lease, **gone):
            _reset_unfinished_games(match)
            logger.warning("match_void", extra={"match": match.public_id, "why": reason})


def cancel(*, match: Match, reason: str) -> bool:
    """End an open match for ever without a result, even while it runs; False where it was over."""
    rows = Match.objects.open().filter(pk=match.pk)
    with transaction.atomic():
        ended = rows.update(
            status=MatchStatus.CANCELLED,
            failure=reason,
            lease_token="",
            lease_until=None,
            finished_at=timezone.now(),
        )
        if ended:
            _reset_unfinished_games(match)
    return bool(ended)


def cancel_waiting(
    *, of: QuerySet[Version], reason: str, kinds: Collection[str] = MatchKind.values
) -> int:
    """Cancel the matches of some versions that no runner has begun; return how many there were."""
    rows = Match.objects.waiting().filter(kind__in=kinds, entrants__version__in=of)
    with transaction.atomic():
        found = Match.objects.filter(pk__in=list(rows.values_list("pk", flat=True)))
        # In the order of rows, as whoever holds the matches of a tournament does.
        list(found.order_by("pk").select_for_update(no_key=True).values_list("pk"))
        return found.waiting().update(
            status=MatchStatus.CANCELLED, failure=reason, finished_at=timezone.now()
        )


def void(*, match: Match, reason: str) -> Match:
    """End an open match as the platform's fault and queue its re-run, a new row. Raise Refused."""
    with transaction.atomic():
        _hold_tournament(match)
        if not cancel(match=match, reason=reason):
            raise Refused("match_over", f"{match} is {match.get_status_display()}.")
        return rerun(match=match)


@transaction.atomic
def rerun(*, match: Match) -> Match:
    """Queue the same match again as a new row; only for one that ended without a result, once.

    One of a tournament stays the same leg of its pairing, and is seen by whom the round is seen.
    """
    _hold_tournament(match)
    match = Match.objects.select_for_update(no_key=True).get(pk=match.pk)
    if match.status not in (MatchStatus.CANCELLED, MatchStatus.FAILED):
        raise Refused("match_not_void", f"{match} is {match.get_status_display()}.")
    if again := match.reruns.first():
        raise Refused("match_rerun", _("It is already being played again: %(id)s.") % {"id": again})
    versions = [entrant.version for entrant in match.entrants.select_related("version")]
    return create_match(
        ladder=match.ladder,
        versions=versions,
        rng_seed=match.rng_seed,
        rerun_of=match,
        purpose=Purpose(
            MatchKind(match.kind), match.requested_by, match.trial, match.pairing, match.leg
        ),
    )


def _hold_tournament(match: Match) -> None:
    """Hold the tournament of a match before the match, as everywhere; who sees it cannot change.

    Raise Refused where it is not played any more, or the pairing is decided without the match.
    """
    if (pairing := match.pairing) is None:
        return
    rows = Tournament.objects.select_for_update(no_key=True)
    tournament = rows.get(rounds__pairings=pairing.pk)
    is_on = tournament.status in (TournamentStatus.RUNNING, TournamentStatus.PAUSED)
    if not is_on or Pairing.objects.filter(pk=pairing.pk).exclude(decision="").exists():
        said = _(
            "%(name)s no longer needs this match: the tournament is over, or the pairing is "
            "already decided."
        )
        raise Refused("not_awaited", said % {"name": tournament.name})


def _reset_unfinished_games(match: Match) -> None:
    match.games.exclude(status=GameStatus.FINISHED).update(status=GameStatus.CREATED, plies=0)
