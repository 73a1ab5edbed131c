"""Runners that come at the same moment do not wait for each other."""

import threading

import pytest
from django.db import connection, transaction
from django.utils import timezone

from arena.domain.queue import dispatch
from arena.domain.queue.scheduling import Item
from arena.models import Match
from tests import factories

SOME = 3


def item(pk, *bots, model="match"):
    parties = frozenset(("bot", bot) for bot in bots)
    return Item((model, pk), "ladder 1", timezone.now(), parties)


def test_batch_matches_share_no_bot_or_one_version():
    order = [item(1, 1, 2), item(2, 3, 4), item(3, 4, 5), item(4, 8, model="version"), item(5, 9)]

    assert [[each.key[1] for each in batch] for batch in dispatch._batches(order)] == [
        [1, 2],
        [3],
        [4],
        [5],
    ]


def test_a_batch_is_bounded():
    order = [item(pk, pk) for pk in range(dispatch.BATCH + 1)]

    assert [len(batch) for batch in dispatch._batches(order)] == [dispatch.BATCH, 1]


@pytest.mark.django_db(transaction=True)
def test_claim_passes_over_rows_claimed_by_others():
    waiting = [factories.make_match() for _ in range(SOME + 1)]
    are_locked, is_claimed = threading.Event(), threading.Event()

    def hold():
        with transaction.atomic():
            rows = Match.objects.filter(pk__in=[match.pk for match in waiting[:SOME]])
            list(rows.select_for_update(no_key=True))
            are_locked.set()
            is_claimed.wait(timeout=60)
        connection.close()

    holder = threading.Thread(target=hold)
    holder.start()
    try:
        assert are_locked.wait(timeout=60)
        lease = dispatch.claim_next()  # would wait for the holder, and fail
    finally:
        is_claimed.set()
        holder.join(timeout=60)

    assert lease is not None
    assert lease.pk == waiting[SOME].pk
