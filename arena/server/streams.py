"""Streams of running matches, of marks and of seats: open answers, and tailers that read for all.

A stream holds no thread and no connection to the database. It is a place in the list of entries
that all streams of its topic share, so a slow client needs no queue of its own. The tailer runs
while somebody watches. It reads the log of the runners in a thread of its own, and asks the
database with a thread of operators, which have connections.
"""

import asyncio
import contextlib
import json
import logging
import math
import time
from collections import Counter
from collections.abc import AsyncGenerator, Iterable, Mapping
from collections.abc import Set as AbstractSet
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from django.conf import settings
from django.db import close_old_connections

from arena import http_metrics
from arena.api.bots.views.seats import BotStream, SeatStream
from arena.domain import marks
from arena.domain.bots import person_games, remote_bots
from arena.domain.bots.person_games import News
from arena.domain.errors import DATABASE_IS_DOWN
from arena.domain.marks import Subject
from arena.domain.matches import live
from arena.domain.matches.live import MatchState
from arena.domain.matches.live_log import START, WATCHED_S, LiveEntry, LiveLogAway, live_log
from arena.event_streams import EventStream
from arena.server.threads import Surplus, Threads
from arena.web.event_streams import MarkStream
from arena.web.matches.views.live import MatchStream

logger = logging.getLogger(__name__)

READ_S = 0.3  # between two looks into the log
CHECK_S = 2.0  # between two questions to the database
WATCH_S = WATCHED_S / 3  # between two times of saying what is watched
HEARTBEAT_S = 15.0
ONLINE_S = 15.0  # between two times of noting that remote bots are online
LONGEST_S = 600.0  # then a client asks anew, and is checked anew
RETRY_MS = 2000
SPREAD_MS = 20  # for each watcher: over so long they shall spread when they ask for a page at once
MARK_SPREAD_MS = 100  # the same for pages that change again and again: 20 requests a second at most
# Kinds of entries that replace what is before, as a start does.
MARK, MESSAGE, MATCHES = "mark", "message", "matches"
OF_ONE_CLIENT = 32  # streams

Asked = tuple[Mapping[str, MatchState], Mapping[Subject, str]]
Place = tuple[int, int]  # the generation of a list of entries, and how many of it were sent


class _Channel:
    """What is known of one topic: the entries since its latest start."""

    def __init__(self) -> None:
        self.entries: list[LiveEntry] = []
        self.generation = 0
        self.watchers = 0
        self.is_behind = self.is_over = self.is_closed = False
        self.changed = asyncio.Event()
        self.news = 0  # changes of the status of the match or of the game that is played

    def add(self, entries: list[LiveEntry]) -> None:
        """Take new entries; a start replaces the older ones."""
        for entry in entries:
            if entry.kind in (START, MARK, MESSAGE, MATCHES):
                self.entries = []
                self.generation += 1
            elif not self.entries or self.entries[0].run != entry.run:
                continue  # of a runner that has lost the match, or without a beginning
            self.entries.append(entry)
        self.tell()

    def place_after(self, event_id: str) -> Place | None:
        """Return the place after an event, or the beginning if the event is not here.

        Return None as long as nothing is here.
        """
        if not self.entries:
            return None
        ids = [entry.id for entry in self.entries]
        return self.generation, ids.index(event_id) + 1 if event_id in ids else 0

    def since(self, place: Place | None) -> tuple[list[LiveEntry], Place | None]:
        """Return what follows a place, and the place after it."""
        if place is None:
            return [], None
        generation, sent = place
        new = self.entries[sent if generation == self.generation else 0 :]
        return new, (self.generation, len(self.entries))

    def tell(self) -> None:
        """Wake the streams."""
        self.changed.set()
        self.changed = asyncio.Event()


class _MatchChannel(_Channel):
    """The moves of a match. The entries come from its runner."""

    def __init__(self, stream: MatchStream) -> None:
        super().__init__()
        self.match_id, self.release = stream.match_id, stream.release
        self._status: tuple[str, int] | None = None  # at the last check
        self._noted = (0, 0)  # how far the game was in the database at the last check

    def check(self, state: MatchState | None, *, is_away: bool) -> None:
        """Compare with the database: what has changed, who may see it, and what is missing here.

        More than what was published may have happened since the last check, but not since the one
        before it.
        """
        before = (self.is_over, self.is_closed, self.is_behind, self.news)
        if state is None or not state.is_open:
            self.is_over = True
        elif state.release != self.release:
            self.is_closed = True
        else:
            status = (state.status, state.game)
            self.news += self._status not in (None, status)
            self._status = status
            last = self.entries[-1] if self.entries else None
            here = (last.game, last.ply) if last else (0, 0)
            now = (state.game, state.ply)
            then, self._noted = self._noted, now
            self.is_behind = is_away or (min(then, now) > here and then[1] > 0)
        if before != (self.is_over, self.is_closed, self.is_behind, self.news):
            self.tell()


