"""The command `bot`: the bots of an account on a site."""

import sys
from collections.abc import Mapping
from typing import Any

import click

from botkit.commands import CommandFailed
from botkit.commands.connecting import whole_name, with_site
from botkit.commands.output import clean, document, say, table
from botkit.commands.reading import JSON, MOST, results_of, rounded, show_rows, tell_done
from botkit.exit_statuses import USAGE
from botkit.site import SiteClient

Row = Mapping[str, Any]
YES = click.option("--yes", "is_sure", is_flag=True, help="Do not ask.")


class _BotGroup(click.Group):
    """A group whose command `show` may be left out."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or (args[0] not in self.commands and args[0] not in ctx.help_option_names):
            args = ["show", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_BotGroup)
def bot() -> None:
    """List your bots, show one, or rename, retire or delete it.

    BOT is owner/bot, or bot alone for one of yours. `drapeau bot BOT` is `drapeau bot show BOT`.
    """


@bot.command()
@click.argument("name", metavar="[BOT]", required=False)
@MOST
@JSON
@with_site
def show(site: SiteClient, *, name: str | None, most: int, as_json: bool) -> None:
    """List your bots, or show one and its ladders."""
    if name is None:
        return show_rows(
            site.rows("bots", most=most, owner=site.get("me")["username"]),
            ("bot", "name", "active version", "page"),
            lambda row: (
                f"{row['owner']}/{row['slug']}",
                row["name"],
                row["active_version"] or "-",
                site.page(row["url"]),
            ),
            as_json=as_json,
        )
    row = site.get("bots", *whole_name(site, name))
    if as_json:
        return document(row)
    say(f"{row['owner']}/{row['slug']}: {row['name']}")
    say(f"Active version: {row['active_version'] or 'none'}")
    say(f"Page: {site.page(row['url'])}")
    if row["is_paused"]:
        say("Paused by its owner: it plays no rated matches.")
    return table(
        ("ladder", "rating", "games", "wins", "draws", "losses", "waits because"),
        [
            [
                entry["ladder"],
                rounded(entry["rating"]),
                *results_of(entry),
                (entry["idle"] or {}).get("reason"),
            ]
            for entry in row["entries"]
            if entry["active"]
        ],
    )


@bot.command()
@click.argument("name", metavar="BOT")
@click.argument("new_name", metavar="NAME")
@JSON
@with_site
def rename(site: SiteClient, *, name: str, new_name: str, as_json: bool) -> None:
    """Change the name that a bot of yours is shown by. Its address stays."""
    row = site.patch("bots", *whole_name(site, name), body={"name": new_name})
    tell_done(f"{row['owner']}/{row['slug']} is shown as {row['name']}.", row, as_json=as_json)


@bot.command()
@click.argument("name", metavar="BOT")
@YES
@JSON
@with_site
def retire(site: SiteClient, *, name: str, is_sure: bool, as_json: bool) -> None:
    """Retire all versions of a bot of yours. Its page and its matches stay.

    It plays again when you upload another version.
    """
    address = whole_name(site, name)
    _ask(f"Retire all versions of {'/'.join(address)}?", is_sure=is_sure)
    row = site.post("bots", *address, "retire")
    tell_done(f"{row['owner']}/{row['slug']} is retired.", row, as_json=as_json)


@bot.command()
@click.argument("name", metavar="BOT")
@YES
@JSON
@with_site
def delete(site: SiteClient, *, name: str, is_sure: bool, as_json: bool) -> None:
    """Delete a bot of yours that has played no match."""
    address = whole_name(site, name)
    _ask(f"Delete {'/'.join(address)} and all its versions?", is_sure=is_sure)
    site.delete("bots", *address)
    name = "/".join(address)
    tell_done(f"{name} is deleted.", {"deleted": name}, as_json=as_json)


def _ask(question: str, *, is_sure: bool) -> None:
    """Raise CommandFailed unless the caller is sure."""
    if is_sure:
        return
    if not sys.stdin.isatty():
        raise CommandFailed(f"{clean(question)} There is no terminal to ask: add --yes", USAGE)
    if not click.confirm(clean(question), err=True):
        raise CommandFailed("Nothing was changed.")
