"""Where runners put what is watched of running games, and web processes read it.

A topic is one observer of one match. Web processes say which topics are watched, for a while, and
runners publish these and no others. The entries of a topic are one `start` and the `steps` after
it: a new `start` replaces all entries. Nothing here has to last. If it is lost, the runner starts
anew, and the match is none the worse.

Production uses the Redis of the broker. An embedded site has files in its data folder.
"""

import json
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from django.conf import settings

WATCHED_S = 30  # for so long a topic counts as watched after it was said
KEPT_S = 3600  # entries to which nothing is added
TIMEOUT_S = 1.0


class LiveLogAway(Exception):
    """The log cannot be reached now."""


@dataclass(frozen=True, slots=True)
class LiveEntry:
    """A part of a running game: its first picture and all steps until now, or further steps.

    `run` names who published it: a game that is played again has another one. `ply` is the last one
    in it. `data` is one line of JSON.
    """

    kind: str
    run: str
    game: int
    ply: int
    data: str
    id: str = ""  # that of the log


START, STEPS = "start", "steps"


class Reader(Protocol):
    """Reads topics, each entry once. One that is left out is forgotten."""

    def read(self, topics: Collection[str]) -> Mapping[str, list[LiveEntry]]:
        """Return the new entries of each topic that has some. Raise LiveLogAway."""


class LiveLog(Protocol):
    """The log as runners and web processes use it. Every method raises LiveLogAway."""

    def watch(self, topics: Iterable[str]) -> None:
        """Mark topics as watched, for WATCHED_S from now."""

    def watched(self, topics: Iterable[str]) -> set[str]:
        """Return those of the topics that are watched."""

    def put(self, topic: str, entry: LiveEntry) -> None:
        """Add an entry, which gets an id of its own. A `start` replaces what is there."""

    def reader(self) -> Reader:
        """Return a reader that has read nothing."""


@cache
def live_log() -> LiveLog:
    """Return the log of this site."""
    url = settings.CELERY_BROKER_URL
    if url.startswith(("redis://", "rediss://")):
        return RedisLog(url)
    return FileLog(Path(settings.DATA_DIR) / "live")


class RedisLog:
    """A stream of Redis for each topic, and a key for each that is watched."""

    def __init__(self, url: str) -> None:
        import redis  # noqa: PLC0415 - it loads OpenTelemetry, which an embedded site can do without

        self._problem: type[Exception] = redis.RedisError
        self._redis: Any = redis.Redis.from_url(
            url,
            decode_responses=True,
            socket_connect_timeout=TIMEOUT_S,
            socket_timeout=TIMEOUT_S,
        )

    def watch(self, topics: Iterable[str]) -> None:
        """Set the key of each topic."""
        with _known_as_away(self._problem), self._redis.pipeline(transaction=False) as pipe:
            for topic in topics:
                pipe.set(f"live:watch:{topic}", "", ex=WATCHED_S)
            pipe.execute()

    def watched(self, topics: Iterable[str]) -> set[str]:
        """Ask for the keys of the topics."""
        asked = list(topics)
        with _known_as_away(self._problem):
            values = self._redis.mget([f"live:watch:{topic}" for topic in asked])
        return {topic for topic, value in zip(asked, values, strict=True) if value is not None}

    def put(self, topic: str, entry: LiveEntry) -> None:
        """Add an entry to the stream of the topic."""
        key = f"live:log:{topic}"
        fields = asdict(entry)
        fields.pop("id")
        with _known_as_away(self._problem), self._redis.pipeline(transaction=True) as pipe:
            pipe.xadd(key, fields, maxlen=1 if entry.kind == START else None, approximate=False)
            pipe.expire(key, KEPT_S)
            pipe.execute()

    def reader(self) -> Reader:
        """Return a reader of streams."""
        return _RedisReader(self._redis, self._problem)


