"""Back up the site of compose.yaml, or one in a folder, and restore it."""

import os
import re
import shutil
import sqlite3
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import click

from arena.embedded import backup
from arena.embedded.backup import BackupFailed
from arena.embedded.refusal import StartFailed
from tools.services.compose import compose_command
from tools.services.packages import Missing

ROOT = Path(__file__).resolve().parents[1]
KIND = "compose.yaml"
DATABASE, ENVIRONMENT, RECORD_KEY = "database.dump", "env", "record_key"
USER = ("-U", "drapeau")
HAS_TABLES = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
NEW_DATABASE = """
DROP DATABASE IF EXISTS drapeau_restored WITH (FORCE);
CREATE DATABASE drapeau_restored;
"""
# The roles of the cluster are in no dump: the owner's password becomes that of the backup.
SWAP = """
ALTER ROLE drapeau PASSWORD '{password}';
DROP DATABASE IF EXISTS drapeau_replaced WITH (FORCE);
SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'drapeau';
BEGIN;
ALTER DATABASE drapeau RENAME TO drapeau_replaced;
ALTER DATABASE drapeau_restored RENAME TO drapeau;
COMMIT;
DROP DATABASE drapeau_replaced WITH (FORCE);
"""
READ_KEY = "[ ! -e /keys/record_key ] || cat /keys/record_key"
WRITE_KEY = "umask 077; cat >/keys/new && mv /keys/new /keys/record_key"


@dataclass(frozen=True, slots=True)
class Compose:
    """The services of compose.yaml, with the variables of one file."""

    env_file: Path

    def run(
        self,
        *words: str,
        given: bytes = b"",
        source: IO[bytes] | None = None,
        output: IO[bytes] | None = None,
    ) -> str:
        """Return what a command of Docker Compose prints, if not to a file. Raise BackupFailed."""
        with subprocess.Popen(
            [*compose_command(), "--env-file", str(self.env_file), *words],
            cwd=ROOT,
            stdin=source or subprocess.PIPE,
            stdout=output or subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as program:
            printed, errors = program.communicate(None if source else given)
        if program.returncode != 0:
            raise BackupFailed(
                f"`docker compose {' '.join(words[:4])} ...` failed: "
                f"{errors.decode(errors='replace').strip()[-2000:]}"
            )
        return (printed or b"").decode()

    def psql(self, script: str) -> str:
        """Return what the database server answers to statements. Raise BackupFailed."""
        psql = ("psql", *USER, "-d", "postgres", "-qtA", "-v", "ON_ERROR_STOP=1")
        return self.run("exec", "-T", "db", *psql, given=script.encode()).strip()

    def in_runner(self, script: str, given: bytes = b"") -> str:
        """Return what a shell prints that has the volumes of the runner. Raise BackupFailed."""
        return self.run("run", "--rm", "--no-deps", "-T", "runner", "sh", "-c", script, given=given)


def make(folder: Path, env_file: Path) -> None:
    """Back up the site of compose.yaml, whose database is up. Raise BackupFailed."""
    if not env_file.is_file():
        raise BackupFailed(f"there is no {env_file}: run this in the folder of the site.")
    compose = Compose(env_file)
    with backup.writing(folder, kind=KIND) as partial:
        with (partial / DATABASE).open("wb") as dump:
            compose.run("exec", "-T", "db", "pg_dump", *USER, "-Fc", "drapeau", output=dump)
        if key := compose.in_runner(READ_KEY):
            (partial / RECORD_KEY).write_text(key, encoding="ascii")
        shutil.copyfile(env_file, partial / ENVIRONMENT)


def restore(folder: Path, env_file: Path, *, replace: bool) -> None:
    """Make the site of compose.yaml from a backup. Raise BackupFailed.

    The old site is there until the backup is in another database of its server. What follows can
    be repeated if it is interrupted.
    """
    backup.check(folder, kind=KIND)
    variables = (folder / ENVIRONMENT).read_bytes()
    if env_file.exists() and env_file.read_bytes() != variables and not replace:
        raise BackupFailed(
            f"{env_file} differs from that of the backup. Move it away to take the one of the"
            " backup, or repeat this with --replace to lose it."
        )
    password = re.search(r"^DRAPEAU_DB_PASSWORD=([\w-]+)$", variables.decode(), re.MULTILINE)
    if password is None:
        raise BackupFailed(
            f"{folder / ENVIRONMENT} has no DRAPEAU_DB_PASSWORD of letters and digits, as `make"
            " env` writes it. Add one there."
        )
    compose = Compose(folder / ENVIRONMENT)
    compose.run("up", "-d", "--wait", "db")
    if compose.psql(f"\\c drapeau\n{HAS_TABLES}") != "0" and not replace:
        raise BackupFailed(
            "the database of the site has tables already. To lose that site and have the one of the"
            " backup, repeat this with --replace."
        )
    compose.psql(NEW_DATABASE)
    restoring = ("pg_restore", *USER, "-d", "drapeau_restored", "--no-owner", "--no-acl")
    with (folder / DATABASE).open("rb") as dump:
        compose.run("exec", "-T", "db", *restoring, "--single-transaction", source=dump)
    services = set(compose.run("config", "--services").split()) - {"db"}
    compose.run("stop", *sorted(services))
    compose.psql(SWAP.format(password=password[1]))
    if (folder / RECORD_KEY).exists():
        compose.in_runner(WRITE_KEY, (folder / RECORD_KEY).read_bytes())
    new = env_file.with_name(f"{env_file.name}.new")
    new.touch(mode=0o600)
    new.write_bytes(variables)
    new.replace(env_file)


DATA = click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False, resolve_path=True),
    help="A site in this folder, as `make up` has it in var/site, and not that of compose.yaml.",
)
ENV_FILE = click.option(
    "--env-file",
    type=click.Path(path_type=Path, dir_okay=False, resolve_path=True),
    default=ROOT / ".env",
    help="The variables of compose.yaml (.env).",
)


@click.command("make")
@DATA
@ENV_FILE
@click.argument("folder", required=False, type=click.Path(path_type=Path, resolve_path=True))
def make_command(data: Path | None, env_file: Path, folder: Path | None) -> None:
    """Write database, keys and settings to FOLDER, or to a new one in the folder backups."""
    target = folder or backup.new_folder(ROOT / "backups")
    if data:
        backup.back_up(data, target)
    else:
        make(target, env_file)
    click.echo(target)
    click.echo(backup.SECRETS_INSIDE, err=True)


@click.command("restore")
@DATA
@ENV_FILE
@click.option("--replace", is_flag=True, help="Lose the site that is there now.")
@click.argument("folder", type=click.Path(path_type=Path, resolve_path=True))
def restore_command(data: Path | None, env_file: Path, folder: Path, *, replace: bool) -> None:
    """Make a site from the backup in FOLDER, once all its digests hold."""
    if data:
        backup.restore(folder, data, replace=replace)
        click.echo(f"The site is in {data}. Start it with: python -m arena up --data {data}")
    else:
        restore(folder, env_file, replace=replace)
        click.echo("The site is restored. Start it with: docker compose up -d")


def main() -> None:
    os.umask(0o077)
    try:
        click.Group("backup", commands=[make_command, restore_command])()
    except (BackupFailed, Missing, StartFailed, OSError, sqlite3.Error) as problem:
        sys.exit(f"backup: {problem}")


if __name__ == "__main__":
    main()
