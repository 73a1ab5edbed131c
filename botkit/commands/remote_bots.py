"""A bot at home on the remote ladders of a site: it is online, and plays the matches that begin."""

import json
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from http import HTTPStatus
from typing import Any

import click

from botkit.commands import CommandFailed
from botkit.commands.output import clean, document, note, say
from botkit.exit_statuses import FAILED, INTERRUPTED, USAGE
from botkit.home import HomeBot
from botkit.processes import leaving_nothing
from botkit.remote import RemoteGames, Stopped, as_ended
from botkit.site import SiteClient, SiteProblem, SiteRefusal

MOST_JOBS = 8  # as a site takes them
Row = Mapping[str, Any]


def require_bot(site: SiteClient, owner: str, slug: str, *, variant: str, create: bool) -> None:
    """Look for a remote bot, and make it if that is wished for.

    `variant` is the short name of what a new one plays. Raise SiteProblem, CommandFailed and
    UsageError.
    """
    name = f"{owner}/{slug}"
    try:
        row = site.get("bots", owner, slug)
    except SiteRefusal as refusal:
        if refusal.status != HTTPStatus.NOT_FOUND:
            raise
        if not create:
            why = f"there is no bot {clean(name)} at {site.address}"
            raise CommandFailed(f"{why}. To make it, add --create --ladder LADDER", USAGE) from None
        row = site.post("bots", body={"name": slug, "slug": slug})
    if create and row["active_version"] is None:
        if not variant:
            raise click.UsageError("say with --ladder for which ladder the bot is made")
        site.post("bots", owner, slug, "versions", "remote", body={"variants": [variant]})
        note(f"Made the remote bot {name}: {site.page(row['url'])}")


class OnlineBot:
    """A bot that is online on a site as long as `serve` runs, and plays up to `jobs` matches."""

    def __init__(
        self, site: SiteClient, bot: HomeBot, name: str, *, jobs: int, as_json: bool
    ) -> None:
        """Do nothing yet. `name` is that of the remote bot: `owner/bot`."""
        self.results, self.status = Counter[str](), 0
        self._site, self._bot, self._name, self._jobs = site, bot, name, jobs
        self._as_json = as_json
        self._games = RemoteGames(site, bot=bot, note=note, is_named=jobs > 1)
        self._begun: dict[str, Future[None]] = {}

    def serve(self, most: int | None) -> int:
        """Play so many matches, or until Ctrl-C. Return the exit status. Raise SiteProblem.

        After the first Ctrl-C no match begins, and the second one leaves those that are played.
        """
        with leaving_nothing(), ThreadPoolExecutor(MOST_JOBS) as pool:
            try:
                ended = self._listen(pool, most)
                for match in as_ended(self._begun.values()):
                    match.result()
            except KeyboardInterrupt:
                self._leave()
                return INTERRUPTED
            except BaseException:
                self._leave()
                raise
        return ended or self.status

    def _listen(self, pool: ThreadPoolExecutor, most: int | None) -> int:
        """Begin matches until there are so many, or until Ctrl-C. Return the exit status."""
        stream = self._site.events("seats", "stream", bot=self._name, games=self._jobs)
        try:
            with closing(stream):
                is_online = False
                for kind, data in stream:
                    if kind != "matches":
                        continue
                    if not is_online:
                        note(f"{self._bot.name} is online as {self._name}. Ctrl-C ends that.")
                        is_online = True
                    for match in json.loads(data):
                        if match not in self._begun:
                            self._begun[match] = pool.submit(self._play, match)
                    if most is not None and len(self._begun) >= most:
                        return 0
        except KeyboardInterrupt:
            if any(not match.done() for match in self._begun.values()):
                note("No other match begins. Ctrl-C again leaves those that are played.")
        return INTERRUPTED

    def _leave(self) -> None:
        self._games.stop()
        if left := [match for match, game in self._begun.items() if not game.done()]:
            note(f"Left {', '.join(left)}. Start again soon to go on: the clock runs.")

    def _play(self, match: str) -> None:
        """Play a match, and tell how it ended."""
        try:
            page = self._site.page(f"/matches/{match}/")
            note(f"{self._bot.name} plays: {page}")
            ended = self._games.play(match)
            row = self._site.get("matches", match)
        except Stopped:
            return
        except SiteProblem as problem:
            self.status = FAILED
            note(f"{match}: {problem}")
            return
        if ended.fault:
            self.status = FAILED
            note(f"{self._bot.name} resigned in {page}: {ended.fault}")
        result = self._in_words(row)
        self.results[result] += 1
        if self._as_json:
            document({"match": page, "result": result, "fault": ended.fault})
        else:
            say(f"{result}: {page}")

    def _in_words(self, row: Row) -> str:
        if row["status"] != "finished":
            return "cancelled or void"
        points = {f"{one['owner']}/{one['bot']}": one["points"] for one in row["entrants"]}
        own = points.pop(self._name)
        best = max(points.values())
        return "won" if own > best else "lost" if own < best else "drawn"