class _RedisReader:
    def __init__(self, server: Any, problem: type[Exception]) -> None:  # noqa: ANN401 - its types fit no stream
        self._redis, self._problem = server, problem
        self._seen: dict[str, str] = {}

    def read(self, topics: Collection[str]) -> Mapping[str, list[LiveEntry]]:
        self._seen = {topic: self._seen.get(topic, "0") for topic in topics}
        if not topics:
            return {}
        with _known_as_away(self._problem):
            streams = self._redis.xread(
                {f"live:log:{topic}": last for topic, last in self._seen.items()}
            )
        new = {}
        for key, rows in streams:
            topic = key.removeprefix("live:log:")
            new[topic] = [
                LiveEntry(
                    kind=put["kind"],
                    run=put["run"],
                    game=int(put["game"]),
                    ply=int(put["ply"]),
                    data=put["data"],
                    id=at,
                )
                for at, put in rows
            ]
            self._seen[topic] = rows[-1][0]
        return new


class FileLog:
    """Two files for each topic: what was published, and one that is new while it is watched.

    The first line of what was published says when it began, each other line is an entry.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def watch(self, topics: Iterable[str]) -> None:
        """Touch the files that say so."""
        with _known_as_away(OSError):
            self._folder.mkdir(mode=0o700, exist_ok=True)
            for topic in topics:
                (self._folder / f"{topic}.watch").touch(mode=0o600)

    def watched(self, topics: Iterable[str]) -> set[str]:
        """Look at how old the files are."""
        since_s = time.time() - WATCHED_S
        with _known_as_away(OSError):
            return {topic for topic in topics if self._touched_s(topic) >= since_s}

    def put(self, topic: str, entry: LiveEntry) -> None:
        """Write a line. With a `start`, another file takes the place of the file."""
        now = str(time.time_ns())
        line = json.dumps(asdict(replace(entry, id=now))) + "\n"
        path = self._folder / f"{topic}.log"
        with _known_as_away(OSError):
            if entry.kind == START:
                for old in self._folder.iterdir():
                    with suppress(FileNotFoundError):
                        if old.stat().st_mtime < time.time() - KEPT_S:
                            old.unlink()
                part = path.with_suffix(".part")
                part.write_text(f"{now}\n{line}", encoding="utf-8")
                part.replace(path)
            else:
                with path.open("a", encoding="utf-8") as file:
                    file.write(line)

    def reader(self) -> Reader:
        """Return a reader of files."""
        return _FileReader(self._folder)

    def _touched_s(self, topic: str) -> float:
        try:
            return (self._folder / f"{topic}.watch").stat().st_mtime
        except FileNotFoundError:
            return 0.0


class _FileReader:
    """Remembers of each file when it began, and how far it was read."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen: dict[str, tuple[bytes, int]] = {}

    def read(self, topics: Collection[str]) -> Mapping[str, list[LiveEntry]]:
        self._seen = {topic: self._seen.get(topic, (b"", 0)) for topic in topics}
        with _known_as_away(OSError):
            new = {topic: self._new_entries(topic) for topic in topics}
        return {topic: entries for topic, entries in new.items() if entries}

    def _new_entries(self, topic: str) -> list[LiveEntry]:
        try:
            file = (self._folder / f"{topic}.log").open("rb")
        except FileNotFoundError:
            return []
        with file:
            began = file.readline()
            known, offset = self._seen[topic]
            offset = offset if began == known else len(began)
            file.seek(offset)
            # Read at once: the end of a line that is half written now may come between two reads.
            whole, newline, _half = file.read().rpartition(b"\n")
        self._seen[topic] = (began, offset + len(whole + newline))
        return [LiveEntry(**json.loads(line)) for line in whole.splitlines()]


@contextmanager
def _known_as_away(problem: type[Exception]) -> Iterator[None]:
    try:
        yield
    except problem as exc:
        raise LiveLogAway(str(exc)) from exc
