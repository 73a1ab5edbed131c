"""Thousands of visitors in one process: each asks for a page, waits a moment, and asks again.

Who is refused comes again when the answer says. Nobody keeps a connection for the next page.
"""

import asyncio
import random
import re
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from statistics import median

from arena.embedded.tcp import LOOPBACK

PAGES = (
    *("/", "/queue/", "/bots/", "/matches/", "/ladders/", "/ladders/classic/", "/tournaments/"),
    *("/accounts/login/", "/docs/", "/api/v1/matches", "/api/v1/ladders", "/api/v1/bots"),
)
PAUSE_S = 1.0  # after a page
RETRY_AFTER = re.compile(rb"\r\nretry-after: (\d+)\r\n", re.IGNORECASE)
PATIENCE_S = 60.0  # for one answer


@dataclass
class Answers:
    """What visitors got: how many answers of each status, by page, and how long each took."""

    statuses: Counter[int] = field(default_factory=Counter)
    good: Counter[str] = field(default_factory=Counter)  # by page
    took_s: defaultdict[int, list[float]] = field(
        default_factory=lambda: defaultdict(list)
    )  # by status
    without_retry_after: int = 0
    broken: Counter[str] = field(default_factory=Counter)  # by what happened

    def note(self, page, status, head, took_s):
        self.statuses[status] += 1
        self.took_s[status].append(took_s)
        self.good[page] += status == 200
        self.without_retry_after += status == 503 and not RETRY_AFTER.search(head)

    def quantiles_s(self, status):
        """Return the median and the 99th percentile of the times of a status."""
        times = sorted(self.took_s[status]) or [0.0]
        return median(times), times[int(0.99 * (len(times) - 1))]


async def visit(ports, visitors, seconds, seed):
    """Have so many visitors, each with an address of its own, ask for so long."""
    answers = Answers()
    until_s = time.monotonic() + seconds
    crowd = (
        _visitor(number, ports[number % len(ports)], until_s, random.Random(seed + number), answers)
        for number in range(visitors)
    )
    await asyncio.gather(*crowd)
    return answers


async def _visitor(number, port, until_s, chance, answers):
    address = f"127.1.{number // 250}.{number % 250 + 1}"
    while time.monotonic() < until_s:
        page = chance.choice(PAGES)
        began_s = time.monotonic()
        try:
            async with asyncio.timeout(PATIENCE_S):
                status, head = await _ask(address, port, page)
        except (OSError, TimeoutError, ValueError, asyncio.IncompleteReadError) as exc:
            answers.broken[type(exc).__name__] += 1
            status, head = 0, b""
        answers.note(page, status, head, time.monotonic() - began_s)
        told = RETRY_AFTER.search(head)
        pause_s = int(told[1]) if told else PAUSE_S
        await asyncio.sleep(min(pause_s * (0.5 + chance.random()), until_s - time.monotonic()))


async def _ask(address, port, page):
    """Return the status and the head of an answer that came whole."""
    reader, writer = await asyncio.open_connection(LOOPBACK, port, local_addr=(address, 0))
    try:
        lines = (f"GET {page} HTTP/1.1", "Host: localhost", "Connection: close", "", "")
        writer.write("\r\n".join(lines).encode())
        head = await reader.readuntil(b"\r\n\r\n")
        sizes = [line for line in head.lower().split(b"\r\n") if b"content-length: " in line]
        await reader.readexactly(int(sizes[0].split()[1]))
        return int(head.split(b" ", 2)[1]), head
    except IndexError:
        raise ValueError(head) from None
    finally:
        writer.close()
