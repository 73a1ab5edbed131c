"""What the demo does on the site, all through the API: enter the house bots, let them play."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeVar

import httpx2
from rich.console import Console

from botkit.package import pack
from sandbox.uploads.unpacking import unpack
from tools.demo.api import Account, Api, words_of
from tools.demo.refusal import DemoFailed
from tools.demo.screen import Bars, table

_VALIDATION_S = 300.0
_DASH = "\N{EN DASH}"  # between ranks, or for no rating
ANSWER_S = 60.0  # for a few requests, a restart of the web server included
_POLL_S = 0.5
_DONE = ("ready", "rejected", "retired")
T = TypeVar("T")
# Some of each game, with gaps below 400 Elo, so that a newcomer finds one within 200. With all,
# the demo would take long.
HOUSE_BOTS = (
    *("actuary", "avenger", "bookkeeper", "bully", "castellan", "drunkard"),
    *("lookout", "marshal", "raider", "sleuth", "veteran", "watchman"),
)
_SIGNS = {"passed": "✓", "failed": "✗", "running": "…", "waiting": "·"}


@dataclass(frozen=True)
class House:
    """A house bot: its files as one upload, and what it plays; no variants means all."""

    slug: str
    data: bytes
    digest: str
    variants: tuple[str, ...]

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Pack the folder of a bot."""
        data = pack(folder)
        package = unpack(data, f"{folder.name}.zip")
        return cls(folder.name, data, package.digest, package.manifest.variants)


@dataclass(frozen=True)
class Entered:
    """A house bot on the site."""

    account: Account
    slug: str
    number: int

    @property
    def name(self) -> tuple[str, str]:
        return self.account.username, self.slug


@dataclass(frozen=True)
class Board:
    """A ladder on which house bots can meet, and those."""

    ladder: str
    bots: list[tuple[str, str]]  # owner and slug


@dataclass(frozen=True)
class Stage:
    """Where the demo plays: the site's address, the terminal, and what keeps the site alive."""

    url: str
    console: Console
    keep_alive: Callable[[], None]

    def until(self, ask: Callable[[], T | None], *, within_s: float, what: str) -> T:
        """Ask again and again and give the first answer that is one; DemoFailed after `within_s`.

        A web server that is just being started again has not answered: whatever is asked has to
        bear being asked twice.
        """
        deadline = time.monotonic() + within_s
        while time.monotonic() < deadline:
            self.keep_alive()
            try:
                if answer := ask():
                    return answer
            except httpx2.TransportError:
                pass
            time.sleep(_POLL_S)
        raise DemoFailed(f"{what} took more than {within_s:.0f} s")


def enter(stage: Stage, house: House, account: Account) -> Entered:
    """Sign the developer up and in, and upload the bot unless the site has exactly this one."""
    return stage.until(
        lambda: _enter(stage, house, account),
        within_s=ANSWER_S,
        what=f"uploading {house.slug}",
    )


def _enter(stage: Stage, house: House, account: Account) -> Entered:
    owner, slug = account.username, house.slug
    with Api(stage.url) as api:
        number = _number_on_the_site(api.find_bot(owner, slug), house.digest)
        if number is not None:
            stage.console.print(f"  {owner} has {slug} here already, version {number}")
            return Entered(account, slug, number)
        api.sign_up(account)
        api.sign_in(account)
        if api.find_bot(owner, slug) is None:
            api.create_bot(slug)
        number = api.upload(owner, slug, house.data)
        stage.console.print(f"  {owner} uploaded {slug}, version {number}")
        api.sign_out()
    return Entered(account, slug, number)


def _number_on_the_site(bot: dict[str, Any] | None, digest: str) -> int | None:
    """Find a version with these very files that plays or will; an unread one has no digest yet."""
    for version in bot["versions"] if bot else []:
        is_over = version["status"] in _DONE and not version["is_active"]
        if not is_over and version["digest"] in ("", digest):
            number: int = version["number"]
            return number
    return None


