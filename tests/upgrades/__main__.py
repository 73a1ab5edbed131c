"""Keep a release for the tests of upgrades: `python -m tests.upgrades [VERSION]`.

It makes a site with all kinds of rows on PostgreSQL, uses it as its processes do, and writes the
folder of the version: `dump.sql.gz`, `statements.jsonl.gz`, `migrations.sha256` and `run.lock`.
"""

import argparse
import logging
import os
import sys
import tomllib

import django

from tests.tree import text

VERSION = tomllib.loads(text("pyproject.toml"))["project"]["version"]


def main():
    """Keep the release that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m tests.upgrades", description=__doc__)
    parser.add_argument("version", nargs="?", default=VERSION, help=f"its name ({VERSION})")
    version = parser.parse_args().version
    if not (url := os.environ.get("DRAPEAU_TEST_POSTGRES_URL")):
        raise SystemExit("There is no PostgreSQL. Run `make upgrade-data`, which starts one.")
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "DATABASE_URL": url,
        "DRAPEAU_BROKER_URL": "memory://",
    }
    django.setup()
    logging.disable(logging.WARNING)  # refusals are a part of it

    from tests.upgrades import databases, releases, statements, using  # noqa: PLC0415 - models are ready now

    notes = statements.Notes()
    with databases.fresh("drapeau_release"):
        using.prepare()
        with notes.taken():
            using.make_rows()
        dump = databases.dumped()
        with notes.taken():
            using.use()
        if wrong := statements.refused(notes.statements()):
            raise SystemExit(f"Statements that this release itself cannot send: {wrong}")
    release = releases.Release(releases.FOLDER / version)
    release.keep(dump=dump, statements=notes.statements())
    sys.stdout.write(f"{release.folder}: {len(notes.statements())} statements\n")


if __name__ == "__main__":
    main()
