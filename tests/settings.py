"""The site's settings over a scratch folder; DATABASE_URL and DRAPEAU_BROKER_URL name services."""

import os
import tempfile
from pathlib import Path

from tests import redises

# A game that an installation would bring along keeps the invariants of all others.
os.environ["DRAPEAU_VARIANTS"] = str(Path(__file__).resolve().parents[1] / "examples")

# A parent (the controller of pytest-xdist, or a test that starts a worker) hands its folder down.
if "DRAPEAU_DATA_DIR" not in os.environ:
    _scratch = tempfile.TemporaryDirectory(prefix="drapeau-tests-")
    os.environ["DRAPEAU_DATA_DIR"] = _scratch.name

if (_worker := os.environ.get(redises.WORKER)) and redises.take_own(_worker):
    # Messages and rows in files are a process's own, the user ids of bots are those of the machine.
    _shared = Path(os.environ["DRAPEAU_DATA_DIR"])
    os.environ.setdefault("DRAPEAU_RUN_DIR", str(_shared / "run"))
    os.environ["DRAPEAU_DATA_DIR"] = str(_shared / _worker)

from arena.settings import *  # noqa: F403 - a settings module is its names
from arena.settings import DATA_DIR, DATABASES

# A file, not memory: several threads and processes of a test must meet in one database.
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "tests.sqlite3")}
    DATABASES["default"]["ENGINE"] = "tests.sqlite3"
    DATABASES["default"]["OPTIONS"]["init_command"] += "PRAGMA synchronous=OFF;"  # as PostgreSQL
else:
    DATABASES["default"]["ENGINE"] = "tests.postgresql"

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
ACCOUNT_RATE_LIMITS = False
RANKED_FROM_GAMES = 1  # tests play few games
WHITENOISE_AUTOREFRESH = True  # or every client of a test lists all static files first
