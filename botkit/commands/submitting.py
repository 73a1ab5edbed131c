"""The command `submit`: a bot from this machine onto the ladder of a site."""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from botkit.commands import CommandFailed
from botkit.commands.connecting import SITE_OPTION, chosen, connect, refusals_told
from botkit.commands.output import clean, document, note, say
from botkit.commands.uploads import Target, Upload, describe, find_target, made, read_upload
from botkit.exit_statuses import FAILED, INTERRUPTED, UNDECIDED
from botkit.site import SiteClient, SiteProblem, answers

LOOK_EVERY_S = 1.0
OVER = ("ready", "rejected", "retired")
STUCK = ("ladder_closed", "paused", "version_paused", "not_ready")  # until somebody acts
MARKS = {"waiting": " ", "running": "…", "passed": "✓", "failed": "✗"}
Row = Mapping[str, Any]


class _Stuck(Exception):
    """The version is ready and plays no rated match; the text says why."""


@click.command()
@click.argument("source", metavar="DIR|FILE", type=click.Path(path_type=Path))
@click.option("--bot", "name", metavar="BOT", help="Your bot on the site; by default its name.")
@click.option(
    "--create", is_flag=True, help="Make the bot on the site if you have none of its name."
)
@click.option("--dry-run", is_flag=True, help="Only list what would be uploaded.")
@click.option("--wait", is_flag=True, help="Also wait for its first ladder game.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@SITE_OPTION
def submit(  # noqa: PLR0913 - one parameter for each option
    *,
    given: str | None,
    source: Path,
    name: str | None,
    create: bool,
    dry_run: bool,
    wait: bool,
    as_json: bool,
) -> int:
    """Upload a bot, and watch its checks.

    A folder with a drapeau.toml, a source file, or a zip of such a folder. BOT is owner/bot, or bot
    alone. A new bot needs --create, or your answer to a question. Ctrl-C ends the command; the site
    goes on with the checks. --dry-run needs no site.
    """

    def submitted() -> int:
        site = connect(given)
        target = find_target(site, name, upload.name)
        bot, version = _submitted(site, upload, target, create=create)
        return _followed(site, bot, version, wait=wait, as_json=as_json)

    upload = read_upload(source)
    if dry_run:
        target = refusals_told(lambda: _target_if_told(given, name, upload.name))
        describe(upload, target, as_json=as_json)
        return 0
    status: int = refusals_told(submitted)
    return status


def _target_if_told(given: str | None, name: str | None, usual: str) -> Target | None:
    """Return where a bot would go up to, or None without a site that says it. Raise BadAddress."""
    if not chosen(given):
        return None
    site = connect(given)
    try:
        return find_target(site, name, usual)
    except SiteProblem as problem:
        note(f"Its place on the site is not known: {problem}")
        return None


def _submitted(
    site: SiteClient, upload: Upload, target: Target, *, create: bool
) -> tuple[Row, Row]:
    """Upload, and return the bot and its version. Raise CommandFailed and SiteProblem."""
    bot = target.bot or made(site, target, upload, create=create)
    if target.bot is not None:
        describe(upload, target)
    try:
        return bot, _uploaded(site, bot, upload.filename, upload.data)
    except SiteProblem:
        if target.bot is None:
            name = f"{bot['owner']}/{bot['slug']}"
            note(f"{name} has no version yet: the next upload to it makes one.")
        raise


def _followed(site: SiteClient, bot: Row, version: Row, *, wait: bool, as_json: bool) -> int:
    """Show the checks of a version, and its first match. Return the exit status."""
    page = site.page(version["url"])
    match, stuck = None, ""
    try:
        note(f"Uploaded {bot['owner']}/{bot['slug']}, version {version['number']}: {page}")
        version = _watch_checks(site, bot, version)
        if wait and version["status"] == "ready":
            note("Waiting for its first ladder game. Ctrl-C ends the waiting, nothing else.")
            match = _first_match(site, bot, version["number"])
    except KeyboardInterrupt:
        note(f"Stopped waiting. The site goes on with version {version['number']}: {page}")
        return INTERRUPTED
    except _Stuck as problem:
        stuck = str(problem)
    if as_json:
        document({"version": version, "match": match})
    else:
        say(page)
        if match is not None:
            say(site.page((match["games"] or [match])[0]["url"]))
    if version["status"] == "rejected":
        note(f"Rejected: {version['reason']}")
        for check in version["checklist"]:
            if check["state"] == "failed" and check["message"] != version["reason"]:
                note(f"{check['step']}: {check['message']}")
        note(f"What it wrote: drapeau versions {version['bot']} {version['number']} --log")
        note(f"What each check asks for: {site.address}/docs/reference/version-checks/")
        note(f"What a bot must answer: {site.address}/docs/reference/protocol/")
        return FAILED
    if stuck:
        note(stuck)
    return UNDECIDED if stuck else 0


def _uploaded(site: SiteClient, bot: Row, filename: str, data: bytes) -> Row:
    address = ("bots", bot["owner"], bot["slug"], "versions")
    try:
        row: Row = site.upload(*address, filename=filename, data=data)
    except KeyboardInterrupt:
        again = f"drapeau versions {bot['owner']}/{bot['slug']}"
        raise CommandFailed(f"Stopped. Look whether it arrived: {again}", INTERRUPTED) from None
    return row


def _watch_checks(site: SiteClient, bot: Row, version: Row) -> Row:
    """Show the checklist on standard error until it is over. Return the version then."""
    address = ("bots", bot["owner"], bot["slug"], "versions", version["number"])
    console = Console(stderr=True)
    shown: AbstractContextManager[Live | None] = nullcontext()
    if console.is_terminal:
        shown = Live(_drawn(version), console=console, auto_refresh=False)
    printed: dict[str, str] = {}
    with shown as live:
        for answer in answers(partial(site.get, *address), every_s=LOOK_EVERY_S):
            version = answer or version
            if live is not None:
                live.update(_drawn(version, lost=answer is None), refresh=True)
            else:
                # A line for each check with another state than told, and why the version waits.
                for check in version["checklist"]:
                    if check["state"] != "waiting" and printed.get(check["step"]) != check["state"]:
                        printed[check["step"]] = check["state"]
                        note(f"{check['step']}: {check['state']}  {check['message']}".rstrip())
                if version["waiting_reason"] != printed.get(""):
                    printed[""] = version["waiting_reason"]
                    if version["waiting_reason"]:
                        note(version["waiting_reason"])
            if answer is not None and version["status"] in OVER:
                break
    return version


def _drawn(version: Row, *, lost: bool = False) -> Table:
    grid = Table.grid(padding=(0, 2))
    for check in version["checklist"]:
        words = (MARKS.get(check["state"], "?"), check["step"], check["state"], check["message"])
        grid.add_row(*(Text(clean(word)) for word in words))
    waits = "The site does not answer; trying again." if lost else version["waiting_reason"]
    if waits:
        grid.add_row("", Text(clean(waits)))
    return grid


def _first_match(site: SiteClient, bot: Row, number: int) -> Row:
    """Wait until a runner begins a ladder match of the version, and return it. Raise _Stuck."""
    name = f"{bot['owner']}/{bot['slug']}"
    noted = ""
    wanted = (bot["owner"], bot["slug"], number)
    ask = partial(site.get, "matches", bot=name, kind="ladder")
    for page in answers(ask, every_s=2 * LOOK_EVERY_S):
        for match in reversed(page["results"] if page else []):
            if any(
                (entrant["owner"], entrant["bot"], entrant["version"]) == wanted
                for entrant in match["entrants"]
            ):
                first: Row = match
                return first
        if page is not None:
            reason = _why_idle(site.get("bots", bot["owner"], bot["slug"]), number)
            if reason and reason != noted:
                noted = reason
                note(reason)
    raise _Stuck("the site names no match")


def _why_idle(bot: Row, number: int) -> str:
    """Return why no match of a version waits, or "". Raise _Stuck if waiting does not help."""
    if bot["active_version"] != number:
        active = bot["active_version"] or "none"
        if bot["tries_versions_first"]:
            raise _Stuck(f"version {number} is ready. A trial decides whether it replaces {active}")
        activate = f"drapeau versions {bot['owner']}/{bot['slug']} {number} --activate"
        raise _Stuck(f"version {number} is ready, but {active} is active. Change that: {activate}")
    entries = [entry for entry in bot["entries"] if entry["active"] and entry["version"] == number]
    if not entries:
        raise _Stuck(f"version {number} is ready, but the site has no open ladder for its games")
    idle = [entry["idle"] for entry in entries]
    if all(reason is not None and reason["why"] in STUCK for reason in idle):
        raise _Stuck(f"version {number} is ready, but plays no rated match: {idle[0]['reason']}")
    reasons = [
        f"{entry['ladder']}: {entry['idle']['reason']}" for entry in entries if entry["idle"]
    ]
    return "; ".join(reasons) if len(reasons) == len(entries) else ""
