"""500 open streams of a running match before one web process, and pages beside them.

    python -m tools.services run -- python -m tests.e2e.server.watchers

prints what the streams cost: memory, CPU time, threads, connections to the database, and the time
of a page without streams, with idle ones and while the game moves. The status is 1 if a stream
missed a move or ended, or if a page was not answered.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import psycopg

from arena.embedded.tcp import LOOPBACK
from tests.e2e.server.serving import ENOUGH_S, Server, environment
from tests.tree import ROOT
from tools.services.stores import remove

NAME = "watched"
PAGE = "/matches/"
PAGE_PAUSE_S = 0.2
LAST_MOVE_S = 5.0
OF_ONE_ADDRESS = 25
COUNT = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()"
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Stream:
    """One who watches, and keeps the last that came."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    last: bytes = b""
    begun: int = 0
    has_ended: bool = False

    async def read(self):
        while line := await self.reader.readline():
            if line.startswith(b'data: {"game"'):
                self.last = line
            self.begun += line.startswith(b"event: start")
        self.has_ended = True

    @property
    def ply(self):
        """The last ply of the game that has come."""
        part = json.loads(self.last.removeprefix(b"data: "))
        return part["steps"][-1]["ply"]


@dataclass
class Phase:
    """What was measured in one part of the run."""

    name: str
    pages_s: list[float] = field(default_factory=list)
    refused: int = 0
    cpu_s: float = 0.0
    took_s: float = 0.0
    resident_mb: float = 0.0
    connections: int = 0
    threads: int = 0

    def __str__(self):
        pages_ms = [1000 * each for each in self.pages_s]
        p95_ms = statistics.quantiles(pages_ms, n=20)[-1]
        return (
            f"{self.name:24} {self.resident_mb:5.0f} MB, {100 * self.cpu_s / self.took_s:5.1f} % of"
            f" a core, page {statistics.median(pages_ms):4.0f} ms (p95 {p95_ms:4.0f}),"
            f" {self.threads} threads, {self.connections} connections, {self.refused} refused"
        )


def cpu_s(server):
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


async def measure(server, url, seconds, name, play=None):
    """Ask for a page again and again, and let the game move if `play` does that."""
    phase, began_s, used_s = Phase(name), time.monotonic(), cpu_s(server)
    async with httpx2.AsyncClient(timeout=ENOUGH_S) as visitor:
        while time.monotonic() - began_s < seconds:
            asked_s = time.monotonic()
            answer = await visitor.get(f"{server.url}{PAGE}")
            phase.pages_s.append(time.monotonic() - asked_s)
            phase.refused += answer.status_code != 200
            if play:
                await asyncio.to_thread(play)
            await asyncio.sleep(PAGE_PAUSE_S)
    phase.took_s = time.monotonic() - began_s
    phase.cpu_s = cpu_s(server) - used_s
    look(server, url, phase)
    return phase


def look(server, url, phase):
    """Note what the process and the database have now."""
    phase.resident_mb = server.resident_bytes / 1e6
    phase.threads = len(list(Path(f"/proc/{server.process.pid}/task").iterdir()))
    with psycopg.connect(url) as operator:
        [(phase.connections,)] = operator.execute(COUNT, [NAME])


async def opened(server, path, number):
    """Open a stream from one of many addresses of this machine, as one may have 32."""
    reader, writer = await asyncio.open_connection(
        LOOPBACK,
        server.port,
        local_addr=(f"127.0.1.{1 + number // OF_ONE_ADDRESS}", 0),
        limit=2**22,
    )
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    head = await reader.readuntil(b"\r\n\r\n")
    if b" 200 " not in head:
        raise SystemExit(head.decode())
    return Stream(reader, writer)


async def watch(server, url, game, count, seconds):
    """Return the phases, and the streams after a last move."""

    def play():
        game.play(1)

    phases = [await measure(server, url, seconds, "without streams")]
    streams = [await opened(server, game.url, number) for number in range(count)]
    reading = [asyncio.create_task(stream.read()) for stream in streams]
    await asyncio.to_thread(game.publish_once_watched)
    phases.append(await measure(server, url, seconds, f"{count} idle streams"))
    phases.append(await measure(server, url, seconds, f"{count} streams, moving", play))
    await asyncio.wait(reading, timeout=LAST_MOVE_S)
    ended = sum(stream.has_ended for stream in streams)
    missed = sum(stream.ply != game.plies for stream in streams)
    begun = sum(stream.begun for stream in streams)
    for task, stream in zip(reading, streams, strict=True):
        task.cancel()
        stream.writer.close()
    phases.append(await measure(server, url, seconds, "after all have left"))
    return (
        phases,
        f"{begun} beginnings, {ended} streams ended, {missed} missed a move",
        ended + missed,
    )


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.server.watchers")
    parser.add_argument("--streams", type=int, default=500, help="(500)")
    parser.add_argument("--seconds", type=float, default=30.0, help="of each part (30)")
    given = parser.parse_args()
    postgres, broker = (os.environ[f"DRAPEAU_TEST_{one}_URL"] for one in ("POSTGRES", "REDIS"))
    folder = Path(tempfile.mkdtemp(prefix="drapeau-watchers-"))
    url = urlsplit(postgres)._replace(path=f"/{NAME}").geturl()
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {NAME}")
    try:
        return _run(given, folder, {"DATABASE_URL": url, "DRAPEAU_BROKER_URL": broker})
    finally:
        with psycopg.connect(postgres, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {NAME} WITH (FORCE)")
        remove(folder)


def _run(given, folder, variables):
    migrate = (sys.executable, "manage.py", "migrate", "--no-input", "--verbosity", "0")
    subprocess.run(migrate, check=True, cwd=ROOT, env=environment(folder, **variables))
    os.environ.update(environment(folder, **variables), DJANGO_SETTINGS_MODULE="tests.settings")
    import django  # noqa: PLC0415 - its settings are named now

    django.setup()
    from tests.factories import get_ladder, make_match  # noqa: PLC0415 - needs Django
    from tests.integration.server.served import RunningGame  # noqa: PLC0415 - the same

    server = Server(folder, **variables, DRAPEAU_STREAMS=str(given.streams))
    try:
        game = RunningGame(make_match(ladder=get_ladder("classic")), rng_seed=3)
        game.play(1)
        phases, came, failed = asyncio.run(
            watch(server, variables["DATABASE_URL"], game, given.streams, given.seconds)
        )
    finally:
        server.end()
    for phase in phases:
        sys.stdout.write(f"{phase}\n")
    sys.stdout.write(f"{game.plies} plies; {came}\n")
    return int(bool(failed or any(phase.refused for phase in phases)))


if __name__ == "__main__":
    sys.exit(main())
