"""The open matches of a tournament, handled all at once.

Callers have locked the tournament. Matches are always locked in the order of their rows, so that
transactions do not deadlock.
"""

from arena import jobs
from arena.domain.matches import lifecycle
from arena.models import Match, MatchQuerySet, Tournament


def hold(*, tournament: Tournament) -> None:
    """Lock the open matches, so that no result is written until the transaction ends."""
    rows = _of(tournament).select_for_update(of=("self",), no_key=True)
    list(rows.values_list("pk"))


def cancel(*, tournament: Tournament, reason: str) -> int:
    """Cancel the open matches without a result. Return how many were cancelled."""
    return sum(lifecycle.cancel(match=match, reason=reason) for match in _of(tournament))


def send_again(*, tournament: Tournament) -> None:
    """Notify the runners that waiting matches may start: one at once, the others with the sweep.

    Their first messages had no effect, because the tournament was paused.
    """
    hold(tournament=tournament)
    _of(tournament).waiting().update(sent_at=None)
    jobs.enqueue(jobs.WAKE_RUNNER)


def _of(tournament: Tournament) -> MatchQuerySet:
    return Match.objects.of_tournament(tournament).open().order_by("pk")
