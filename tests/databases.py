"""Databases of their own on the server of the tests, for Django's connection."""

from contextlib import contextmanager

from django.db import connection
from psycopg import sql


@contextmanager
def fresh(name):
    """Create an empty database for Django's connection, and drop it after the block."""
    before = connection.settings_dict["NAME"]
    database = sql.Identifier(name)
    _run_beside(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(database))
    _run_beside(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(database))
    try:
        _use(name)
        yield
    finally:
        _use(before)
        _run_beside(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(database))


def _use(name):
    connection.close()
    connection.settings_dict["NAME"] = name


def _run_beside(statement):
    with connection._nodb_cursor() as cursor:
        cursor.execute(statement)
