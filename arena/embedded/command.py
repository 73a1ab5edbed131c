"""The command `up`, which `drapeau` finds where the server is installed (ADR 47), and `manage`."""

import contextlib
import os
import shlex
import sqlite3
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import click

from arena import release
from arena.embedded import backup, site
from arena.embedded.folder import LOCK
from arena.embedded.interrupts import end_as_ctrl_c_does
from arena.embedded.refusal import StartFailed
from arena.embedded.supervise import GaveUp
from arena.embedded.tcp import LOOPBACK
from botkit.commands import CommandFailed
from botkit.exit_statuses import INTERRUPTED
from sandbox.levels.isolation import SETTINGS


def _usual_folder() -> Path:
    try:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share")
    except RuntimeError as problem:
        raise CommandFailed("you have no home folder: name a folder with --data.") from problem
    return base / "drapeau"


DATA = click.option(
    "--data",
    "data_dir",
    type=click.Path(path_type=Path, resolve_path=True),
    envvar="DRAPEAU_DATA_DIR",
    default=_usual_folder,
    show_default="~/.local/share/drapeau",
    help="The folder in which the site keeps everything.",
)


@click.command()
@DATA
@click.option(
    "--host",
    default=LOOPBACK,
    show_default=True,
    help="Listen on this address. Others name the site as DRAPEAU_ALLOWED_HOSTS lists.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="Listen on this port; 0 takes a free one.",
)
@click.option(
    "--isolation",
    type=click.Choice(SETTINGS),
    default="auto",
    show_default=True,
    help="How bots are contained; auto takes the strongest level that works here.",
)
@click.option(
    "--trust-bots", is_flag=True, help="Run every uploaded bot even where the isolation is unsafe."
)
def up(data_dir: Path, host: str, port: int, isolation: str, trust_bots: bool) -> int:  # noqa: FBT001 - of click
    """Start a whole site on this machine, until Ctrl-C ends it.

    The site needs no other service. Its data stays in the folder, and the next start goes on from
    there. Standard output gets the address once the site is ready.
    """
    # The kit in another version would bring another `botkit`.
    versions = {}
    for name in ("drapeau", release.SERVER):
        with contextlib.suppress(metadata.PackageNotFoundError):
            versions[name] = metadata.version(name)
    if len(set(versions.values())) > 1:
        raise CommandFailed(
            f"drapeau {versions['drapeau']} and {release.SERVER} {versions[release.SERVER]} are in "
            "one environment and share the package botkit: install both in one version, or each "
            "in an environment of its own."
        )
    end_as_ctrl_c_does()
    options = site.SiteOptions(data_dir, port, host, isolation, trust_bots)
    manage_words = ("manage", "--data", str(data_dir), "createsuperuser")
    try:
        with site.running(options, _say) as running:
            click.echo(running.url)
            administrator = shlex.join([sys.executable, "-m", "arena", *manage_words])
            _say(f"To make an account for /admin/, run in another terminal: {administrator}")
            _say("The site is ready. Ctrl-C stops it.")
            running.serve(_say)
            return 0
    except KeyboardInterrupt:
        _say("Interrupted. Nothing is lost: the next start continues from here.")
        return INTERRUPTED
    except GaveUp as problem:
        raise CommandFailed(f"{problem.program.tail()}\n{problem}") from problem
    except (StartFailed, OSError) as problem:
        raise CommandFailed(str(problem)) from problem


@click.command(context_settings={"ignore_unknown_options": True})
@DATA
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def manage(data_dir: Path, words: tuple[str, ...]) -> None:
    """Run a command of manage.py on the data of a site, such as createsuperuser."""
    if not (data_dir / LOCK).is_file():
        raise CommandFailed(
            f"there is no site in {data_dir}: start one there first, or name another folder "
            "with --data."
        )
    command = (sys.executable, "-m", "django", *words)
    os.execve(sys.executable, command, site.environment(data_dir))  # noqa: S606 - no shell is wanted


@click.command("backup")
@DATA
@click.argument("folder", required=False, type=click.Path(path_type=Path, resolve_path=True))
def back_up(data_dir: Path, folder: Path | None) -> None:
    """Write the database and the keys of a site to FOLDER, while the site may be running.

    Without FOLDER, a new one is made in the folder `backups` of the site.
    """
    target = folder or backup.new_folder(data_dir / "backups")
    with _plain_refusals():
        backup.back_up(data_dir, target)
    click.echo(target)
    _say(backup.SECRETS_INSIDE)


@click.command()
@DATA
@click.option("--replace", is_flag=True, help="Lose the site that is in the folder now.")
@click.argument("folder", type=click.Path(path_type=Path, resolve_path=True))
def restore(data_dir: Path, folder: Path, replace: bool) -> None:  # noqa: FBT001 - of click
    """Make a site from the backup in FOLDER, once all its digests hold."""
    with _plain_refusals():
        backup.restore(folder, data_dir, replace=replace)
    _say(f"The site of the backup is in {data_dir}. Start it with the command up.")


@contextlib.contextmanager
def _plain_refusals() -> Iterator[None]:
    try:
        yield
    except (backup.BackupFailed, StartFailed, OSError, sqlite3.Error) as problem:
        raise CommandFailed(str(problem)) from problem


def _say(sentence: str) -> None:
    with contextlib.suppress(OSError):  # a terminal that is closed ends no site half-way
        click.echo(sentence, err=True)
