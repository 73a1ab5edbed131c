"""The automatic progress of tournaments: freeze, start and round after round to the end.

A step is one transaction that locks the tournament's row and reads the current rows. If two
processes take the same step, the second finds it done. If a process dies, its step is rolled back.
Messages only wake the process. A clock also checks every tournament regularly.

A paused tournament takes no steps, and its waiting matches do not start (`Match.objects.runnable`).
A match that a runner already plays continues to its end.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db import DatabaseError, transaction
from django.db.models import Count, F, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from arena import jobs
from arena.domain.errors import Refused
from arena.domain.formats.types import Unplayable
from arena.domain.tournaments import changes, log, messages, snapshot, stages
from arena.domain.tournaments.rehearsal import rehearsals
from arena.domain.tournaments.rounds import drawing, pairings
from arena.domain.tournaments.snapshot import TournamentSnapshot
from arena.models import (
    Match,
    MatchKind,
    Pairing,
    Release,
    Tournament,
    TournamentRound,
    TournamentStatus,
)
from arena.texts import as_rows_keep_them

logger = logging.getLogger(__name__)

MOST_STEPS = 1000  # of one tournament per call, in case a defect causes an endless loop
LEGS_AT_ONCE = 100  # roughly, per step: a step blocks all other writers on SQLite
RELEASED_AFTER = timedelta(hours=24)  # release is final: time for corrections


def advance_all() -> None:
    """Advance every tournament that can advance. One that fails does not delay the others."""
    now = timezone.now()
    due = Tournament.objects.filter(
        Q(status=TournamentStatus.REGISTRATION, freezes_at__lte=now)
        | Q(status=TournamentStatus.FROZEN, starts_at__lte=now)
        | Q(status=TournamentStatus.RUNNING)
        | Q(status=TournamentStatus.COMPLETED, completed_at__lte=now - RELEASED_AFTER)
    )
    for pk in list(due.order_by("pk").values_list("pk", flat=True)):
        try:
            advance(tournament_pk=pk)
        except DatabaseError:
            logger.warning("tournament_held_up", extra={"tournament": pk}, exc_info=True)
        except Exception:
            logger.exception("tournament_stuck", extra={"tournament": pk})
            _tell_of_defect(pk)


def _tell_of_defect(tournament_pk: int) -> None:
    try:
        tournament = Tournament.objects.get(pk=tournament_pk)
        messages.tell_organizers(tournament=tournament, slugs=["defect"])
    except DatabaseError:
        logger.warning("organizers_not_told", extra={"tournament": tournament_pk})


def on_match_finished(*, match: Match) -> None:
    """Enqueue a step of the tournament of a finished match, to check whether the round is over."""
    if match.kind == MatchKind.TOURNAMENT and match.pairing is not None:
        jobs.enqueue(jobs.DIRECT, match.pairing.round.tournament_id)


def advance(*, tournament_pk: int) -> int:
    """Take all steps that a tournament can take now. Return how many there were."""
    for taken in range(MOST_STEPS):
        if _only_waits(tournament_pk) or not _step(tournament_pk):
            return taken
    raise RuntimeError(f"tournament {tournament_pk} takes more than {MOST_STEPS} steps at once")


def _only_waits(tournament_pk: int) -> bool:
    """Return whether matches are open and nothing else can be done before they finish.

    This runs after every match, so it neither locks the tournament nor loads a snapshot. In a
    bracket it returns False, because this query cannot see whether a finished pairing is level.
    """
    undecided = Pairing.objects.filter(round__tournament=tournament_pk, decision="")
    rows = Match.objects.not_rerun().filter(pairing__in=undecided)
    if not rows.open().exists() or undecided.exclude(slot="").exists():
        return False
    counted = undecided.annotate(legs_there=Count("matches__leg", distinct=True))
    is_short = counted.filter(legs_there__lt=F("matches_wanted")).exists()
    return not is_short and not rows.filter(status__in=pairings.WITHOUT_RESULT).exists()


def _step(tournament_pk: int) -> bool:
    """Take one step. Return whether there was one to take."""
    with transaction.atomic():
        tournament = changes.lock(pk=tournament_pk)
        match tournament.status:
            case TournamentStatus.REGISTRATION:
                return _in_time(tournament, tournament.freezes_at, stages.freeze, "not_frozen")
            case TournamentStatus.FROZEN:
                return _in_time(tournament, tournament.starts_at, stages.start, "not_started")
            case TournamentStatus.RUNNING:
                return _play_on(tournament)
            case TournamentStatus.COMPLETED:
                return _release(tournament)
            case _:
                return False


def _in_time(
    tournament: Tournament, due: datetime | None, turn: Callable[..., Tournament], refused: str
) -> bool:
    """Freeze or start the tournament when it is due. If that is refused, the status stays.

    It is tried again until organizers move the time, enter more bots or cancel the tournament.
    """
    if due is None or due > timezone.now():
        return False
    try:
        with transaction.atomic():
            turn(tournament=tournament, by=None)
    except Refused as refusal:
        details: dict[str, Any] = {"why": refusal.message, "due": due.isoformat()}
        last = tournament.log.filter(action=refused).order_by("-pk").first()
        if last is None or last.details != details:  # do not repeat the same entry
            log.write(tournament=tournament, action=refused, **details)
            messages.tell_organizers(tournament=tournament, slugs=["stuck"], why=refusal.message)
        return False
    return True


def _play_on(tournament: Tournament) -> bool:
    """Tend the pairings. If none is open, end the round and draw the next."""
    picture = snapshot.load(tournament=tournament)
    open_ = [pairing for pairing in picture.pairings.values() if not picture.is_over(pairing)]
    closed = [pairing for pairing in picture.pairings.values() if picture.is_over(pairing)]
    did = [pairings.break_tie(picture=picture, pairing=pairing) for pairing in closed]
    legs = 0
    for pairing in open_:
        did.append(pairings.tend(picture=picture, pairing=pairing))
        legs += pairing.matches_wanted if did[-1] else 0
        if tournament.status != TournamentStatus.RUNNING:  # paused after too many failures
            return False
        if legs >= LEGS_AT_ONCE:
            break
    if any(did):
        return True
    return not open_ and (_end_rounds(picture) or _go_on(picture))


def _end_rounds(picture: TournamentSnapshot) -> bool:
    """Mark finished rounds as finished. Return whether there were any to mark."""
    tournament = picture.tournament
    over = [row.number for row in picture.rounds if row.finished_at is None]
    TournamentRound.objects.filter(tournament=tournament, number__in=over).update(
        finished_at=timezone.now()
    )
    for number in over:
        log.write(
            tournament=tournament, action="round_finished", round_number=number, number=number
        )
        rehearsals.on_round_finished(tournament=tournament, round_number=number)
    return bool(over)


def _go_on(picture: TournamentSnapshot) -> bool:
    """Draw the next round, or complete the tournament if there is none."""
    tournament, state = picture.tournament, picture.state
    try:
        if state.meetings:
            draw = picture.format.next_round(state)
        else:
            draw = picture.format.initial_pairings(state.setup, state.entries)
    except Unplayable as exc:
        with as_rows_keep_them():
            why = log.why_not(exc=exc)
            reason = _("The next round could not be drawn. %(why)s") % {"why": why}
        stages.pause(tournament=tournament, by=None, reason=reason)
        messages.tell_organizers(tournament=tournament, slugs=["news"], text=reason)
        return False
    if draw is not None and draw.meetings:
        drawing.write(tournament=tournament, draw=draw, number=state.rounds + 1)
        return True
    notes = picture.format.closing_notes(state) if state.meetings else ()
    drawing.explain(tournament=tournament, notes=notes, number=state.rounds)
    stages.complete(tournament=tournament, by=None)  # corrections are still possible until released
    return True


def _release(tournament: Tournament) -> bool:
    """Release a tournament whose rounds are all public, after the time for corrections."""
    ended_at = tournament.completed_at
    if ended_at is None or ended_at > timezone.now() - RELEASED_AFTER:
        return False
    is_public = not tournament.rounds.exclude(release=Release.PUBLIC).exists()
    if is_public and tournament.rehearsal_of_id is None:
        stages.release(tournament=tournament, by=None)
        return True
    return False
