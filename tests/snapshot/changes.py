"""Which rows a question changed, as far as it may be seen before that is taken back."""

import hashlib
import re

from django.db import connection

WRITES = re.compile(r'^(?:INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM) "(\w+)"')
LEFT_OUT = ("django_session",)


class Changes:
    """Knows the rows as they are, to say what is different later."""

    def __init__(self):
        with connection.cursor() as cursor:
            tables = connection.introspection.table_names(cursor)
        self.before = {table: _rows(table) for table in tables if table not in LEFT_OUT}

    def made_by(self, statements):
        """Return a line for every row that was added, changed or deleted by these statements."""
        found = {match[1] for sql in statements if (match := WRITES.match(sql))}
        lines = []
        for table in sorted(found - set(LEFT_OUT)):
            lines += _difference(table, self.before[table], _rows(table))
        return lines


def _rows(table):
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT rowid, * FROM "{table}" ORDER BY rowid')
        columns = [column[0] for column in cursor.description]
        return {row[0]: dict(zip(columns, map(_shown, row), strict=True)) for row in cursor}


def _shown(value):
    if isinstance(value, bytes):
        return f"{len(value)} bytes, {hashlib.sha256(value).hexdigest()[:12]}"
    return value


def _difference(table, before, after):
    for pk in sorted(before.keys() | after.keys()):
        old, new = before.get(pk), after.get(pk)
        if old is None:
            yield f"+ {table} {new}"
        elif new is None:
            yield f"- {table} {pk}"
        else:
            for name in new:
                if old[name] != new[name]:
                    yield f"~ {table} {pk} {name}: {old[name]!r} -> {new[name]!r}"
