"""What the processes of a release ask of the database: noted at the release, checked later.

A statement is planned, not run: the planner knows every table, every column, their types and the
rights of the role. It does not know that an INSERT leaves out a column that must not be NULL; that
is checked here.
"""

import re
from contextlib import contextmanager, nullcontext

from django.db import Error, connection, transaction
from django.db.backends.postgresql.psycopg_any import mogrify
from psycopg import Binary

from tests.database_role import as_runner
from tests.upgrades.releases import Statement

KEPT = re.compile(r"(SELECT|INSERT|UPDATE|DELETE|WITH)\b")
MORE = re.compile(r"(%s|\(%s(?:, %s)*\))(?:, \1)+")  # a list of values is as good as one of them
INSERT = re.compile(r'INSERT INTO "(?P<table>\w+)" \((?P<columns>[^)]*)\)')
NEEDED = """
    SELECT column_name FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name = %s AND is_nullable = 'NO'
    AND column_default IS NULL AND is_identity = 'NO' AND is_generated = 'NEVER'
"""


class Notes:
    """Notes one statement of each shape that goes through Django's connection."""

    def __init__(self):
        self.of_runner = False
        self.by_shape = {}

    @contextmanager
    def taken(self):
        """Note what is sent in the block."""
        with connection.execute_wrapper(self._note):
            yield

    def _note(self, execute, sql, params, many, context):
        text = str(sql)
        if "SET ROLE" in text or "ROLLBACK" in text:
            self.of_runner = text.startswith("SET ROLE")
        shape = (MORE.sub(r"\1", text), self.of_runner)
        if KEPT.match(text) and not many and shape not in self.by_shape:
            values = None if params is None else [_without_bytes(value) for value in params]
            self.by_shape[shape] = Statement(mogrify(text, values, connection), self.of_runner)
        return execute(sql, params, many, context)

    def statements(self):
        return list(self.by_shape.values())


def refused(statements):
    """Return what is wrong with statements in the database of the connection, by their text."""
    needed: dict[str, set[str]] = {}
    found = {}
    for statement in statements:
        if why := _unplanned(statement) or _left_out(statement.sql, needed):
            found[statement.sql] = why
    return found


def _unplanned(statement):
    """Return why a statement cannot be planned, or nothing."""
    sender = as_runner() if statement.of_runner else nullcontext()
    try:
        with sender, transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN {statement.sql}")
    except Error as problem:
        return str(problem).partition("\n")[0]
    return ""


def _left_out(sql, needed):
    """Return which columns an INSERT leaves out that have no value of their own."""
    if not (insert := INSERT.match(sql)):
        return ""
    table = insert["table"]
    if table not in needed:
        with connection.cursor() as cursor:
            cursor.execute(NEEDED, [table])
            needed[table] = {name for (name,) in cursor.fetchall()}
    missing = needed[table] - set(re.findall(r'"(\w+)"', insert["columns"]))
    return f"{table} needs {', '.join(sorted(missing))}" if missing else ""


def _without_bytes(value):
    if isinstance(value, bytes | memoryview | Binary):
        return b""
    return [_without_bytes(each) for each in value] if isinstance(value, list) else value
