"""A runner that lost its lease may store and finish all the same, and nothing keeps events apart.

For PostgreSQL: it drops the constraint `rated_once`. Either alone would not be enough.
"""

from typing import Any

from django.db import connection

from arena.domain.matches import leases
from arena.domain.matches.leases import Lease
from tests.faults.hasty import app

__all__ = ["app"]


def _whoever_asks(lease: Lease) -> Any:
    return lease.model.objects.filter(pk=lease.pk)


leases._held = _whoever_asks
with connection.cursor() as cursor:
    cursor.execute("ALTER TABLE arena_ratingevent DROP CONSTRAINT IF EXISTS rated_once")
connection.close()
