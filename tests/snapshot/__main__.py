"""Keep what the site answers, page by page and endpoint by endpoint, and compare it later.

    python -m tests.snapshot save FOLDER [--rows OTHER] [--only REGEX] [--processes N]
    python -m tests.snapshot compare FOLDER_A FOLDER_B [--full] [--ignore queries] [--only REGEX]

A snapshot is made over a fixed site on a SQLite database of its own. `--rows` asks over the very
rows of another snapshot, and then needs none of the code that makes them.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.snapshot import comparing, storing

ROOT = Path(__file__).resolve().parents[2]
DATABASE = "site.sqlite3"
PROCESSES = 2


def main():
    """Do what the command line says; return the exit status."""
    given = _arguments()
    if given.command == "compare":
        folders = (given.one, given.other)
        differs, lines = comparing.report(
            folders, ignored=given.ignore, only=given.only, full=given.full
        )
        sys.stdout.writelines(f"{line}\n" for line in lines)
        return int(differs)
    began_s = time.monotonic()
    save(given.folder, rows=given.rows, only=given.only, processes=given.processes)
    answers = len(storing.read(given.folder))
    sys.stdout.write(f"{answers} answers in {time.monotonic() - began_s:.0f} s\n")
    return 0


def save(folder, *, rows=None, only="", processes=PROCESSES):
    """Make the rows in a temporary folder, or take those of another snapshot, and ask over them."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="drapeau-snapshot-") as scratch:
        if rows is None:
            _wait(_start(Path(scratch, "making"), "making", folder))
        for name in (storing.ROWS, storing.NOW) if rows else ():
            shutil.copyfile(rows / name, folder / name)
        parts = [Path(scratch, f"part{number}") for number in range(processes)]
        asked = []
        for number, part in enumerate(parts):
            part.mkdir()
            shutil.copyfile(folder / storing.ROWS, part / DATABASE)
            shutil.copyfile(folder / storing.NOW, part / storing.NOW)
            asked.append(_start(part, "walking", part, only, number, processes))
        _wait(*asked)
        storing.gather(folder, parts)


def _start(data_dir, step, *arguments):
    """Start a step in a process of its own, whose settings are these and no others of ours."""
    data_dir.mkdir(exist_ok=True)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("DRAPEAU_")}
    environment = {
        **kept,
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "DATABASE_URL": f"sqlite:///{data_dir / DATABASE}",
        "DRAPEAU_DATA_DIR": str(data_dir),
        "DRAPEAU_BROKER_URL": "memory://",
        "DRAPEAU_METRICS_TOKEN": "metrics",
        "DRAPEAU_OPEN_TOURNAMENTS_PER_USER": "12",
        "DRAPEAU_SECRET_KEY": "the same in every snapshot",
        "PYTHONHASHSEED": "0",
        "TZ": "UTC",
    }
    command = [sys.executable, "-m", f"{__package__}.started", step, *map(str, arguments)]
    return subprocess.Popen(command, cwd=ROOT, env=environment)


def _wait(*started):
    """Wait for all of them. Raise SystemExit where one failed."""
    statuses = [process.wait() for process in started]
    if any(statuses):
        raise SystemExit("No snapshot: what went wrong is written above.")


def _arguments():
    parser = argparse.ArgumentParser(prog="python -m tests.snapshot", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    commands = parser.add_subparsers(dest="command", required=True)
    saved = commands.add_parser("save", help="ask, and write the answers to a folder")
    saved.add_argument("folder", type=Path)
    saved.add_argument("--processes", type=int, default=PROCESSES, help="that ask at a time")
    saved.add_argument("--rows", type=Path, help="a snapshot whose rows are asked about")
    compared = commands.add_parser("compare", help="say what differs; exit status 1 if anything")
    compared.add_argument("one", type=Path)
    compared.add_argument("other", type=Path)
    compared.add_argument("--full", action="store_true", help="show every line and every answer")
    compared.add_argument("--ignore", action="append", default=[], choices=comparing.FIELDS)
    for each in (saved, compared):
        each.add_argument("--only", default="", help="answers whose key has this pattern in it")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
