"""The site of this process behind its own web server, and clients that watch running matches."""

import json
import ssl
import threading
import time
from contextlib import contextmanager
from typing import Any

import httpx2
import uvicorn
from django.test import Client

from arena.domain.matches import leases, lifecycle, live_log
from arena.domain.matches.live import Broadcast
from arena.embedded.tcp import LOOPBACK, listening_socket
from arena.models import Match
from arena.server.bodies import BodyLimits
from arena.server.connections import BoundedConnection, BoundedServer
from arena.server.handler import BoundedHandler
from arena.server.proxies import TrustedProxies
from tests.factories import claim
from tests.integration.web.played import finish_games, random_record
from tests.waiting import until

PLAIN = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # trusts nobody: no authorities are read for it
ENOUGH_S = 60.0  # for a busy machine; nothing here takes a tenth of it on an idle one


@contextmanager
def served():
    """Serve the site with its few threads, and yield its address."""
    listener = listening_socket(0, LOOPBACK)
    app = TrustedProxies(BodyLimits(BoundedHandler()), count=0)
    server = BoundedServer(
        uvicorn.Config(
            app,
            http=BoundedConnection,
            ws="none",
            proxy_headers=False,
            lifespan="off",
            log_config=None,
        )
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        until(lambda: server.started, "the server has started")
        yield f"http://{LOOPBACK}:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(ENOUGH_S)
        listener.close()
        assert not thread.is_alive()


def ask(url, method="GET", **options):
    """Return the answer of a served site."""
    return httpx2.request(method, url, timeout=ENOUGH_S, verify=PLAIN, **options)


def cookies_of(user):
    client = Client()
    client.force_login(user)
    return f"sessionid={client.cookies['sessionid'].value}"


class RunningGame:
    """The first game of a match, played as far as a test says, by a runner that is this process."""

    def __init__(self, match, rng_seed=8):  # whose first 25 plies reveal nothing
        self.match, self.lease = match, claim(match)
        self.game = match.games.get(number=1)
        self.game.match = match
        self.actions = random_record(match.ladder.variant, rng_seed).actions
        self.known = 0
        lifecycle.begin_game(lease=self.lease, game=self.game)
        self.broadcast = Broadcast(log=live_log.live_log(), game=self.game, rng_seed=rng_seed)

    @property
    def url(self):
        return f"/matches/{self.match.public_id}/live/"

    @property
    def plies(self):
        """How many plies there are, without the set-up of two seats."""
        return max(0, self.known - 2)

    def play(self, plies):
        """Play on, publish it, and then note it: so no test meets a stream that is behind."""
        self.known += plies + (2 if not self.known else 0)
        self.publish()
        lifecycle.note_progress(lease=self.lease, game=self.game, plies=self.plies)

    def publish(self):
        self.broadcast.publish(self.actions[: self.known])

    def publish_once_watched(self, perspective="public"):
        """Wait until a web server says that somebody watches."""
        topic = f"{self.match.public_id}:{perspective}"
        until(lambda: live_log.live_log().watched([topic]), "somebody watches")
        self.publish()

    def finish(self):
        """End all games of the match and rate it."""
        finish_games(self.lease, self.match)
        self.match = Match.objects.get(pk=self.match.pk)

    def leave(self):
        """Hand the match to another runner."""
        leases.leave(lease=self.lease, status=Match.Status.QUEUED)


class Watcher:
    """An open stream, and the events that have come until now."""

    def __init__(self, lines):
        self.events, self._lines = [], lines

    def read_until(self, kind, count=1):
        """Read up to the `count`-th event of a kind from here on. Return what was read."""
        deadline_s, read, fields = time.monotonic() + ENOUGH_S, list[tuple[str, str, Any]](), {}
        for line in self._lines:
            assert time.monotonic() < deadline_s, read
            if line and not line.startswith(":"):
                name, _, value = line.partition(": ")
                fields[name] = value
            elif fields:
                event, fields = fields, {}
                if "event" in event:
                    read.append((event["event"], event.get("id", ""), json.loads(event["data"])))
                    count -= event["event"] == kind
            if not count:
                break
        self.events += read
        return read

    def has_ended(self):
        """Wait for the end of the stream. Return what came before it."""
        return self.read_until("nothing")


@contextmanager
def watching(url, *, after="", view="", cookies=None, token=None):
    """Open a stream. The token is a header."""
    headers = {**({"Last-Event-ID": after} if after else {}), **(token or {})}
    if cookies:
        headers["Cookie"] = cookies
    address = f"{url}?view={view}" if view else url
    opened = httpx2.stream("GET", address, headers=headers, timeout=ENOUGH_S, verify=PLAIN)
    with opened as response:
        assert response.status_code == 200
        assert response.headers["content-type"] == "text/event-stream"
        yield Watcher(response.iter_lines())
