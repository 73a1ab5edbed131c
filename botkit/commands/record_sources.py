"""Where a command finds a record: in a file, at an address, or by the page of a match or a game."""

import re
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from botkit.commands import CommandFailed
from botkit.commands.connecting import refusals_told
from botkit.exit_statuses import UNREADABLE, USAGE
from botkit.site import ANSWER_WAIT_S, SiteClient, reason_of
from engine.errors import BadRecord
from engine.record import Record

MATCH = re.compile(  # the id of a match, or the address of its page or of that of a game
    r"(?:(?P<site>https?://[^/]+)?/matches/)?(?P<id>[\w-]+)(?:/games/(?P<game>\d+))?/?(?:[?#].*)?"
)


def fetched_record(place: str) -> Record:
    """Return the record in a file, at an address, or of the game of a page. Raise CommandFailed."""
    try:
        return Record.from_json(fetched(place))
    except BadRecord as problem:
        raise CommandFailed(f"{place}: {problem}") from problem


def fetched(place: str) -> bytes:
    """Return what is in a file or at an address; of the page of a game, the record.

    Raise CommandFailed.
    """
    page = MATCH.fullmatch(place)
    if page is not None and page["site"]:
        content: bytes = refusals_told(lambda: _record_of(SiteClient(page["site"]), page))
        return content
    try:
        if not place.startswith(("http://", "https://")):
            return Path(place).read_bytes()
        with urlopen(place, timeout=ANSWER_WAIT_S) as answer:  # noqa: S310 - of these two schemes
            content = answer.read()
    except (OSError, HTTPException, ValueError) as problem:
        why = f"{place}: cannot be read: {reason_of(problem)}"
        raise CommandFailed(why, UNREADABLE) from problem
    return content


def _record_of(site: SiteClient, page: re.Match[str]) -> bytes:
    """Return the record of the game that a page shows. Raise SiteProblem and CommandFailed."""
    number: Any = page["game"]
    if number is None:
        games = site.get("matches", page["id"])["games"]
        if not games:
            raise CommandFailed(f"{page[0]}: the match has no game yet. Try later", UNREADABLE)
        if len(games) > 1:
            name = f"Name one of them, such as {site.page(games[0]['url'])}"
            raise CommandFailed(f"{page[0]}: the match has {len(games)} games. {name}", USAGE)
        number = games[0]["number"]
    return site.download("games", page["id"], number, "record")
