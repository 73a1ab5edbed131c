"""Runners that come at the same moment do not wait for each other."""

import threading

import pytest
from django.db import connection, transaction

from arena.domain.queue import dispatch
from arena.models import Match
from tests import factories

SOME = 3


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
