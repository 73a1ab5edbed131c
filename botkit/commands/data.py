"""The command `data`, which downloads the files of records of a ladder."""

import hashlib
import re
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import click

from botkit.commands import CommandFailed
from botkit.commands.connecting import with_site
from botkit.commands.output import document, note, say
from botkit.site import SiteClient, SiteProblem, answers
from botkit.whole_files import write_whole

FILES_MAX = 100_000
PAUSE_S = 1.0  # before a busy site is asked again
SAFE = re.compile(r"[a-z0-9_-]+-\d{4}-\d\d-\d\d-\d+\.ndjson\.gz", re.ASCII | re.IGNORECASE)


class _Day(click.DateTime):
    def __init__(self) -> None:
        super().__init__(formats=["%Y-%m-%d"])

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(f"{value!r} is not a day: write the day as 2026-11-26.", param, ctx)


DAY = _Day()


@click.command()
@click.argument("ladder")
@click.option(
    "--since", metavar="DATE", type=DAY, help="The first day (UTC); by default the first of all."
)
@click.option("--until", metavar="DATE", type=DAY, help="The last day; by default the latest.")
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("records"),
    show_default=True,
    help="Where to put the files.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@with_site
def data(
    site: SiteClient,
    *,
    ladder: str,
    since: datetime | None,
    until: datetime | None,
    out: Path,
    as_json: bool,
) -> None:
    """Download the records of all public games of a ladder, by day.

    Files that are in DIR already are not downloaded again, unless the site has another revision of
    them. So the same command goes on after an interruption.
    """
    if since and until and since > until:
        days_given = f"{since:%Y-%m-%d} is after --until {until:%Y-%m-%d}"
        raise click.UsageError(f"--since {days_given}: exchange the two days")
    days = {"since": since and since.date(), "until": until and until.date()}
    listed = site.rows("ladders", ladder, "records", most=FILES_MAX, **days)
    files = [_kept(site, ladder, row, out) for row in listed["results"]]
    complete_until, licence = listed["complete_until"], listed["licence"]
    if as_json:
        about = {"complete_until": complete_until, "licence": licence}
        return document({"ladder": ladder, **about, "files": files})
    games, new = (sum(file[key] for file in files) for key in ("games", "is_new"))
    where = f" in {out}" if files else ""  # which is made for the first file
    say(f"{len(files)} files with {games} games{where}, {new} of them new.")
    say(f"Complete until: {complete_until or 'no day yet'}")
    return say(f"Licence: {licence or 'the site does not say. Ask before you publish them'}")


def _kept(site: SiteClient, ladder: str, row: dict[str, Any], out: Path) -> dict[str, Any]:
    """Download a file if it is not there as the site has it. Return what to tell about it."""
    if not SAFE.fullmatch(row["name"]):
        raise ValueError(f"{row['name']!r} is not the name of a file of records")
    path = out / row["name"]
    try:
        is_new = not path.exists() or _digest(path.read_bytes()) != row["sha256"]
        if is_new:
            content = _downloaded(site, ladder, row)
            out.mkdir(parents=True, exist_ok=True)
            write_whole(path, content)
    except OSError as problem:
        raise CommandFailed(f"{path}: cannot be written: {problem.strerror}") from problem
    if is_new:
        note(f"{path.name}: {row['games']} games, {row['size_bytes']} bytes")
    about = {key: row[key] for key in ("day", "number", "revision", "games", "sha256")}
    return {"path": str(path), "is_new": is_new, **about}


def _downloaded(site: SiteClient, ladder: str, row: dict[str, Any]) -> bytes:
    """Return the content of a file, as soon as the site has time for it. Raise SiteProblem."""
    ask = partial(site.download, "ladders", ladder, "records", row["day"], row["number"])
    content = next(answer for answer in answers(ask, every_s=PAUSE_S) if answer is not None)
    if _digest(content) != row["sha256"]:
        raise SiteProblem(
            f"{row['name']} is not as the site has listed it: it was damaged on the way, or the "
            "site has made it again meanwhile. Run the command again: it goes on here"
        )
    return content


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
