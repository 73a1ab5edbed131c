"""The matches of a tournament that are not over, all of them at once.

Callers hold the tournament. Matches are held in the order of their rows, as everywhere, so that no
two who hold several wait for each other.
"""

from arena import jobs
from arena.domain.matches import lifecycle
from arena.models import Match, MatchQuerySet, Tournament


def hold(*, tournament: Tournament) -> None:
    """Let no result of any of them be written until the transaction ends."""
    rows = _of(tournament).select_for_update(of=("self",), no_key=True)
    list(rows.values_list("pk"))


def cancel(*, tournament: Tournament, reason: str) -> int:
    """End them without a result; return how many there were."""
    return sum(lifecycle.cancel(match=match, reason=reason) for match in _of(tournament))


def send_again(*, tournament: Tournament) -> None:
    """Let runners know that those which wait can be begun: one at once, the others with the sweep.

    They were sent for, and could not be begun as long as the tournament was paused.
    """
    hold(tournament=tournament)
    _of(tournament).waiting().update(sent_at=None)
    jobs.enqueue(jobs.RUN_MATCH)


def _of(tournament: Tournament) -> MatchQuerySet:
    return Match.objects.of_tournament(tournament).open().order_by("pk")
