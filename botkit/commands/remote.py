"""The command `connect`: a bot at home plays against bots of a site."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from typing import Any

import click

from botkit.commands import Whole
from botkit.commands.archives import bot_named
from botkit.commands.completing import complete_bot
from botkit.commands.connecting import only_ladder, whole_name, with_site
from botkit.commands.game_options import check_variant, failures_told
from botkit.commands.output import clean, document, note, say
from botkit.exit_statuses import FAILED, INTERRUPTED
from botkit.home import HomeBot, NoBot
from botkit.processes import leaving_nothing
from botkit.remote import Ended, RemoteGames, started
from botkit.site import SiteClient, SiteProblem
from engine.registry import endings, find
from engine.variant import Variant

LADDERS = 200  # of a site, at most
WORDS = {1.0: "won", 0.0: "lost"}


@click.command()
@click.argument("bot", shell_complete=complete_bot)
@click.argument("opponent", metavar="OWNER/BOT")
@click.option("--ladder", help="The ladder whose game is played; the only one needs no name.")
@click.option("--side", help="The side of your bot. By default it changes from game to game.")
@click.option("-n", "--games", type=Whole(1), default=1, help="How many games.")
@click.option("-j", "--jobs", type=Whole(1), default=1, help="How many games at a time.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, a line for each game.")
@with_site
def connect(  # noqa: PLR0913 - one parameter for each option
    site: SiteClient,
    *,
    bot: str,
    opponent: str,
    ladder: str | None,
    side: str | None,
    games: int,
    jobs: int,
    as_json: bool,
) -> int:
    """Let a bot on this machine play against a bot of a site. Its games are unrated.

    Nothing is uploaded: the site sends what the seat is asked, and the bot answers from here. It
    may use any memory, and has the clock of a person. Ctrl-C cancels the games.
    """
    with failures_told():
        own = bot_named(bot)
        owner, slug = whole_name(site, opponent)
        chosen = ladder or only_ladder(site, owner, slug)
        variant = _variant(site, chosen)
        check_variant([own], variant.slug)
        sides = [side] if side else list(dict.fromkeys(map(variant.side_of, variant.seats)))
        jobs = min(jobs, games)
        if jobs > 1:
            _check_room(site, jobs)
        with leaving_nothing(), started(own):
            pass  # a bot that cannot start asks for no game
        run = _Run(site, own, jobs, as_json=as_json)
        asked = ({"bot": f"{owner}/{slug}", "ladder": chosen} for _ in range(games))
        try:
            run.play([{**body, "side": sides[at % len(sides)]} for at, body in enumerate(asked)])
        except KeyboardInterrupt:
            note("The game is cancelled." if jobs == 1 else "The games are cancelled.")
            return INTERRUPTED
    if games > 1 and not as_json:
        say(", ".join(f"{count} {result}" for result, count in run.results.items()))
    return run.status


class _Run:
    """The games of a command: asked for, played, and told of as they end."""

    def __init__(self, site: SiteClient, bot: HomeBot, jobs: int, *, as_json: bool) -> None:
        self.results, self.status = Counter[str](), 0
        self._site, self._bot, self._jobs, self._as_json = site, bot, jobs, as_json
        self._games = RemoteGames(site, bot=bot, note=note, is_named=jobs > 1)

    def play(self, bodies: Sequence[Mapping[str, str]]) -> None:
        """Play the games that these requests ask for. Raise SiteProblem and NoBot.

        Where one of them fails, no other begins, and those that are played go on to their end.
        Whatever else ends this cancels all.
        """
        failed: Exception | None = None
        with leaving_nothing(), ThreadPoolExecutor(self._jobs) as pool:
            waiting = {pool.submit(self._one, body): body for body in bodies}
            try:
                for done in as_completed(waiting):
                    try:
                        self._tell(*done.result(), side=waiting[done]["side"])
                    except CancelledError:
                        pass  # it has not begun
                    except (SiteProblem, NoBot) as problem:
                        failed = failed or problem
                        for other in waiting:
                            other.cancel()
            except BaseException:
                self._games.stop()
                for other in waiting:
                    other.cancel()
                raise
        if failed:
            raise failed

    def _one(self, body: Mapping[str, str]) -> tuple[str, Ended]:
        """Return the page of a game, and how it ended."""
        with _asked_for(self._site, body) as match:
            page = self._site.page(match["url"])
            note(f"{self._bot.name} as {body['side']}: {page}")
            return page, self._games.play(match["id"])

    def _tell(self, page: str, ended: Ended, *, side: str) -> None:
        if ended.fault:
            self.status = FAILED
            of = f" in {page}" if self._jobs > 1 else ""
            note(f"{self._bot.name} resigned{of}: {ended.fault}")
        self.results[result := _in_words(ended, side)] += 1
        if self._as_json:
            told = {"termination": ended.termination, "fault": ended.fault}
            document({"match": page, "side": side, "result": result, **told})
        else:
            ending = endings().get(ended.termination)
            by = ending.title.lower() if ending else ended.termination.replace("_", " ")
            say(f"{result}, {by}: {page}" if by else f"{result}: {page}")


def _variant(site: SiteClient, ladder: str) -> Variant[Any]:
    """Return the game of a ladder. Raise UsageError if the site has no such ladder."""
    rows = site.rows("ladders", most=LADDERS)["results"]
    games_of = {row["slug"]: row["variant"] for row in rows}
    if ladder not in games_of:
        known = clean(", ".join(games_of))
        raise click.UsageError(f"the site has no ladder {ladder}; it has {known}")
    return find(games_of[ladder])


def _check_room(site: SiteClient, jobs: int) -> None:
    """Raise UsageError if a user may not have so many games open."""
    seats = site.get("seats")
    limit, count = seats["limit"], len(seats["results"])
    if count + jobs > limit:
        raise click.UsageError(
            f"the site lets you have {limit} of these games open, and {count} are: "
            f"-j {jobs} would be too many"
        )


@contextmanager
def _asked_for(site: SiteClient, body: Mapping[str, str]) -> Iterator[Any]:
    """Create a block with a new match. Whatever ends the block early cancels it."""
    match = site.post("seats", body=body)
    try:
        yield match
    except BaseException:
        with suppress(SiteProblem):  # it may be over
            site.delete("seats", match["id"])
        raise


def _in_words(ended: Ended, side: str) -> str:
    if ended.outcome is None:
        return "cancelled or void"
    return WORDS.get(ended.outcome[side], "drawn")
