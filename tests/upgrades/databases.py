"""Databases of their own on the server of the tests, for Django's connection."""

import re
import subprocess
from contextlib import contextmanager

from django.db import connection
from psycopg import sql

from tools.services.packages import POSTGRES, path_of

RESTRICT = re.compile(r"^\\(un)?restrict \w{40,}\n", re.MULTILINE)  # for psql alone, with a key
AS_INSERTS = ("--no-owner", "--no-acl", "--inserts", "--rows-per-insert=200")


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


def restore(script):
    """Run the script of `dumped` in the database of the connection."""
    with connection.cursor() as cursor:
        cursor.cursor.execute(script)  # past Django, which would look for parameters
    connection.close()  # with the settings of the script


def dumped():
    """Return a script of SQL that makes the database of the connection, and needs no psql."""
    words = connection.get_connection_params()
    url = "postgresql://{user}:{password}@{host}:{port}/{dbname}".format_map(words)
    program = path_of(POSTGRES).with_name("pg_dump")
    done = subprocess.run([program, *AS_INSERTS, url], check=True, capture_output=True, text=True)
    return RESTRICT.sub("", done.stdout)


def _use(name):
    connection.close()
    connection.settings_dict["NAME"] = name


def _run_beside(statement):
    with connection._nodb_cursor() as cursor:
        cursor.execute(statement)
