"""The commands that show what is on a site, and those that enter bots and ask for matches."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from botkit.commands import CommandFailed, Whole
from botkit.commands.connecting import only_ladder, whole_name, with_site
from botkit.commands.output import document, note, paragraph, say, table
from botkit.commands.record_sources import MATCH
from botkit.exit_statuses import USAGE
from botkit.site import SiteClient

Row = Mapping[str, Any]
JSON = click.option("--json", "as_json", is_flag=True, help="Print the JSON of the site.")
MOST = click.option(
    "-n",
    "--rows",
    "most",
    type=Whole(1),
    default=50,
    show_default=True,
    help="How many rows.",
)
KINDS = ("ladder", "challenge", "probe", "trial", "tournament", "person")


@click.command()
@click.argument("name", metavar="BOT")
@click.argument("number", metavar="[VERSION]", type=Whole(1), required=False)
@click.option("--log", "wants_log", is_flag=True, help="Print what the checks of VERSION wrote.")
@click.option("--activate", "activates", is_flag=True, help="Let VERSION play from now on.")
@MOST
@JSON
@with_site
def versions(  # noqa: PLR0913 - one parameter for each option
    site: SiteClient,
    *,
    name: str,
    number: int | None,
    wants_log: bool,
    activates: bool,
    most: int,
    as_json: bool,
) -> None:
    """List the versions of a bot, or show one with its checks."""
    owner, slug = whole_name(site, name)
    address = ("bots", owner, slug, "versions")
    if number is None:
        if wants_log or activates:
            raise click.UsageError("--log and --activate need the number of a version")
        return show_rows(
            site.rows(*address, most=most),
            ("version", "status", "active", "language", "uploaded", "page"),
            lambda row: (
                row["number"],
                row["status"],
                "active" if row["is_active"] else "-",
                row["language"] or "-",
                row["created_at"],
                site.page(row["url"]),
            ),
            as_json=as_json,
        )
    if wants_log:
        return _show_log(site.get(*address, number, "log"), as_json=as_json)
    if activates:
        site.post(*address, number, "activate")
    row = site.get(*address, number)
    if as_json:
        return document(row)
    say(f"{row['bot']}, version {row['number']}: {row['status']}")
    say(f"Page: {site.page(row['url'])}")
    if row["is_active"]:
        say("It is the active version.")
    for reason in filter(None, (row["reason"], row["waiting_reason"], row["pause_reason"])):
        say(reason)
    return table(
        ("check", "state", "message"),
        [[check["step"], check["state"], check["message"]] for check in row["checklist"]],
    )


def _show_log(log: Row, *, as_json: bool) -> None:
    if as_json:
        return document(log)
    if not log["steps"]:
        note("The checks wrote nothing.")
    for step in log["steps"]:
        say(f"== {step['step']}")
        paragraph(step["log"])
    return None


@click.command()
@click.argument("name", metavar="[BOT]", required=False)
@click.option("--opponent", metavar="OWNER/BOT", help="Only matches with this bot too.")
@click.option("--ladder", metavar="LADDER", help="Only matches of this ladder.")
@click.option("--kind", type=click.Choice(KINDS), help="Only matches of this kind.")
@click.option("--status", metavar="STATUS", help="Such as running or finished.")
@click.option("--since", metavar="TIME", help="Created then or later, such as 2026-11-25.")
@MOST
@JSON
@with_site
def matches(
    site: SiteClient, *, name: str | None, most: int, as_json: bool, **filters: str | None
) -> None:
    """List matches, newest first: those of a bot, or all."""
    named = "/".join(whole_name(site, name)) if name else None
    listing = site.rows("matches", most=most, bot=named, **filters)
    _show_matches(site, listing, as_json=as_json)


def _show_matches(site: SiteClient, listing: Row, *, as_json: bool) -> None:
    headings = ("match", "ladder", "kind", "status", "created", "bots and points", "page")
    show_rows(listing, headings, lambda row: _of_match(site, row), as_json=as_json)


def _of_match(site: SiteClient, row: Row) -> Sequence[object]:
    bots = [
        f"{entrant['owner']}/{entrant['bot']} v{entrant['version']}"
        + ("" if entrant["points"] is None else f" {entrant['points']:g}")
        for entrant in row["entrants"]
    ]
    words = (row["id"], row["ladder"], row["kind"], row["status"], row["created_at"])
    return (*words, ", ".join(bots) or "-", site.page(row["url"]))


@click.command()
@click.argument("match")
@JSON
@with_site
def logs(site: SiteClient, *, match: str, as_json: bool) -> None:
    """Print what your bot wrote to standard error in a match that is over.

    MATCH is the id of a match, or the address of a match or a game.
    """
    parts = _match_of(site, match)
    games = (
        [int(parts["game"])]
        if parts["game"]
        else [game["number"] for game in site.get("matches", parts["id"])["games"]]
    )
    read = [{"number": number, **site.get("games", parts["id"], number, "log")} for number in games]
    if as_json:
        return document({"games": read})
    for game in read:
        for log in game["logs"]:
            say(f"== game {game['number']}, {log['seat']}")
            paragraph(log["stderr"])
    return None


def _match_of(site: SiteClient, match: str) -> re.Match[str]:
    """Return the parts of what names a match here. Raise UsageError and CommandFailed."""
    parts = MATCH.fullmatch(match)
    if parts is None:
        raise click.UsageError(f"{match!r} is neither the id nor the address of a match")
    if parts["site"] not in (None, site.address):
        where = f"{parts['site']}, and this is {site.address}"
        raise CommandFailed(f"the match is on {where}. Name its site with --site", USAGE)
    return parts


@click.command()
@click.argument("own", metavar="[BOT]", required=False)
@click.argument("opponents", metavar="[OPPONENT]...", nargs=-1)
@click.option(
    "--ladder", metavar="LADDER", help="Whose rules and clock; needed if there are several."
)
@click.option("--version", type=Whole(1), help="A version; by default the active one.")
@click.option("--cancel", metavar="MATCH", help="Cancel a match that you requested.")
@JSON
@with_site
def challenge(  # noqa: PLR0913 - one parameter for each option
    site: SiteClient,
    *,
    own: str | None,
    opponents: Sequence[str],
    ladder: str | None,
    version: int | None,
    cancel: str | None,
    as_json: bool,
) -> None:
    """Request an unrated match of your bot, or list or cancel those that you requested.

    An OPPONENT is owner/bot: one, or two on a ladder for three. A MATCH is the id or the address of
    one.
    """
    if cancel is not None:
        if own is not None:
            raise click.UsageError("--cancel takes a match, and no bots")
        match_id = _match_of(site, cancel)["id"]
        site.delete("challenges", match_id)
        return tell_done(f"Cancelled: {match_id}", {"cancelled": match_id}, as_json=as_json)
    if own is None:
        return _show_matches(site, site.rows("challenges", most=50), as_json=as_json)
    if not opponents:
        raise click.UsageError("name an opponent, as owner/bot")
    owner, slug = whole_name(site, own)
    body: dict[str, object] = {
        "bot": f"{owner}/{slug}",
        "opponents": list(opponents),
        "ladder": ladder or only_ladder(site, owner, slug),
    }
    match = site.post("challenges", body=body | ({"version": version} if version else {}))
    if as_json:
        return document(match)
    return say(f"Requested: {site.page(match['url'])}")


@click.command()
@click.argument("ladder", metavar="[LADDER]", required=False)
@MOST
@JSON
@with_site
def leaderboard(site: SiteClient, *, ladder: str | None, most: int, as_json: bool) -> None:
    """Show the leaderboard of a ladder, or list the ladders."""
    if ladder is None:
        return show_rows(
            site.rows("ladders", most=most),
            ("ladder", "game", "bots in a match", "open", "page"),
            lambda row: (
                row["slug"],
                row["variant"],
                row["entrants_per_match"],
                "open" if row["is_open"] else "closed",
                site.page(row["url"]),
            ),
            as_json=as_json,
        )
    return show_rows(
        site.rows("ladders", ladder, "entries", most=most),
        ("rank", "bot", "version", "rating", "from", "to", "games", "wins", "draws", "losses"),
        lambda row: (
            row["rank"] or "-",
            f"{row['owner']}/{row['bot']}",
            row["version"],
            rounded(row["rating"]["rating"]),
            *map(rounded, row["rating"]["interval"] or (None, None)),
            *results_of({**row, "games": row["rating"]["games"]}),
        ),
        as_json=as_json,
    )


@click.command()
@click.argument("slug", metavar="[TOURNAMENT]", required=False)
@click.option("--enter", metavar="BOT", help="Enter a bot of yours.")
@click.option("--withdraw", metavar="BOT", help="Withdraw a bot of yours.")
@click.option(
    "--version", type=Whole(1), help="With --enter: a version. By default the active one."
)
@MOST
@JSON
@with_site
def tournament(  # noqa: PLR0913 - one parameter for each option
    site: SiteClient,
    *,
    slug: str | None,
    enter: str | None,
    withdraw: str | None,
    version: int | None,
    most: int,
    as_json: bool,
) -> None:
    """List tournaments, show the standings of one, or enter your bot in it."""
    if enter or withdraw or version:
        return _take_part(site, slug, enter, withdraw, version, as_json=as_json)
    if slug is None:
        return show_rows(
            site.rows("tournaments", most=most),
            ("tournament", "name", "status", "game", "format", "page"),
            lambda row: (
                *(row[key] for key in ("slug", "name", "status", "variant", "format")),
                site.page(row["url"]),
            ),
            as_json=as_json,
        )
    shown = site.get("tournaments", slug)
    standings = site.get("tournaments", slug, "standings")
    if as_json:
        return document({"tournament": shown, "standings": standings})
    say(f"{shown['name']}: {shown['status']}, {shown['format']}, {shown['variant']}")
    say(f"Page: {site.page(shown['url'])}")
    say(f"Rounds shown: {standings['rounds_shown']}")
    return table(
        ("rank", "bot", "points", "games", "wins", "draws", "losses"),
        [
            [row["rank"], row["bot"], f"{row['points']:g}", *results_of(row)]
            for row in standings["results"]
        ],
    )


def _take_part(
    site: SiteClient,
    slug: str | None,
    enter: str | None,
    withdraw: str | None,
    version: int | None,
    *,
    as_json: bool,
) -> None:
    """Enter or withdraw a bot. Raise UsageError, and SiteProblem."""
    if slug is None:
        raise click.UsageError("name the tournament, by its name in the address")
    if (enter and withdraw) or (version and not enter):
        raise click.UsageError("give --enter, perhaps with --version, or --withdraw alone")
    owner, bot = whole_name(site, enter or withdraw or "")
    name = f"{owner}/{bot}"
    if withdraw:
        site.delete("tournaments", slug, "entrants", owner, bot)
        withdrawal = {"tournament": slug, "withdrawn": name}
        return tell_done(f"Withdrawn: {name} from {slug}", withdrawal, as_json=as_json)
    body = {"bot": name} | ({"version": version} if version else {})
    entrant = site.post("tournaments", slug, "entrants", body=body)
    return tell_done(f"Entered: {name} in {slug}", entrant, as_json=as_json)


def tell_done(sentence: str, row: Row, *, as_json: bool) -> None:
    """Print what a command has changed."""
    if as_json:
        document(row)
    else:
        say(sentence)


def show_rows(
    listing: Mapping[str, Any],
    headings: Sequence[str],
    cells: Callable[[Row], Sequence[object]],
    *,
    as_json: bool,
) -> None:
    """Print rows of the site as JSON or as a table."""
    if as_json:
        document(listing)
    else:
        table(headings, map(cells, listing["results"]))


def results_of(row: Row) -> list[object]:
    """Return the cells of a row about games."""
    return [row[key] for key in ("games", "wins", "draws", "losses")]


def rounded(rating: float | None) -> str:
    """Return the cell of a rating, if there is one."""
    return "-" if rating is None else f"{rating:.0f}"
