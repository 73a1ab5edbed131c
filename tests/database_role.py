"""What a runner does in the tests, it does with the rights of a runner's database role."""

import os
from contextlib import contextmanager

from django.core.management import call_command
from django.db import connection

from arena.management.commands import runner_role
from tests import redises

# A server knows a role for all its databases, and each process of the tests has its own database.
ROLE = f"runner_of_tests_{os.environ.get(redises.WORKER, 'alone')}"
PASSWORD = "of-a-runner-in-tests"


def make():
    """Make the role, or renew its rights, which a table that is made anew lacks."""
    if connection.vendor != "postgresql":
        return
    os.environ[runner_role.PASSWORD] = PASSWORD
    call_command("runner_role", role=ROLE, verbosity=0)


@contextmanager
def as_runner():
    """Run the statements of the block with the rights of the role. SQLite has no roles."""
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(f"SET ROLE {ROLE}; SET search_path = {runner_role.SCHEMA}, public")
    try:
        yield
    finally:
        if not connection.needs_rollback:  # a rollback takes the role back, too
            with connection.cursor() as cursor:
                cursor.execute("RESET ROLE; RESET search_path")
