"""A match is rated after the transaction that finishes it, not in it."""

import time
from collections.abc import Sequence

from django.db import transaction

from arena.domain.ratings import rating_events
from arena.domain.ratings.scores import EntrantScore
from arena.models import Match, RatingEvent
from tests.faults.hasty import app

__all__ = ["app"]

PAUSE_S = 8.0  # a runner is more often in it than not

_apply = rating_events.apply


def _apply_later(*, match: Match, parts: Sequence[EntrantScore]) -> list[RatingEvent]:
    def rate() -> None:
        time.sleep(PAUSE_S)
        with transaction.atomic():
            _apply(match=match, parts=parts)

    transaction.on_commit(rate)
    return []


rating_events.apply = _apply_later
