"""The commands about the account on a site: `login`, `token` and `config`."""

import platform
import sys
from contextlib import suppress
from typing import Any

import click

from botkit import credentials
from botkit.commands import CommandFailed
from botkit.commands.connecting import NO_SITE, SITE, chosen, refusals_told, with_site
from botkit.commands.output import document, note, say, table
from botkit.exit_statuses import USAGE
from botkit.site import SiteClient, SiteProblem, SiteRefusal, address_of

# What the commands need.
SCOPES = ("read", "bots:write", "challenges:write", "seats:write", "tournaments:write")
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.command()
@click.argument("site", metavar="[SITE]", envvar=SITE, required=False)
@click.option("--user", metavar="NAME", help="Your user name; asked for by default.")
@click.option(
    "--token", "source", metavar="-", help="With -: read a token from standard input instead."
)
@click.option("--insecure-http", is_flag=True, help="Allow plain http to another machine.")
def login(*, site: str | None, user: str | None, source: str | None, insecure_http: bool) -> None:
    """Log in to a site, and make it the usual one.

    SITE is an address such as https://arena.example, by default that of the usual site. The
    password is sent once, for a token, which is kept. With a second factor, make a token on the
    site and paste it.
    """
    if source not in (None, "-"):
        raise click.UsageError("--token takes only -: other users could read a token in its place")
    refusals_told(lambda: _log_in(site, user, insecure_http=insecure_http, piped=source == "-"))


def _log_in(given: str | None, user: str | None, *, insecure_http: bool, piped: bool) -> None:
    address = address_of(given, insecure_http=True) if given and insecure_http else chosen(given)
    if not address:
        raise CommandFailed(NO_SITE, USAGE)
    site = SiteClient(address)
    row = {"token": sys.stdin.readline(), "id": ""} if piped else _asked(site, user)
    site.token = row["token"].strip()
    if not site.token.isascii() or not site.token.replace("_", "a").isalnum():
        page = f"{site.address}/account/tokens/"
        raise CommandFailed(f"this is no token. Copy the whole line that {page} shows", USAGE)
    name = site.get("me")["username"]
    before = credentials.kept(address)
    where = credentials.keep(address, site.token, row["id"])
    allowed = set(credentials.read_settings().get("insecure_http", []))
    allowed = allowed | {address} if insecure_http else allowed
    credentials.change_settings(site=address, insecure_http=sorted(allowed))
    if before.get("id"):
        with suppress(SiteProblem):  # it is revoked already
            SiteClient(address, before["token"]).delete("tokens", before["id"])
    say(f"Logged in to {address} as {name}. The token is in {where}.")
    say("Upload a bot: drapeau submit DIR --wait")


def _asked(site: SiteClient, user: str | None) -> dict[str, str]:
    """Ask for name and password, and return a new token; or for a token, if these are not enough.

    Raise SiteProblem and CommandFailed.
    """
    name = f"drapeau on {platform.node() or 'this machine'}"
    try:
        piped = f"pipe it: drapeau login {site.address} --token - < FILE"
        return new_token(site, name, SCOPES, user, instead=f"Make a token at {{page}}, and {piped}")
    except SiteRefusal as problem:
        if problem.code != "second_factor_needed":
            raise
    note("A password is not enough for this account: it has a second factor.")
    note(f"Make a token at {site.address}/account/tokens/ with {', '.join(SCOPES)}.")
    return {"token": click.prompt("Paste it here", hide_input=True, err=True), "id": ""}


def new_token(
    site: SiteClient, name: str, scopes: tuple[str, ...], user: str | None, *, instead: str
) -> dict[str, str]:
    """Ask for user name and password, and return a new token.

    `instead` says what to do without a terminal, and where with `{page}`. Raise SiteProblem and
    CommandFailed.
    """
    if not sys.stdin.isatty():
        page = f"{site.address}/account/tokens/"
        why = "there is no terminal to ask for a password"
        raise CommandFailed(f"{why}. {instead.format(page=page)}", USAGE)
    user = user or click.prompt("User name", err=True)
    password = click.prompt("Password", hide_input=True, err=True)
    body = {"username": user, "password": password, "name": name, "scopes": list(scopes)}
    row: dict[str, str] = SiteClient(site.address).post("tokens", body=body)
    return row


@click.group()
def token() -> None:
    """List, make and revoke the tokens of your account."""


@token.command("list")
@JSON
@with_site
def list_tokens(site: SiteClient, *, as_json: bool) -> None:
    """List your tokens, without their secrets."""
    tokens = site.rows("tokens", most=200)
    if as_json:
        return document(tokens)
    rows = [
        [row["id"], row["name"], " ".join(row["scopes"]), row["created_at"], row["last_used_at"]]
        for row in tokens["results"]
    ]
    return table(("id", "name", "scopes", "created", "last used"), rows)


@token.command()
@click.argument("name")
@click.option("--scope", "scopes", multiple=True, help="What it may do. By default: read.")
@click.option("--user", metavar="NAME", help="Your user name; asked for by default.")
@JSON
@with_site
def create(
    site: SiteClient, *, name: str, scopes: tuple[str, ...], user: str | None, as_json: bool
) -> None:
    """Make another token, for a program of yours, and print it.

    It is printed this once. The site asks for the password again.
    """
    instead = "Make the token at {page}, or run the command in a terminal"
    row = new_token(site, name, scopes or ("read",), user, instead=instead)
    if as_json:
        document(row)
    else:
        say(row["token"])


@token.command()
@click.argument("token_id", metavar="[ID]", required=False)
@with_site
def revoke(site: SiteClient, *, token_id: str | None) -> None:
    """Revoke a token; without an ID, the one that is kept here."""
    kept = credentials.kept(site.address)
    wanted = token_id or kept.get("id")
    if not wanted:
        raise CommandFailed(
            "the id of the token is not known here. Find it, and name it: drapeau token list", USAGE
        )
    site.delete("tokens", wanted)
    if wanted == kept.get("id"):
        credentials.forget(site.address)
    say(f"Revoked {wanted}.")


@click.command()
@click.option("--site", "given", metavar="URL", help="Make this the usual site.")
@JSON
def config(*, given: str | None, as_json: bool) -> None:
    """Show or choose the usual site, and show where things are kept."""
    refusals_told(lambda: _configure(given, as_json=as_json))


def _configure(given: str | None, *, as_json: bool) -> None:
    if given:
        credentials.change_settings(site=chosen(given))
    shown: dict[str, Any] = {
        "site": credentials.read_settings().get("site"),
        "settings": str(credentials.folder() / credentials.SETTINGS),
        "tokens": credentials.place_of_tokens(),
    }
    if as_json:
        return document(shown)
    return table(("what", "value"), [[name, value or "-"] for name, value in shown.items()])