class _MarkChannel(_Channel):
    """The mark of a page: one entry, which says nothing but that it is another one."""

    def __init__(self, stream: MarkStream) -> None:
        super().__init__()
        self.subject = stream.subject

    def check(self, mark: str | None) -> None:
        """Note the mark. Without one, the stream ends, and its clients are checked anew."""
        if mark is None:
            self.is_closed = True
            self.tell()
        elif not self.entries or self.entries[0].id != mark:
            spread = json.dumps({"spread_ms": MARK_SPREAD_MS * self.watchers})
            self.add([LiveEntry(MARK, run=mark, game=0, ply=0, data=spread, id=mark)])


class _SeatChannel(_Channel):
    """What a program at home is asked: one entry, the latest question."""

    def __init__(self, stream: SeatStream) -> None:
        super().__init__()
        self.seat = stream.seat
        self.number = 0  # of the question

    def check(self, news: News | None) -> None:
        """Note what the program is told now; None as long as nothing was asked."""
        if news is None:
            return
        if news.data:
            self.number, number = news.number, str(news.number)
            self.add([LiveEntry(MESSAGE, run=number, game=0, ply=0, data=news.data, id=number)])
        if news.is_over:
            self.is_over = True
            self.tell()


class _BotChannel(_Channel):
    """The matches of a remote bot: one entry, the ids of those that are played now."""

    def __init__(self, stream: BotStream) -> None:
        super().__init__()
        self.bot, self.games = stream.bot, stream.games

    def check(self, matches: list[str] | None) -> None:
        """Note the matches; None if nothing is known of them now."""
        data = json.dumps(matches)
        if matches is not None and (not self.entries or self.entries[0].data != data):
            mark = ".".join(matches) or "none"
            self.add([LiveEntry(MATCHES, run=mark, game=0, ply=0, data=data, id=mark)])


class Streams:
    """The open streams of this process."""

    def __init__(self) -> None:
        self._channels: dict[str, _Channel] = {}
        self._clients: Counter[str] = Counter()
        self._tailer: asyncio.Task[None] | None = None
        self._seats_tailer: asyncio.Task[None] | None = None

    def has_room_for(self, client: str) -> bool:
        """Return whether one more stream may open, and for this client."""
        return self._clients.total() < settings.STREAMS and self._clients[client] < OF_ONE_CLIENT

    async def events(
        self, stream: EventStream, *, client: str, threads: Threads
    ) -> AsyncGenerator[bytes]:
        """Yield the events of a stream until its match is over. `threads` may ask the database."""
        channel = self._channels.get(stream.topic)
        if channel is None:
            channel = self._channels[stream.topic] = _channel_of(stream)
        channel.watchers += 1
        self._clients[client] += 1
        http_metrics.STREAMS.inc()
        if self._tailer is None or self._tailer.done():
            self._tailer = asyncio.create_task(self._tail(threads))
        is_home = isinstance(channel, _SeatChannel | _BotChannel)
        if is_home and (self._seats_tailer is None or self._seats_tailer.done()):
            self._seats_tailer = asyncio.create_task(self._tail_seats(threads))
        try:
            async for event in _follow(channel, stream.after):
                yield event
        finally:
            http_metrics.STREAMS.dec()
            channel.watchers -= 1
            self._clients[client] -= 1
            self._clients += Counter()  # drop those that have nothing left

    def end(self) -> None:
        """End all streams, because the server ends."""
        for channel in self._channels.values():
            channel.is_closed = True
            channel.tell()

    async def _tail(self, threads: Threads) -> None:
        tailer = _Tailer(threads)
        while True:
            # Only here, so that the reader forgets a topic before it is asked for again.
            self._channels = {
                topic: channel for topic, channel in self._channels.items() if channel.watchers
            }
            if not self._channels:
                return
            try:
                await tailer.round(dict(self._channels))
            except Exception:  # the streams would wait for ever
                logger.exception("tailer_failed")
            await asyncio.sleep(READ_S)

    async def _tail_seats(self, threads: Threads) -> None:
        """Ask the database for all seats and remote bots at once, and keep no match waiting."""
        told_s, online = -math.inf, set[int]()  # when bots were noted as online, and which
        while True:
            watched = [channel for channel in self._channels.values() if channel.watchers]
            seats = [channel for channel in watched if isinstance(channel, _SeatChannel)]
            bots = [channel for channel in watched if isinstance(channel, _BotChannel)]
            if not (seats or bots or online):  # nobody can have come between this and the end
                return
            games = {bot.bot: bot.games for bot in bots}
            is_due = online != games.keys() or time.monotonic() - told_s > ONLINE_S
            known = {seat.seat: seat.number for seat in seats}
            ask = partial(_ask_of_home, known, games, online - games.keys(), is_due=is_due)
            try:
                news, matches = await threads.run(ask)
            except (Surplus, *DATABASE_IS_DOWN):
                news, matches = {}, {}
            except Exception:  # the streams would wait for ever
                logger.exception("tailer_failed")
                news, matches = {}, {}
            else:
                online = set(games)
                told_s = time.monotonic() if is_due else told_s
            for seat in seats:
                seat.check(news.get(seat.seat))
            for bot in bots:
                bot.check(matches.get(bot.bot))
            await asyncio.sleep(READ_S)


