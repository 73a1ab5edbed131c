"""The command `connect`: a bot at home plays against bots of a site."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any

import click

from botkit.commands import Whole
from botkit.commands.archives import bot_named
from botkit.commands.completing import complete_bot
from botkit.commands.connecting import only_ladder, whole_name, with_site
from botkit.commands.game_options import check_variant, failures_told
from botkit.commands.output import clean, document, note, say
from botkit.commands.remote_bots import MOST_JOBS, OnlineBot, require_bot
from botkit.exit_statuses import FAILED, INTERRUPTED
from botkit.home import HomeBot, NoBot
from botkit.processes import leaving_nothing
from botkit.remote import Ended, RemoteGames, as_ended, started
from botkit.site import SiteClient, SiteProblem
from engine.registry import endings, find
from engine.variant import Variant

LADDERS = 200  # of a site, at most
WORDS = {1.0: "won", 0.0: "lost"}


@click.command()
@click.argument("bot", shell_complete=complete_bot)
@click.argument("opponent", metavar="[OWNER/BOT]", required=False)
@click.option("--as", "own_name", metavar="BOT", help="Play rated, as this remote bot of yours.")
@click.option("--create", is_flag=True, help="Make the remote bot, if there is none.")
@click.option("--ladder", help="The ladder whose game is played; the only one needs no name.")
@click.option("--side", help="The side of your bot. By default it changes from game to game.")
@click.option(
    "-n", "--games", type=Whole(1), help="How many games; by default 1, with --as until Ctrl-C."
)
@click.option("-j", "--jobs", type=Whole(1), default=1, help="How many games at a time.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, a line for each game.")
@with_site
def connect(  # noqa: PLR0913 - one parameter for each option
    site: SiteClient,
    *,
    bot: str,
    opponent: str | None,
    own_name: str | None,
    create: bool,
    ladder: str | None,
    side: str | None,
    games: int | None,
    jobs: int,
    as_json: bool,
) -> int:
    """Let a bot on this machine play on a site: unrated against a bot there, or rated with --as.

    Nothing is uploaded: the site sends what the seat is asked, and the bot answers from here. It
    may use any memory. Against a bot of the site it has the clock of a person, and Ctrl-C cancels
    the games. As a remote bot it is online until Ctrl-C: it plays others on remote ladders, and
    accepts challenges.
    """
    if (opponent is None) == (own_name is None):
        raise click.UsageError("name the opponent, or your remote bot with --as")
    with failures_told():
        own = bot_named(bot)
        if own_name is not None:
            if side is not None or jobs > MOST_JOBS:
                raise click.UsageError(
                    f"with --as there is no --side, and -j is at most {MOST_JOBS}"
                )
            owner, slug = whole_name(site, own_name)
            variant_slug = _variant(site, ladder).slug if ladder else ""
            if variant_slug:
                check_variant([own], variant_slug)
            with leaving_nothing(), started(own):
                pass  # a bot that cannot start makes no other, and is not online
            require_bot(site, owner, slug, variant=variant_slug, create=create)
            return OnlineBot(site, own, f"{owner}/{slug}", jobs=jobs, as_json=as_json).serve(games)
        run = _Run(site, own, min(jobs, games or 1), as_json=as_json)
        status = run.unrated(opponent or "", ladder, side, games or 1)
    if run.results.total() > 1 and not as_json:
        say(", ".join(f"{count} {result}" for result, count in run.results.items()))
    return status


class _Run:
    """The games of a command: asked for, played, and told of as they end."""

    def __init__(self, site: SiteClient, bot: HomeBot, jobs: int, *, as_json: bool) -> None:
        self.results, self.status = Counter[str](), 0
        self._site, self._bot, self._jobs, self._as_json = site, bot, jobs, as_json
        self._games = RemoteGames(site, bot=bot, note=note, is_named=jobs > 1)

    def unrated(self, opponent: str, ladder: str | None, side: str | None, games: int) -> int:
        """Ask for games against a bot, play them, and return the exit status.

        Raise SiteProblem, NoBot and UsageError.
        """
        owner, slug = whole_name(self._site, opponent)
        chosen = ladder or only_ladder(self._site, owner, slug)
        variant = _variant(self._site, chosen)
        check_variant([self._bot], variant.slug)
        sides = [side] if side else list(dict.fromkeys(map(variant.side_of, variant.seats)))
        if self._jobs > 1:
            _check_room(self._site, self._jobs)
        with leaving_nothing(), started(self._bot):
            pass  # a bot that cannot start asks for no game
        body = {"bot": f"{owner}/{slug}", "ladder": chosen}
        try:
            self.play([{**body, "side": sides[at % len(sides)]} for at in range(games)])
        except KeyboardInterrupt:
            note("The game is cancelled." if self._jobs == 1 else "The games are cancelled.")
            return INTERRUPTED
        return self.status

    def play(self, bodies: Sequence[Mapping[str, str]]) -> None:
        """Play the games that these requests ask for. Raise SiteProblem and NoBot.

        Where one of them fails, no other begins, and those that are played go on to their end.
        Whatever else ends this cancels all.
        """
        failed: Exception | None = None
        with leaving_nothing(), ThreadPoolExecutor(self._jobs) as pool:
            waiting = {pool.submit(self._one, body): body for body in bodies}
            try:
                for done in as_ended(waiting):
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
