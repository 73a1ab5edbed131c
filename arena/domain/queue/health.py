"""Health checks of the site."""

import shutil
from dataclasses import dataclass

from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.utils import Error as DatabaseError

from arena.celery_app import app
from arena.domain.queue import alarms, runner_figures

BROKER_TIMEOUT_S = 2.0
MIB = 1024 * 1024
LEAST_FREE_BYTES = 256 * MIB  # of the disk with the data folder
MOST_USED = 0.9  # of the connections of the database


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """The check of one thing that the site uses. `detail` is for operators, without secrets.

    Without one that is `vital`, the site cannot answer requests.
    """

    name: str
    ok: bool
    detail: str
    vital: bool = False


@dataclass(frozen=True, slots=True)
class Readiness:
    """The results of all checks."""

    checks: tuple[HealthCheck, ...]

    @property
    def ok(self) -> bool:
        """Whether the site can answer requests."""
        return all(check.ok for check in self.checks if check.vital)

    @property
    def status(self) -> str:
        """Return `ok`, `degraded` if only what is not vital failed, or `unavailable`."""
        if not self.ok:
            return "unavailable"
        return "ok" if all(check.ok for check in self.checks) else "degraded"


def ready() -> Readiness:
    """Check all that the site uses. Never raise an exception."""
    database = _database()
    if not database.ok:
        return Readiness((database, _broker(), _disk()))
    migrations = _migrations()
    work = (_queue(), _runners()) if migrations.ok else ()
    return Readiness((database, migrations, _connections(), _broker(), _disk(), *work))


def _database() -> HealthCheck:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as exc:
        return HealthCheck("database", ok=False, detail=type(exc).__name__, vital=True)
    return HealthCheck("database", ok=True, detail=connection.vendor, vital=True)


def missing_migrations() -> int:
    """Return the number of migrations that this database lacks. Raise DatabaseError."""
    executor = MigrationExecutor(connection)
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _migrations() -> HealthCheck:
    try:
        missing = missing_migrations()
    except DatabaseError as exc:
        return HealthCheck("migrations", ok=False, detail=type(exc).__name__, vital=True)
    return HealthCheck("migrations", ok=not missing, detail=f"{missing} not applied", vital=True)


def connections() -> tuple[int, int] | None:
    """Return how many connections the database has and allows, or None for SQLite.

    Raise DatabaseError.
    """
    if connection.vendor != "postgresql":
        return None
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*), current_setting('max_connections')::int"
            " FROM pg_stat_activity WHERE backend_type = 'client backend'"
        )
        used, most = cursor.fetchone()
    return used, most


def _connections() -> HealthCheck:
    try:
        counts = connections()
    except DatabaseError as exc:
        return HealthCheck("connections", ok=False, detail=type(exc).__name__)
    if counts is None:
        return HealthCheck("connections", ok=True, detail="no limit")
    used, most = counts
    ok = used <= MOST_USED * most
    return HealthCheck("connections", ok=ok, detail="enough" if ok else f"{used} of {most} used")


def disk_free_bytes() -> int:
    """Return the free bytes of the disk with the data folder of this process."""
    return shutil.disk_usage(settings.DATA_DIR).free


def _disk() -> HealthCheck:
    try:
        free_bytes = disk_free_bytes()
    except OSError as exc:
        return HealthCheck("disk", ok=False, detail=type(exc).__name__)
    ok = free_bytes >= LEAST_FREE_BYTES
    return HealthCheck("disk", ok=ok, detail="enough" if ok else f"{free_bytes // MIB} MiB left")


def _broker() -> HealthCheck:
    try:
        with app.connection_for_read() as broker:
            broker.ensure_connection(max_retries=1, timeout=BROKER_TIMEOUT_S)
            transport: str = broker.transport.driver_name
    except Exception as exc:  # noqa: BLE001 - every transport has errors of its own
        return HealthCheck("broker", ok=False, detail=type(exc).__name__)
    return HealthCheck("broker", ok=True, detail=transport)


def _runners() -> HealthCheck:
    try:
        count = runner_figures.latest().filter(in_trouble=True).count()
    except DatabaseError as exc:
        return HealthCheck("runners", ok=False, detail=type(exc).__name__)
    detail = f"{count} in trouble, as their logs explain" if count else "no trouble"
    return HealthCheck("runners", ok=not count, detail=detail)


def _queue() -> HealthCheck:
    try:
        alarm = alarms.present()
    except DatabaseError as exc:
        return HealthCheck("queue", ok=False, detail=type(exc).__name__)
    detail = f"the oldest job has waited {alarm.oldest_s:.0f} s" if alarm else "no alarm"
    return HealthCheck("queue", ok=alarm is None, detail=detail)
