"""Triggers that refuse a runner's changes of rows that are final, whatever the runner runs.

Rights name tables and columns, not rows. A policy for rows would hide the rows that it protects, so
that a wrong statement changes nothing without a word; a trigger says what was refused.
"""

from django.db import connection, models
from psycopg import sql

from arena.domain.matches.record_keys import OVERLAP
from arena.models import (
    Game,
    GameEvidence,
    GameLog,
    GameRecord,
    GameStatus,
    Match,
    MatchEntrant,
    MatchStatus,
    RecordKey,
    Version,
    VersionBuild,
)


def _match(row: str, *statuses: str) -> str:
    """Return the condition that the match of a row has one of these statuses."""
    return (
        f"EXISTS (SELECT FROM public.arena_match m WHERE m.id = {row}"
        f" AND m.status IN ({_listed(*statuses)}))"
    )


def _listed(*words: str) -> str:
    return ", ".join(f"'{word}'" for word in words)


_OF_A_GAME = (
    "NOT EXISTS (SELECT FROM public.arena_game g JOIN public.arena_match m ON m.id = g.match_id"
    f" WHERE g.id = NEW.game_id AND m.status IN ({_listed(*Match.IN_WORK)}))"
)
_CHECKED = ("status", "digest", "language", "variants", "isolation", "reason")

# For each table: the statements, what is refused, and why.
REFUSED: dict[type[models.Model], tuple[str, str, str]] = {
    Match: ("UPDATE", f"OLD.status NOT IN ({_listed(*Match.OPEN)})", "the match is over"),
    Game: (
        "UPDATE",
        (
            f"OLD.status = '{GameStatus.FINISHED}' OR (NEW.status = '{GameStatus.FINISHED}'"
            f" AND NOT {_match('OLD.match_id', *Match.IN_WORK)})"
        ),
        "the game is finished, or its match is not being played",
    ),
    # The points are stored just before the match becomes finished; up to release 0.5, just after.
    MatchEntrant: (
        "UPDATE",
        (
            "OLD.points IS NOT NULL"
            f" OR NOT {_match('OLD.match_id', *Match.IN_WORK, MatchStatus.FINISHED)}"
        ),
        "the points are stored once, when the match is finished",
    ),
    GameRecord: ("INSERT", _OF_A_GAME, "the match is not being played"),
    GameLog: ("INSERT", _OF_A_GAME, "the match is not being played"),
    GameEvidence: ("INSERT", _OF_A_GAME, "the match is not being played"),
    Version: (
        "UPDATE",
        (
            f"OLD.status NOT IN ({_listed(*Version.OPEN)})"
            f" AND ({', '.join(f'NEW.{name}' for name in _CHECKED)})"
            f" IS DISTINCT FROM ({', '.join(f'OLD.{name}' for name in _CHECKED)})"
        ),
        "the checks of the version are over",
    ),
    # A rotation retires the old key. An earlier end would undo signatures, another would delay it.
    RecordKey: (
        "UPDATE",
        (
            "OLD.retired_at IS NOT NULL OR NEW.retired_at IS DISTINCT FROM"
            f" statement_timestamp() + interval '{OVERLAP.total_seconds():.0f} seconds'"
        ),
        "a key retires once, after the overlap of a rotation",
    ),
    VersionBuild: (
        "INSERT OR UPDATE",
        (
            "NOT EXISTS (SELECT FROM public.arena_version v WHERE v.id = NEW.version_id"
            f" AND v.status IN ({_listed(*Version.IN_WORK)}))"
        ),
        "the version is not being checked",
    ),
}
_BODY = """
BEGIN
    IF {condition} THEN
        RAISE EXCEPTION 'a runner may not change % %: {why}', TG_TABLE_NAME, NEW.id
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END
"""


def guard(*, schema: str, role: str) -> None:
    """Make the triggers of a role, or bring them up to date.

    The conditions are in functions, because PostgreSQL refuses migrations of columns that the
    definition of a trigger names.
    """
    for model, (statements, condition, why) in REFUSED.items():
        table = model._meta.db_table  # noqa: SLF001 - Django's public way to a model
        names = {
            "function": sql.Identifier(schema, f"keep_{table}"),
            "trigger": sql.Identifier(f"{role}_keeps"),
            "table": sql.Identifier("public", table),
            "body": sql.Literal(_BODY.format(condition=condition, why=why)),
            "role": sql.Literal(role),
        }
        for statement in (
            "CREATE OR REPLACE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql AS {body}",
            (
                f"CREATE OR REPLACE TRIGGER {{trigger}} BEFORE {statements} ON {{table}}"
                " FOR EACH ROW WHEN (current_user = {role}) EXECUTE FUNCTION {function}()"
            ),
        ):
            with connection.cursor() as cursor:
                cursor.execute(sql.SQL(statement).format(**names))