def wait_until_validated(stage: Stage, entered: list[Entered]) -> None:
    """Show the checklists until every bot is on the ladders; raise DemoFailed for a refusal."""
    seen: dict[str, dict[str, Any]] = {}
    with Api(stage.url) as api, Bars(stage.console, "Validation") as bars:

        def ask() -> bool:
            for bot in entered:
                if seen.get(bot.slug, {}).get("status") not in _DONE:
                    seen[bot.slug] = api.version(bot.account.username, bot.slug, bot.number)
            counts = {
                slug: (
                    sum(check["state"] == "passed" for check in version["checklist"]),
                    len(version["checklist"]),
                )
                for slug, version in seen.items()
            }
            bars.update(counts, {slug: version["status"] for slug, version in seen.items()})
            return all(version["status"] in _DONE for version in seen.values())

        stage.until(ask, within_s=_VALIDATION_S, what="validating the house bots")
    for bot in entered:
        checks = seen[bot.slug]["checklist"]
        signs = "  ".join(f"{_SIGNS[check['state']]} {check['step']}" for check in checks)
        stage.console.print(f"  {bot.slug:<10} {signs}")
    for bot in entered:
        if seen[bot.slug]["status"] != "ready":
            raise DemoFailed(_refusal(stage, bot, seen[bot.slug]))


def _refusal(stage: Stage, bot: Entered, version: dict[str, Any]) -> str:
    def ask() -> dict[str, Any]:
        with Api(stage.url) as api:
            api.sign_in(bot.account)
            log = api.version_log(bot.account.username, bot.slug, bot.number)
            api.sign_out()
            return log

    log = words_of(stage.until(ask, within_s=ANSWER_S, what="reading the log"))
    return f"{bot.slug} was not admitted: {version['reason']}\n{log}".rstrip()


def boards(stage: Stage, entered: list[Entered]) -> list[Board]:
    """Find the ladders on which enough of the bots have different owners to meet."""

    def ask() -> list[Board]:
        with Api(stage.url) as api:
            candidates = [_board(ladder, api, entered) for ladder in api.ladders()]
        return [board for board in candidates if board.bots]

    return stage.until(ask, within_s=ANSWER_S, what="finding the ladders")


def _board(ladder: dict[str, Any], api: Api, entered: list[Entered]) -> Board:
    names = {bot.name for bot in entered}
    rows = api.leaderboard(ladder["slug"]) if ladder["is_open"] else []
    ours = [row for row in rows if (row["owner"], row["bot"]) in names]
    if len({row["owner"] for row in ours}) < ladder["entrants_per_match"]:
        ours = []
    bots = sorted((row["owner"], row["bot"]) for row in ours)
    return Board(ladder["slug"], bots)


def wait_for_games(stage: Stage, played: list[Board], games: int, *, within_s: float) -> None:
    """Show bars until every bot has so many games and a rating on each ladder."""
    title = "Rated games, with what every bot is to play at least"
    with Api(stage.url) as api, Bars(stage.console, title) as bars:

        def ask() -> bool:
            is_rated = True
            counts: dict[str, tuple[int, int]] = {}
            notes: dict[str, str] = {}
            for board in played:
                rows = {(row["owner"], row["bot"]): row for row in api.leaderboard(board.ladder)}
                for bot in board.bots:
                    name = f"{board.ladder} · {bot[1]}"
                    rating = rows[bot]["rating"]
                    counts[name] = (rating["games"], games)
                    notes[name] = _rating(rating)
                    is_rated = is_rated and rating["rating"] is not None
            bars.update(counts, notes)
            return is_rated and all(done >= total for done, total in counts.values())

        stage.until(ask, within_s=within_s, what="playing the rated games")


def _rating(row: dict[str, Any]) -> str:
    return _DASH if row["rating"] is None else f"{row['rating']:.0f}"


def show_leaderboards(stage: Stage, played: list[Board]) -> None:
    """Print the ladders as tables, the best bot first, with the ranks that the games allow."""

    def ask() -> dict[str, list[dict[str, Any]]]:
        with Api(stage.url) as api:
            return {board.ladder: api.leaderboard(board.ladder) for board in played}

    shown = stage.until(ask, within_s=ANSWER_S, what="reading the leaderboards")
    for ladder, board in shown.items():
        rows = [
            [
                ranks(row),
                f"{row['owner']}/{row['bot']}",
                _rating(row["rating"]),
                " to ".join(f"{end:.0f}" for end in row["rating"]["interval"] or ()),
                str(row["rating"]["games"]),
                *(str(row[key]) for key in ("wins", "draws", "losses")),
            ]
            for row in board
        ]
        columns = ("#", "bot", "rating", "95 %", "games", "won", "drawn", "lost")
        table(stage.console, f"Leaderboard: {ladder}", columns, rows)
    stage.console.print("# has the ranks that the games so far allow; few games give none.")


def ranks(row: dict[str, Any]) -> str:
    """Return the ranks that the games allow a bot, such as 2 to 4; a dash without a rank."""
    return _DASH.join(str(rank) for rank in sorted({*(row["rank_range"] or ())})) or _DASH
