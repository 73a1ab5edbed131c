"""The sites of `pages`, and how long their pages take; imported when its settings are made."""

import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import django

django.setup()

from django.core.cache import cache, caches  # noqa: E402 - after the settings
from django.db import connection  # noqa: E402 - likewise
from django.test import Client, override_settings  # noqa: E402 - likewise
from django.utils import timezone  # noqa: E402 - likewise

from arena.domain.queue import metrics  # noqa: E402 - likewise
from arena.models import Ladder, Match, keyset  # noqa: E402 - likewise
from tests.world import big_site  # noqa: E402 - likewise

SITES = ("big", "small")
SMALL = (100, 5_000)  # bots and games
ASKED = 20  # times in a round
LATE = 0.95
OLD = 50  # matches before it
NO_ROW = 10**9  # beyond all ids and ranks
BUSIEST, BUSY, USUAL = "big1/bot2", "big2/bot4", "big20/bot40"

Ask = Callable[[], None]
_connections: dict[str, Any] = {}


def fill(*, bots: int, games: int) -> None:
    """Make both sites, each in a database with a connection that stays open."""
    for site, (some_bots, some_games) in zip(SITES, ((bots, games), SMALL), strict=True):
        connection.settings_dict["NAME"] = site
        connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
        big_site.fill(bots=some_bots, games=some_games, until=timezone.now())
        connection.ensure_connection()
        _connections[site] = connection.connection
        connection.connection = None


def figures(*, rounds: int) -> dict[str, dict[str, list[float]]]:
    """Return milliseconds by page, a figure for each round: ours of the big site."""
    found = {}
    asks = {site: _asks(site) for site in SITES}
    for page in asks[SITES[0]]:
        both = [_late_ms(*(asks[site][page] for site in SITES)) for _ in range(rounds)]
        ours, theirs = map(list, zip(*both, strict=True))
        found[page] = {"ours": ours, "theirs": theirs}
    return found


def _late_ms(*asks: Ask) -> list[float]:
    """Return the 95th percentile of each of some questions that are asked in turn."""
    times: list[list[float]] = [[] for _ in asks]
    for _ in range(ASKED):
        for ask, taken in zip(asks, times, strict=True):
            taken.append(_timed_ms(ask))
    return [sorted(taken)[int(LATE * (ASKED - 1))] for taken in times]


def _timed_ms(ask: Ask) -> float:
    began_s = time.perf_counter()
    ask()
    return 1000.0 * (time.perf_counter() - began_s)


def _asks(site: str) -> dict[str, Ask]:
    """Return what is asked of a site: pages, answers of the API, and the metrics."""
    _go_to(site)
    visitor = Client(SERVER_NAME="localhost")

    def page(address: str) -> Ask:
        def ask() -> None:
            _go_to(site)
            status = visitor.get(address, secure=True).status_code
            if status != HTTPStatus.OK:
                raise SystemExit(f"{address} of the {site} site answers {status}")

        return ask

    addresses = _addresses()
    leaderboard = page(addresses["leaderboard, first page"])

    def kept_leaderboard() -> None:
        with override_settings(VISITOR_PAGES_KEPT_S=60):
            leaderboard()

    def cold_metrics() -> None:
        _go_to(site)
        cache.clear()
        metrics.exposition()

    return {
        **{name: page(address) for name, address in addresses.items()},
        "leaderboard, kept for visitors": kept_leaderboard,
        "/metrics, cold": cold_metrics,
    }


def _addresses() -> dict[str, str]:
    """Return a page of each kind, and far places of long lists."""
    ladder = Ladder.objects.get(slug=big_site.LADDERS[0])
    ranked = ladder.entrants.ranked().order_by("-rating", "bot_id")
    middle = ranked[ranked.count() // 2]
    season = ladder.seasons.get()
    old = Match.objects.filter(pk__gt=Match.objects.earliest("pk").pk + OLD).earliest("pk")
    board = f"/ladders/{ladder.slug}/"
    return {
        "leaderboard, first page": board,
        "leaderboard, middle": f"{board}?after={keyset.written([0, middle.rating, middle.bot_id])}",
        "leaderboard, last page": f"{board}?before={keyset.written([2, NO_ROW])}",
        "season, last page": f"{season.get_absolute_url()}?before={keyset.written([NO_ROW, 1])}",
        "bots, last page": f"/bots/?before={keyset.written(['zzz', 'zzz'])}",
        "matches, first page": "/matches/",
        "matches before an old one": f"/matches/?before={old.public_id}",
        "queue": "/queue/",
        "bot": f"/bots/{USUAL}/",
        "busiest bot": f"/bots/{BUSIEST}/",
        "old version of the busiest bot": f"/bots/{BUSIEST}/versions/1/",
        "matches of the busiest bot": f"/matches/?bot={BUSIEST}",
        "head to head of two busy bots": f"/bots/{BUSIEST}/vs/{BUSY}/",
        "API bot": f"/api/v1/bots/{USUAL}",
        "API busiest bot": f"/api/v1/bots/{BUSIEST}",
        "API bots": "/api/v1/bots",
        "API leaderboard": f"/api/v1{board}entries",
    }


def _go_to(site: str) -> None:
    """Read the database and the cache of a site from now on."""
    connection.connection = _connections[site]
    caches["default"].key_prefix = site
