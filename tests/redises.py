"""A Redis database for each process that tests side by side, as each has an SQL database."""

import os

WORKER = "PYTEST_XDIST_WORKER"
TAKEN_BY = "DRAPEAU_TEST_REDIS_OF"
NAMES = ("DRAPEAU_BROKER_URL", "DRAPEAU_CACHE_URL")


def take_own(worker):
    """Name other databases of the same server, for this process and all that it starts.

    One that clears its cache or takes a message must not take another's. Return False for a child,
    whose parent has done it.
    """
    if os.environ.get(TAKEN_BY) == worker:
        return False
    os.environ[TAKEN_BY] = worker
    for place, name in enumerate(NAMES, start=2):  # after those that are there without workers
        server, slash, _ = os.environ.get(name, "").rpartition("/")
        if server.startswith("redis://"):
            number = place + len(NAMES) * int(worker.removeprefix("gw"))
            os.environ[name] = f"{server}{slash}{number}"
    return True
