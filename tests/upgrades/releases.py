"""What is kept of each release: its database, its locks, its migrations and its statements."""

import gzip
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from tests.tree import ROOT

FOLDER = Path(__file__).parent
MIGRATIONS = ROOT / "arena" / "migrations"
LOCK = ROOT / "requirements" / "run.lock"


@dataclass(frozen=True, order=True)
class Statement:
    """A statement of SQL with its values, and whether a runner sent it."""

    sql: str
    of_runner: bool = False


@dataclass(frozen=True)
class Release:
    """A folder of this package, named by the version."""

    folder: Path

    @property
    def name(self):
        return self.folder.name

    def dump(self):
        """Return the script that makes the database."""
        return gzip.decompress((self.folder / "dump.sql.gz").read_bytes()).decode()

    def statements(self):
        """Return what its processes send. A release without the promise of ADR 50 has none."""
        kept = self.folder / "statements.jsonl.gz"
        lines = gzip.decompress(kept.read_bytes()).decode().splitlines() if kept.exists() else []
        return [Statement(**json.loads(line)) for line in lines]

    def migrations(self):
        """Return the digests of its migrations, by the name of the file."""
        lines = (self.folder / "migrations.sha256").read_text(encoding="ascii").splitlines()
        return {name: digest for digest, name in (line.split() for line in lines)}

    def last_migration(self):
        return max(self.migrations()).removesuffix(".py")

    def keep(self, *, dump, statements):
        """Write all files."""
        self.folder.mkdir(exist_ok=True)
        lines = [json.dumps(vars(statement)) for statement in sorted(statements)]
        digests = [f"{digest}  {name}\n" for name, digest in sorted(digests_now().items())]
        self._zip("dump.sql.gz", dump)
        self._zip("statements.jsonl.gz", "\n".join(lines))
        (self.folder / "migrations.sha256").write_text("".join(digests), encoding="ascii")
        (self.folder / "run.lock").write_bytes(LOCK.read_bytes())

    def _zip(self, name, text):
        (self.folder / name).write_bytes(gzip.compress(text.encode(), mtime=0))


def kept():
    """Return all releases that are kept."""
    return [Release(lock.parent) for lock in sorted(FOLDER.glob("*/run.lock"))]


def digests_now():
    """Return the digests of the migrations as they are now, by the name of the file."""
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in MIGRATIONS.glob("[0-9]*.py")
    }
