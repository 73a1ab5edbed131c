"""How the commands find the site and the token, and how a refusal of the site ends a command."""

import os
from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from botkit import credentials
from botkit.commands import CommandFailed
from botkit.commands.output import clean
from botkit.credentials import BadSettings
from botkit.exit_statuses import FAILED, SIGNED_OUT, UNREADABLE, USAGE
from botkit.site import (
    BadAddress,
    SignedOut,
    SiteClient,
    SiteProblem,
    SiteRefusal,
    SiteUnreachable,
    address_of,
)

VARIABLE = "DRAPEAU_TOKEN"
SITE = "DRAPEAU_SITE"  # names another site than the usual one
SITE_OPTION = click.option(
    "--site", "given", envvar=SITE, metavar="URL", help="The site; by default the usual one."
)
STATUSES = {BadAddress: USAGE, SiteUnreachable: UNREADABLE, SignedOut: SIGNED_OUT}
OF_WORDS = (  # codes of names and values that the site does not know
    "not_found",
    "invalid",
    "malformed_bot",
    "unknown_bot",
    "unknown_ladder",
    "unknown_side",
    "no_such_version",
)
FOREIGN = (LookupError, TypeError, ValueError, AttributeError)  # of an answer in another form
ANOTHER_FORM = "the site answers in another form than this kit knows"
LOG_IN = "drapeau login https://arena.example"
NO_SITE = (
    f"no site is chosen. Log in to one: {LOG_IN}. Without an account: "
    "drapeau config --site https://arena.example"
)


def with_site(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option `--site` to a command, which gets a SiteClient, and tell its refusals."""

    @SITE_OPTION
    @wraps(function)
    def command(*, given: str | None, **options: Any) -> Any:  # noqa: ANN401 - those of the command
        return refusals_told(lambda: function(site=connect(given), **options))

    return command


def refusals_told(function: Callable[[], Any]) -> Any:  # noqa: ANN401 - what the function returns
    """Call a function. Raise CommandFailed with the cleaned text of a refusal.

    An answer without what the function looks for in it counts as that of another kind of site.
    """
    try:
        return function()
    except SiteProblem as problem:
        message = clean(problem)
        if isinstance(problem, SignedOut) and VARIABLE in os.environ:
            message = (
                f"{message}. The token is that of {VARIABLE}, which comes before one that is kept"
            )
        is_of_words = isinstance(problem, SiteRefusal) and problem.code in OF_WORDS
        status = USAGE if is_of_words else STATUSES.get(type(problem), FAILED)
        raise CommandFailed(message, status) from problem
    except FOREIGN as problem:
        why = f"{ANOTHER_FORM}. Compare the versions: drapeau doctor"
        raise CommandFailed(why, UNREADABLE) from problem
    except BadSettings as problem:
        raise CommandFailed(str(problem)) from problem


def connect(given: str | None) -> SiteClient:
    """Return the site that is given, or the usual one, with its token. Raise CommandFailed.

    The token in DRAPEAU_TOKEN comes before one that is kept.
    """
    address = chosen(given)
    if not address:
        raise CommandFailed(NO_SITE, USAGE)
    token = os.environ.get(VARIABLE) or credentials.kept(address).get("token", "")
    return SiteClient(address, token)


def chosen(given: str | None) -> str:
    """Return the address of the given site or of the usual one, or "". Raise BadAddress."""
    text = given or credentials.read_settings().get("site")
    if not text:
        return ""
    plain = str(text).rstrip("/")
    return address_of(plain, insecure_http=credentials.allows_plain_http(plain))


def whole_name(site: SiteClient, bot: str) -> tuple[str, str]:
    """Return owner and short name of a bot: `owner/bot`, or `bot` alone for an own one."""
    owner, slash, slug = bot.partition("/")
    if slash:
        return owner, slug
    return str(site.get("me")["username"]), bot


def only_ladder(site: SiteClient, owner: str, slug: str) -> str:
    """Return the ladder of a bot that is on one. Raise UsageError."""
    entries = site.get("bots", owner, slug)["entries"]
    names = [str(entry["ladder"]) for entry in entries if entry["active"]]
    if len(names) != 1:
        known = clean(", ".join(names)) or "none"
        raise click.UsageError(f"choose one with --ladder; those of {owner}/{slug}: {known}")
    return names[0]
