"""Health checks of the site."""

from dataclasses import dataclass

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.utils import Error as DatabaseError

from arena.celery_app import app
from arena.domain.queue import alarms

BROKER_TIMEOUT_S = 2.0


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """The check of one service that the site needs. `detail` is for operators, without secrets."""

    name: str
    ok: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Readiness:
    """The results of all checks."""

    checks: tuple[HealthCheck, ...]

    @property
    def ok(self) -> bool:
        """Whether every check passed, so that the site can serve requests."""
        return all(check.ok for check in self.checks)


def ready() -> Readiness:
    """Check database, migrations, broker and queue. Never raise an exception."""
    database = _database()
    if not database.ok:
        return Readiness((database, _broker()))
    migrations = _migrations()
    queue = (_queue(),) if migrations.ok else ()
    return Readiness((database, migrations, _broker(), *queue))


def _database() -> HealthCheck:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as exc:
        return HealthCheck("database", ok=False, detail=type(exc).__name__)
    return HealthCheck("database", ok=True, detail=connection.vendor)


def missing_migrations() -> int:
    """Return the number of migrations that this database lacks. Raise DatabaseError."""
    executor = MigrationExecutor(connection)
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _migrations() -> HealthCheck:
    try:
        missing = missing_migrations()
    except DatabaseError as exc:
        return HealthCheck("migrations", ok=False, detail=type(exc).__name__)
    return HealthCheck("migrations", ok=not missing, detail=f"{missing} not applied")


def _broker() -> HealthCheck:
    try:
        with app.connection_for_read() as broker:
            broker.ensure_connection(max_retries=1, timeout=BROKER_TIMEOUT_S)
            transport: str = broker.transport.driver_name
    except Exception as exc:  # noqa: BLE001 - every transport has errors of its own
        return HealthCheck("broker", ok=False, detail=type(exc).__name__)
    return HealthCheck("broker", ok=True, detail=transport)


def _queue() -> HealthCheck:
    """Report the queue alarm. The check always passes, because the site can still serve pages."""
    try:
        alarm = alarms.present()
    except DatabaseError as exc:
        return HealthCheck("queue", ok=True, detail=type(exc).__name__)
    detail = f"the oldest job has waited {alarm.oldest_s:.0f} s" if alarm else "no alarm"
    return HealthCheck("queue", ok=True, detail=detail)
