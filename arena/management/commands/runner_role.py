"""Make the database role of runners, or bring its rights up to date."""

import os
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection, models, transaction
from django.db.migrations import RunSQL, SeparateDatabaseAndState
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.operations.base import Operation
from psycopg import sql

from arena.management import final_rows
from arena.models import (
    Annulment,
    Bot,
    Entrant,
    Game,
    GameEvidence,
    GameLog,
    GameRecord,
    Ladder,
    Match,
    MatchEntrant,
    Notice,
    OnlineBot,
    Pairing,
    PairingEntrant,
    PersonSeat,
    QueueShare,
    RatingEvent,
    RecordKey,
    RunnerFigures,
    RunnerReport,
    Season,
    Tournament,
    TournamentEntrant,
    TournamentRound,
    User,
    Version,
    VersionArchive,
    VersionBuild,
    VersionCheck,
    VersionTrial,
)

PASSWORD = "DRAPEAU_RUNNER_DB_PASSWORD"  # noqa: S105 - the name of a variable
READ = ("SELECT",)
ADD = ("SELECT", "INSERT")

# What a runner may do with each table beside changes. It has no right to any other.
RIGHTS: dict[type[models.Model], Sequence[str]] = {
    # The jobs, and what comes of them.
    Match: READ,
    MatchEntrant: READ,
    Game: READ,
    GameRecord: ADD,
    GameLog: ADD,
    GameEvidence: ADD,
    Version: READ,
    VersionArchive: READ,
    VersionBuild: ADD,
    VersionCheck: ADD,
    VersionTrial: ADD,
    PersonSeat: ADD,
    OnlineBot: READ,
    RecordKey: ADD,
    RunnerFigures: ADD,
    RunnerReport: ADD,
    # What the end of a match changes.
    Ladder: READ,
    Entrant: ADD,
    RatingEvent: ADD,
    Bot: READ,
    Notice: ADD,
    QueueShare: ADD,
    # What it has to know for that.
    TournamentRound: READ,
    TournamentEntrant: READ,
    Pairing: READ,
    PairingEntrant: READ,
    Season: READ,
    Annulment: READ,
}
_JOB = "status attempt lease_token lease_until taken_at left_at sent_at not_before waiting_reason"
# The fields that it may change. `arena.management.final_rows` keeps the rows that are final.
CHANGES: dict[type[models.Model], str] = {
    Match: f"{_JOB} failure started_at finished_at",
    MatchEntrant: "points",
    Game: "status take outcome termination fault detail plies duration_ms isolation",
    Version: f"{_JOB} digest language variants isolation reason first_game_at"
    " crash_streak paused_at pause_reason next_probe_at",
    VersionBuild: "artefact digest image",
    VersionCheck: "state message log took_ms record",
    VersionTrial: "status detail ended_at activates counts games llr",
    Ladder: "fitted_in_s",  # it changes none, but who locks a row must be allowed to change it
    Entrant: "version active online_elo last_match_at games wins draws losses deferred_until_s"
    " rating rating_low rating_high best_rank worst_rank",
    Bot: "active_version",
    QueueShare: "used_s job_s clock_s begun_s",
    PersonSeat: "start before message number answer drafted answer_by",
    RecordKey: "retired_at",
    RunnerFigures: "reported_at slots busy clock_skew_s launcher in_trouble",
    RunnerReport: "languages takes_uploads",
}
# Of these tables, a runner sees a view with other contents in the columns that are secret.
VIEWS: dict[type[models.Model], dict[str, str]] = {
    User: {"password": "''", "email": "''", "last_login": "NULL::timestamptz", "ban_reason": "''"},
    Tournament: {"secret": "''"},
}
SCHEMA = "runner"


