"""Real workers in processes of their own, which share nothing with the tests beside them."""

import os
import subprocess
import sys
from contextlib import contextmanager

from django.db import connection

from tests.tree import ROOT

STOP_WAIT_S = 60


@contextmanager
def running(command, log, **variables):
    """Run Python with a command line until the end of the block; what it says goes to `log`.

    A runner that starts looks at who else works in its run directory: it is one beside the log.
    """
    place = {"DRAPEAU_RUN_DIR": str(log.parent / "run")}
    with log.open("w") as stream:
        process = subprocess.Popen(
            [sys.executable, *command],
            cwd=ROOT,
            env={**os.environ, **place, "DJANGO_SETTINGS_MODULE": "arena.settings", **variables},
            stdout=stream,
            stderr=stream,
        )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(timeout=STOP_WAIT_S)
        finally:
            process.kill()  # one that did not stop is not left to other tests
            sys.stdout.write(log.read_text())


@contextmanager
def playing_persons(log, *, move_s=1200):
    """Play the games of persons until the end of the block, as a runner does beside its jobs."""
    variables = {
        "DATABASE_URL": database_url(),
        "DRAPEAU_ISOLATION": "process",
        "DRAPEAU_TRUST_BOTS": "1",
        "DRAPEAU_PERSON_MOVE_S": str(move_s),
    }
    with running(["-m", "django", "person_games"], log, **variables):
        yield


def database_url():
    """Name the database of this test in the words of DATABASE_URL."""
    have = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{have['NAME']}"
    host = have["HOST"] or have["OPTIONS"]["host"]
    secret = f":{have['PASSWORD']}" if have["PASSWORD"] else ""
    return f"postgres://{have['USER']}{secret}@:{have['PORT']}/{have['NAME']}?host={host}"