class _Tailer:
    """Reads for all channels of a process."""

    def __init__(self, threads: Threads) -> None:
        self._threads = threads
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="tailer")
        self._reader = live_log().reader()
        self._watched: set[str] = set()
        self._watch_s = self._check_s = 0.0  # when it is time again
        self._is_away = False

    async def round(self, channels: Mapping[str, _Channel]) -> None:
        """Read what is new, and from time to time ask the database."""
        now_s = time.monotonic()
        is_due = now_s >= self._check_s
        matches = {
            topic: channel
            for topic, channel in channels.items()
            if isinstance(channel, _MatchChannel)
        }
        pages = [channel for channel in channels.values() if isinstance(channel, _MarkChannel)]
        answers = await self._asked(matches.values(), pages) if is_due else None  # before the log
        new = await asyncio.get_running_loop().run_in_executor(
            self._thread, self._read, frozenset(matches)
        )
        for topic, entries in new.items():
            matches[topic].add(entries)
        if is_due:
            self._check_s = now_s + CHECK_S
        if answers is not None:
            states, seen = answers
            for match in matches.values():
                match.check(states.get(match.match_id), is_away=self._is_away)
            for page in pages:
                page.check(seen.get(page.subject))

    def _read(self, topics: AbstractSet[str]) -> Mapping[str, list[LiveEntry]]:
        try:
            if time.monotonic() >= self._watch_s:
                self._watch_s = time.monotonic() + WATCH_S
                self._watched = set()
            if new := topics - self._watched:
                live_log().watch(new)
            self._watched = set(topics)
            entries = self._reader.read(topics)
        except LiveLogAway as why:
            if not self._is_away:
                logger.warning("live_log_away", extra={"why": str(why)})
            self._is_away, self._watched = True, set()
            return {}
        self._is_away = False
        return entries

    async def _asked(
        self, matches: Iterable[_MatchChannel], pages: Iterable[_MarkChannel]
    ) -> Asked | None:
        """Return what the database says, or None if it cannot be asked now."""
        match_ids = {channel.match_id for channel in matches}
        subjects = {channel.subject for channel in pages}
        try:
            return await self._threads.run(partial(_ask, match_ids, subjects))
        except (Surplus, *DATABASE_IS_DOWN):
            return None


def _ask_of_home(
    known: Mapping[int, int], games: Mapping[int, int], gone: AbstractSet[int], *, is_due: bool
) -> tuple[dict[int, News], dict[int, list[str]]]:
    """Return the news of seats, and the matches of bots; if it `is_due`, say who is online."""
    try:
        if gone:
            remote_bots.go_offline(bots_pks=gone)
        if games and is_due:
            remote_bots.keep_online(games=games)
        matches = remote_bots.begun(of=games) if games else {}
        return person_games.news(known=known) if known else {}, matches
    finally:
        close_old_connections()


def _ask(match_ids: AbstractSet[str], subjects: AbstractSet[Subject]) -> Asked:
    try:
        states = live.states(match_ids=match_ids) if match_ids else {}
        return states, marks.marks(subjects=subjects)
    finally:
        close_old_connections()


def _channel_of(stream: EventStream) -> _Channel:
    match stream:
        case MatchStream():
            return _MatchChannel(stream)
        case MarkStream():
            return _MarkChannel(stream)
        case SeatStream():
            return _SeatChannel(stream)
        case BotStream():
            return _BotChannel(stream)
        case _:
            raise TypeError(stream)


async def _follow(channel: _Channel, after: str) -> AsyncGenerator[bytes]:
    now_s = asyncio.get_running_loop().time
    until_s, beat_s = now_s() + LONGEST_S, now_s() + HEARTBEAT_S
    place, was_behind, news = None, False, channel.news
    yield f"retry: {RETRY_MS}\n\n".encode()
    while True:
        changed = channel.changed
        place = place or channel.place_after(after)
        new, place = channel.since(place)
        lines = [f"id: {entry.id}\nevent: {entry.kind}\ndata: {entry.data}\n\n" for entry in new]
        if channel.is_behind != was_behind:
            was_behind = channel.is_behind
            lines.append(f"event: behind\ndata: {str(was_behind).lower()}\n\n")
        if channel.is_over or channel.news != news:
            news = channel.news
            kind = "over" if channel.is_over else "changed"
            spread = {"spread_ms": SPREAD_MS * channel.watchers}
            lines.append(f"event: {kind}\ndata: {json.dumps(spread)}\n\n")
        if not lines and now_s() >= beat_s:
            lines.append(": still here\n\n")
        if lines:
            yield "".join(lines).encode()
            beat_s = now_s() + HEARTBEAT_S
        if channel.is_over or channel.is_closed or now_s() >= until_s:
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(beat_s):
                await changed.wait()
