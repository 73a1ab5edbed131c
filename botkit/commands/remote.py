"""The command `connect`: a bot at home plays against bots of a site."""

from collections import Counter
from collections.abc import Iterator, Mapping
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
from botkit.processes import leaving_nothing
from botkit.remote import Ended, RemoteGame, started
from botkit.site import SiteClient, SiteProblem
from engine.registry import endings, find

LADDERS = 200  # of a site, at most
WORDS = {1.0: "won", 0.0: "lost"}


@click.command()
@click.argument("bot", shell_complete=complete_bot)
@click.argument("opponent", metavar="OWNER/BOT")
@click.option("--ladder", help="The ladder whose game is played; the only one needs no name.")
@click.option("--side", help="The side of your bot. By default it changes from game to game.")
@click.option("-n", "--games", type=Whole(1), default=1, help="How many games, one after another.")
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
    as_json: bool,
) -> int:
    """Let a bot on this machine play against a bot of a site. Its games are unrated.

    Nothing is uploaded: the site sends what the seat is asked, and the bot answers from here. It
    may use any memory, and has the clock of a person. Ctrl-C cancels the game.
    """
    with failures_told():
        own = bot_named(bot)
        owner, slug = whole_name(site, opponent)
        chosen = ladder or only_ladder(site, owner, slug)
        games_of = {
            row["slug"]: row["variant"] for row in site.rows("ladders", most=LADDERS)["results"]
        }
        if chosen not in games_of:
            known = clean(", ".join(games_of))
            raise click.UsageError(f"the site has no ladder {chosen}; it has {known}")
        variant = find(games_of[chosen])
        check_variant([own], variant.slug)
        sides = [side] if side else list(dict.fromkeys(map(variant.side_of, variant.seats)))
        with leaving_nothing(), started(own):
            pass  # a bot that cannot start asks for no game
        results, status = Counter[str](), 0
        for number in range(games):
            body = {"bot": f"{owner}/{slug}", "ladder": chosen, "side": sides[number % len(sides)]}
            try:
                with leaving_nothing(), _asked_for(site, body) as match:
                    page = site.page(match["url"])
                    note(f"{own.name} as {body['side']}: {page}")
                    with RemoteGame(site, match["id"], bot=own, note=note) as game:
                        ended = game.play()
            except KeyboardInterrupt:
                note("The game is cancelled.")
                return INTERRUPTED
            if ended.fault:
                status = FAILED
                note(f"{own.name} resigned: {ended.fault}")
            results[result := _in_words(ended, body["side"])] += 1
            if as_json:
                told = {"termination": ended.termination, "fault": ended.fault}
                document({"match": page, "side": body["side"], "result": result, **told})
            else:
                ending = endings().get(ended.termination)
                by = ending.title.lower() if ending else ended.termination.replace("_", " ")
                say(f"{result}, {by}: {page}" if by else f"{result}: {page}")
    if games > 1 and not as_json:
        say(", ".join(f"{count} {result}" for result, count in results.items()))
    return status


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
