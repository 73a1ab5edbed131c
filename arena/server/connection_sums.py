"""Warn if the processes of the site may open more connections than PostgreSQL has for them.

`docs/how-to/add-capacity.md` has the sum as a table. `migrate` and `check --database default` look.
"""

from collections.abc import Collection, Mapping, Sequence

from django.conf import settings
from django.core import checks
from django.db import Error as DatabaseError
from django.db import connection, transaction
from django.db.models import Count, Sum

from arena.server.threads import OPERATORS_AT_ONCE

LEFT = 10  # for `psql`, backups and commands
_LIMITS = """
SELECT current_setting('max_connections')::int,
    current_setting('superuser_reserved_connections')::int
    + coalesce(current_setting('reserved_connections', true)::int, 0)"""


def warn_of_too_few_connections(
    *, databases: Collection[str] | None = None, **_: object
) -> Sequence[checks.CheckMessage]:
    """Warn if the sum is higher than what the database allows. SQLite allows any number."""
    if not databases or connection.vendor != "postgresql":
        return []
    with connection.cursor() as cursor:
        cursor.execute(_LIMITS)
        most, reserved = cursor.fetchone()
    parts, left = wanted(), max(LEFT, reserved)
    if sum(parts.values()) <= most - left:
        return []
    listed = ", ".join(f"{name} {count}" for name, count in parts.items())
    return [
        checks.Warning(
            f"The processes of this site may open {sum(parts.values())} connections to the database"
            f" ({listed}), and PostgreSQL has {most - left} for them: max_connections is {most},"
            f" and {left} stay for operators.",
            hint="Raise max_connections, or lower DRAPEAU_REQUESTS_AT_ONCE, DRAPEAU_WEB_PROCESSES,"
            " DRAPEAU_WORKERS or DRAPEAU_MATCH_SLOTS.",
            id="arena.W002",
        )
    ]


def wanted() -> Mapping[str, int]:
    """Return how many connections the processes of each kind may open. Beat opens none."""
    return {
        "web": settings.WEB_PROCESSES * (settings.REQUESTS_AT_ONCE + OPERATORS_AT_ONCE),
        "worker": settings.WORKERS + 1,
        "mail": 2,
        "runners": _of_runners(),
    }


def _of_runners() -> int:
    """Count the runners that reported within the hour, or the one that these settings start."""
    from arena.domain.queue import runner_figures  # noqa: PLC0415 - apps are not ready before

    own = 2 * settings.MATCH_SLOTS + 1
    try:
        with transaction.atomic():
            sums = runner_figures.latest().aggregate(slots=Sum("slots"), runners=Count("pk"))
    except DatabaseError:  # the database has no tables yet
        return own
    reported: int = 2 * (sums["slots"] or 0) + sums["runners"]
    return max(own, reported)
