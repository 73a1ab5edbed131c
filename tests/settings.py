"""The site's settings over a scratch folder; DATABASE_URL and DRAPEAU_BROKER_URL name services."""

import os
import tempfile

from tests import redises

# A parent (the controller of pytest-xdist, or a test that starts a worker) hands its folder down.
if "DRAPEAU_DATA_DIR" not in os.environ:
    _scratch = tempfile.TemporaryDirectory(prefix="drapeau-tests-")
    os.environ["DRAPEAU_DATA_DIR"] = _scratch.name

if redises.WORKER in os.environ:
    redises.take_own()

from arena.settings import *  # noqa: F403 - a settings module is its names
from arena.settings import DATA_DIR, DATABASES

# A file, not memory: several threads and processes of a test must meet in one database.
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "tests.sqlite3")}
    DATABASES["default"]["ENGINE"] = "tests.sqlite3"

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
ACCOUNT_RATE_LIMITS = False
