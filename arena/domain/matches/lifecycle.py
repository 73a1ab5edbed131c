"""The life cycle of a match: created, claimed, played game by game, voided or cancelled."""

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from arena import jobs
from arena.domain.errors import Refused
from arena.domain.matches import leases, record_compression
from arena.domain.matches.leases import Lease
from arena.domain.matches.purposes import RATED, Purpose
from arena.models import (
    Game,
    GameEvidence,
    GameLog,
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
from arena.models.match_secrets import new_secret
from engine import chance, registry
from engine.seating import seatings

logger = logging.getLogger(__name__)

RETRY_DELAY_S = 10.0


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """The result of a played game. `logs` maps seats to standard error.

    `remarks` maps seats that made remarks to further columns of their logs (`remarks.Notebook`).
    `evidence` has an unsaved row for every seat that forfeited.
    """

    record_json: str
    outcome: Mapping[str, float]
    termination: str
    fault: str
    detail: str
    plies: int
    duration_ms: int
    isolation: str
    logs: Mapping[str, str]
    evidence: Sequence[GameEvidence] = ()
    remarks: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def create_match(
    *,
    ladder: Ladder,
    versions: Sequence[Version],
    rerun_of: Match | None = None,
    purpose: Purpose = RATED,
    seats: Mapping[str, int] | None = None,
) -> Match:
    """Queue a match between versions, with a secret of its own and a game for every seating.

    The variant defines the seatings, unless `seats` has that of the only game: positions of
    entrants by seat. Raise WrongEntrants if it has none for so many entrants. The caller has locked
    the tournament of a match that belongs to one.
    """
    place, pairing, leg = "", purpose.pairing, purpose.leg
    if pairing is not None and leg is not None:
        place = chance.place_of(
            round_number=pairing.round.number,
            pairing=pairing.number,
            leg=leg,
            take=1 + Match.objects.filter(pairing=pairing, leg=leg).count(),
        )
    of_tournament = pairing.round.tournament.secret if pairing else ""
    match = Match(
        **purpose.columns,
        ladder=ladder,
        secret=chance.match_secret(of_tournament, place=place) if of_tournament else new_secret(),
        place=place,
        rerun_of=rerun_of,
    )
    _queue([match], [[version.pk for version in versions]], seats)
    return match


def create_rated_matches(*, ladder: Ladder, lineups: Sequence[Sequence[int]]) -> list[Match]:
    """Queue matches of the ladder itself, with a few statements for all of them.

    A lineup has the ids of the versions of one match. Raise WrongEntrants like `create_match`.
    """
    matches = [Match(**RATED.columns, ladder=ladder, secret=new_secret()) for _ in lineups]
    _queue(matches, lineups)
    return matches


def _queue(
    matches: Sequence[Match],
    lineups: Sequence[Sequence[int]],
    seats: Mapping[str, int] | None = None,
) -> None:
    """Store new matches of one ladder, with their entrants and games, and wake runners."""
    ladder, now = matches[0].ladder, timezone.now()
    variant = registry.find(ladder.variant)
    options = registry.resolve_options(variant, ladder.options)
    games = [
        [dict(seats)]
        if seats
        else seatings(variant, options, chance.seats_seed(match.secret), range(len(lineup)))
        for match, lineup in zip(matches, lineups, strict=True)
    ]
    for match in matches:
        match.status, match.queued_at, match.sent_at = MatchStatus.QUEUED, now, now
    with transaction.atomic():
        Match.objects.bulk_create(matches)
        MatchEntrant.objects.bulk_create(
            MatchEntrant(match=match, position=position, version_id=version)
            for match, lineup in zip(matches, lineups, strict=True)
            for position, version in enumerate(lineup)
        )
        Game.objects.bulk_create(
            Game(match=match, number=number, seats=seats)
            for match, seatings_of in zip(matches, games, strict=True)
            for number, seats in enumerate(seatings_of, start=1)
        )
        for _match in matches:
            jobs.enqueue(jobs.WAKE_RUNNER)


def claim(*, match_pk: int) -> Lease | None:
    """Claim a waiting match. Return None if another runner was first or it does not wait.

    Also return None while its tournament is paused. An unrated match of a version that has been
    retired is cancelled.
    """
    lease = leases.claim(waiting=Match.objects.runnable(), pk=match_pk, into=MatchStatus.LEASED)
    retired = Match.objects.filter(pk=match_pk, entrants__version__status=VersionStatus.RETIRED)
    retired = retired.exclude(kind=MatchKind.LADDER)
    if lease and (match := retired.first()):
        cancel(match=match, reason=gettext_noop("One of its versions was retired."))
        return None
    return lease


def begin_game(*, lease: Lease, game: Game) -> None:
    """Mark the match and one of its games as running, and count its `take`. Raise LeaseLost.

    At the start of a rated match, set `first_game_at` of versions that had none.
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
        row = Game.objects.filter(pk=game.pk)
        row.update(status=GameStatus.RUNNING, plies=0, take=F("take") + 1)
        game.take = row.values_list("take", flat=True).get()


def note_progress(*, lease: Lease, game: Game, plies: int) -> None:
    """Renew the lease of the match and store the plies of the game. Raise LeaseLost."""
    with transaction.atomic():
        leases.renew(lease=lease)
        Game.objects.filter(pk=game.pk).update(plies=plies)


def store_game(*, lease: Lease, game: Game, played: PlayedGame) -> None:
    """Store the result of one game, once. Raise LeaseLost; then nothing is stored."""
    with transaction.atomic():
        leases.renew(lease=lease)
        if GameRecord.objects.filter(game=game).exists():
            return  # it was stored before, but the response to that commit was lost
        Game.objects.filter(pk=game.pk).update(
            status=GameStatus.FINISHED,
            outcome=dict(played.outcome),
            termination=played.termination,
            fault=played.fault,
            detail=played.detail,
            plies=played.plies,
            duration_ms=played.duration_ms,
            isolation=played.isolation,
        )
        GameRecord.objects.create(
            game=game, blob=record_compression.packed(text=played.record_json)
        )
        GameLog.objects.bulk_create(
            GameLog(
                game=game,
                seat=seat,
                position=game.seats[seat],
                stderr=text.replace("\0", "\N{REPLACEMENT CHARACTER}"),
                **played.remarks.get(seat, {}),
            )
            for seat, text in played.logs.items()
        )
        for row in played.evidence:
            row.game, row.position = game, game.seats[row.seat]
        GameEvidence.objects.bulk_create(played.evidence)


def void_attempt(*, lease: Lease, reason: str, counts: bool = True) -> None:
    """Requeue the match after a failure of the platform. After the last attempt, it has failed."""
    match = Match.objects.get(pk=lease.pk)
    if counts and match.attempt >= settings.MATCH_ATTEMPTS:
        columns = {"status": MatchStatus.FAILED, "failure": reason, "finished_at": timezone.now()}
    else:
        columns = leases.wait_again(
            status=MatchStatus.RETRYING, reason=reason, delay_s=RETRY_DELAY_S * match.attempt
        )
        columns["attempt"] = match.attempt if counts else match.attempt - 1
    with transaction.atomic():
        if leases.leave(lease=lease, **columns):
            _reset_unfinished_games(match)
            logger.warning("match_void", extra={"match": match.public_id, "why": reason})


def cancel(*, match: Match, reason: str) -> bool:
    """Cancel an open match, even while it runs. Return False if it was over."""
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
    """Cancel the matches of these versions that no runner has begun. Return how many."""
    rows = Match.objects.waiting().filter(kind__in=kinds, entrants__version__in=of)
    with transaction.atomic():
        matches = Match.objects.filter(pk__in=list(rows.values_list("pk", flat=True)))
        # Lock in the order of ids, as tournaments lock their matches.
        list(matches.order_by("pk").select_for_update(no_key=True).values_list("pk"))
        return matches.waiting().update(
            status=MatchStatus.CANCELLED, failure=reason, finished_at=timezone.now()
        )


def void(*, match: Match, reason: str) -> Match:
    """Cancel an open match as the platform's fault, and queue its re-run. Raise Refused."""
    with transaction.atomic():
        _lock_tournament(match)
        if not cancel(match=match, reason=reason):
            raise Refused("match_over", _state_of(match))
        return rerun(match=match)


@transaction.atomic
def rerun(*, match: Match) -> Match:
    """Queue a match without a result again, once, as a new row. Raise Refused.

    It has a new secret, because somebody may know a game of the first match. A match of a
    tournament keeps its pairing and leg, and its visibility is that of the round.
    """
    _lock_tournament(match)
    match = Match.objects.select_for_update(no_key=True).get(pk=match.pk)
    if match.kind == MatchKind.PERSON:
        raise Refused("of_a_person", _("The person has gone: a game of a person is not repeated."))
    if match.status not in (MatchStatus.CANCELLED, MatchStatus.FAILED):
        raise Refused("match_not_void", _state_of(match))
    if again := match.reruns.first():
        raise Refused("match_rerun", _("Match %(id)s is already its re-run.") % {"id": again})
    versions = [entrant.version for entrant in match.entrants.select_related("version")]
    return create_match(
        ladder=match.ladder,
        versions=versions,
        rerun_of=match,
        purpose=Purpose(
            MatchKind(match.kind),
            match.requested_by,
            match.trial,
            match.pairing,
            match.leg,
            match.trial_pair,
        ),
    )


def _lock_tournament(match: Match) -> None:
    """Lock the tournament of a match before the match, so that its release cannot change.

    Raise Refused if the tournament is over, or if the pairing is decided.
    """
    if (pairing := match.pairing) is None:
        return
    rows = Tournament.objects.select_for_update(no_key=True)
    tournament = rows.get(rounds__pairings=pairing.pk)
    is_on = tournament.status in (TournamentStatus.RUNNING, TournamentStatus.PAUSED)
    if not is_on or Pairing.objects.filter(pk=pairing.pk).exclude(decision="").exists():
        message = _("%(name)s no longer needs this match: it is over, or the pairing is decided.")
        raise Refused("not_awaited", message % {"name": tournament.name})


def _reset_unfinished_games(match: Match) -> None:
    match.games.exclude(status=GameStatus.FINISHED).update(status=GameStatus.CREATED, plies=0)


def _state_of(match: Match) -> str:
    return _("%(match)s is %(status)s.") % {"match": match, "status": match.get_status_display()}