class Command(BaseCommand):
    help = (
        "Create the database role of runners, or bring its rights up to date. Run it after every"
        f" `migrate`, as the owner of the database. The password is in {PASSWORD}."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the name of the role."""
        parser.add_argument("--role", default="arena_runner", help="its name (arena_runner)")
        parser.add_argument(
            "--before-migrate",
            action="store_true",
            help="only drop the views of the role, if a migration waits that they would stop",
        )

    def handle(self, *_args: Any, **options: Any) -> None:  # noqa: ANN401 - Django's signature
        """Make the role in one transaction. Raise CommandError without PostgreSQL or a password."""
        if connection.vendor != "postgresql":
            raise CommandError("Only PostgreSQL has roles; this site uses another database.")
        if options["before_migrate"]:
            _make_way_for_migrations()
            return
        password = os.environ.get(PASSWORD, "")
        if not password:
            raise CommandError(f"{PASSWORD} is not set: it is the password of the role. See .env.")
        with transaction.atomic():
            role = options["role"]
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role])
                exists = cursor.fetchone() is not None
            statement = "ALTER ROLE {role} " if exists else "CREATE ROLE {role} "
            rights = "LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT NOREPLICATION "
            _run(
                statement + rights + "PASSWORD {password}",
                role=sql.Identifier(role),
                password=sql.Literal(password),
            )
            _grant_rights(role)
            final_rows.guard(schema=SCHEMA, role=options["role"])
        if options["verbosity"]:
            tables = len(RIGHTS)
            self.stdout.write(
                f"{options['role']}: rights on {tables} tables and {len(VIEWS)} views."
            )


def _make_way_for_migrations() -> None:
    """Drop the views, which keep PostgreSQL from changing a column, if a migration may do that."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if not any(_may_change_a_view(operation) for step, _ in plan for operation in step.operations):
        return  # the runners that work now need the views
    with connection.cursor() as cursor:
        cursor.execute("SELECT viewname FROM pg_views WHERE schemaname = %s", [SCHEMA])
        views = [name for (name,) in cursor.fetchall()]
    for view in views:
        _run("DROP VIEW {schema}.{view}", schema=sql.Identifier(SCHEMA), view=sql.Identifier(view))


def _may_change_a_view(operation: Operation) -> bool:
    """Return whether an operation of a migration names a model with a view, or is plain SQL."""
    words = (str(getattr(operation, word, "")) for word in ("model_name", "name", "old_name"))
    models_of_views = {model.__name__.lower() for model in VIEWS}
    return isinstance(operation, RunSQL | SeparateDatabaseAndState) or any(
        word.lower() in models_of_views for word in words
    )


def _run(statement: str, **names: sql.Composable) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL(statement).format(**names))


def _table_of(model: type[models.Model]) -> sql.Identifier:
    return sql.Identifier(model._meta.db_table)  # noqa: SLF001 - Django's public way to a model


def _grant_rights(role: str) -> None:
    name, schema = sql.Identifier(role), sql.Identifier(SCHEMA)
    _run("REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {role}", role=name)
    _run("GRANT USAGE ON SCHEMA public TO {role}", role=name)
    _run("CREATE SCHEMA IF NOT EXISTS {schema}", schema=schema)
    _run("GRANT USAGE ON SCHEMA {schema} TO {role}", schema=schema, role=name)
    for model, secret_columns in VIEWS.items():
        _make_view(model, secret_columns)
        _run(
            "GRANT SELECT ON {schema}.{table} TO {role}",
            schema=schema,
            table=_table_of(model),
            role=name,
        )
    # Locking a row needs the right to update a column: this one is a constant, so it has no effect.
    _run(
        "GRANT UPDATE (last_login) ON {schema}.{table} TO {role}",
        schema=schema,
        table=_table_of(User),
        role=name,
    )
    for model, rights in RIGHTS.items():
        _run(
            f"GRANT {', '.join(rights)} ON public.{{table}} TO {{role}}",
            table=_table_of(model),
            role=name,
        )
    for model, names in CHANGES.items():
        fields = model._meta.concrete_fields  # noqa: SLF001 - Django's public way to a model
        column_of = {field.name: sql.Identifier(str(field.column)) for field in fields}
        _run(
            "GRANT UPDATE ({columns}) ON public.{table} TO {role}",
            columns=sql.SQL(", ").join([column_of[field] for field in names.split()]),
            table=_table_of(model),
            role=name,
        )
    # The runner finds a view where the site finds the table.
    database = sql.Identifier(connection.settings_dict["NAME"])
    _run(
        "ALTER ROLE {role} IN DATABASE {database} SET search_path = {schema}, public",
        role=name,
        database=database,
        schema=schema,
    )


def _make_view(model: type[models.Model], secret_columns: dict[str, str]) -> None:
    names = {"schema": sql.Identifier(SCHEMA), "table": _table_of(model)}
    fields = model._meta.concrete_fields  # noqa: SLF001 - Django's public way to a model
    columns = sql.SQL(", ").join(
        sql.SQL(f"{secret_columns.get(column, '{0}')} AS {{0}}").format(sql.Identifier(column))
        for column in (str(field.column) for field in fields)
    )
    _run("DROP VIEW IF EXISTS {schema}.{table}", **names)
    _run(
        "CREATE VIEW {schema}.{table} AS SELECT {columns} FROM public.{table}",
        columns=columns,
        **names,
    )
