"""Somebody who looks at the site all the time and writes down how it answers.

No answer is excused while the web server is down, 503 while the database is, from the moment before
it is killed until the first good answer that was asked for after its restart. Nothing else is.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import cycle
from typing import Self

import httpx2

PACE_S = 0.25
PATIENCE_S = 60.0  # for one answer: a busy machine
UNAVAILABLE = 503
ALWAYS = "/healthz"  # the one page that needs no database
PAGES = ("/", "/queue/", "/ladders/classic/", "/api/v1/matches", "/api/v1/ladders", ALWAYS)


class Excuses:
    """What has been killed and is not known to be back; `started_s(name)` says when it began."""

    def __init__(self, started_s: Callable[[str], float]) -> None:
        self._started_s = started_s
        self._killed_s: dict[str, float] = {}

    def expect(self, name: str) -> None:
        """Note, before it happens, that a program is about to be killed."""
        self._killed_s[name] = time.monotonic()

    def hold(self, name: str) -> bool:
        return name in self._killed_s

    def good(self, name: str, asked_s: float) -> None:
        """Hear that it served what was asked at a moment: it is back if it began after the kill."""
        killed_s = self._killed_s.get(name)
        if killed_s is not None and killed_s < self._started_s(name) < asked_s:
            self._killed_s.pop(name)


class Visitor:
    """Asks for one page after another until the end of the block.

    `counts` has the answers by kind, `complaints` those that nothing excuses.
    """

    def __init__(self, url: str, excuses: Excuses, pages: Sequence[str] = PAGES) -> None:
        self._pages = pages
        self._client = httpx2.Client(base_url=url, timeout=PATIENCE_S)
        self._excuses = excuses
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._look, name="visitor")
        self.counts: Counter[str] = Counter()
        self.complaints: list[str] = []

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self._end.set()
        self._thread.join()
        self._client.close()

    def _look(self) -> None:
        for page in cycle(self._pages):
            if self._end.wait(PACE_S):
                return
            self._visit(page)

    def _visit(self, page: str) -> None:
        asked_s = time.monotonic()
        try:
            answer = self._client.get(page)
        except httpx2.TransportError as why:
            self._note("silence", self._excuses.hold("web"), f"{page}: {why!r}")
            return
        if answer.status_code == UNAVAILABLE:
            self._note("503", self._excuses.hold("postgres") and page != ALWAYS, f"{page}: 503")
            return
        self._note("good", answer.is_success, f"{page}: {answer.status_code}")
        self._excuses.good("web", asked_s)
        if answer.is_success and page != ALWAYS:
            self._excuses.good("postgres", asked_s)

    def _note(self, kind: str, excused: bool, words: str) -> None:  # noqa: FBT001 - one of a row
        self.counts[kind if excused else "unexcused"] += 1
        if not excused:
            self.complaints.append(f"{time.strftime('%H:%M:%S')} {words}")
