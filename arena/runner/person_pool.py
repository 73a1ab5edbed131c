"""The games of persons and of remote bots, in a process of their own beside the jobs of the runner.

A person may think for minutes. So these games take none of the slots of a runner, and have a few of
their own on its host. The process starts when somebody waits, and ends when nobody has for a while.
"""

import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache

from django.conf import settings
from django.db import connection

from arena.domain.bots import person_games, remote_bots
from arena.domain.errors import DATABASE_IS_DOWN
from arena.domain.matches.leases import Lease
from arena.runner import outages, play, programs

logger = logging.getLogger(__name__)
Claim = Callable[[], Lease | None]

LOOK_S = 1.0  # between two looks for who waits
IDLE_S = 60.0
KINDS = (  # how a game is claimed, and how many are played at the same time
    (person_games.claim, settings.PERSON_GAMES),
    (remote_bots.claim, settings.REMOTE_GAMES),
)
MOST = settings.PERSON_GAMES + settings.REMOTE_GAMES


@cache
def start() -> None:
    """Look for who waits, as long as this process lives, and start the process for them."""
    if MOST:
        threading.Thread(target=_watch, daemon=True).start()


def serve() -> None:
    """Play the games until nobody has waited for a while, or the runner has ended."""
    runner, free_since_s = os.getppid(), time.monotonic()
    games: dict[Future[None], Claim] = {}
    with ThreadPoolExecutor(MOST) as pool:
        while games or time.monotonic() - free_since_s < IDLE_S:
            if os.getppid() != runner:
                os._exit(1)  # the containers end with it, and another runner takes the games
            games = {game: kind for game, kind in games.items() if not game.done()}
            before = len(games)
            for claim, most in KINDS:
                has_room = sum(kind is claim for kind in games.values()) < most
                if has_room and (lease := outages.retried(claim)()):
                    games[pool.submit(_play, lease)] = claim
            if len(games) > before:
                continue
            if games:
                free_since_s = time.monotonic()
            time.sleep(LOOK_S)
    programs.close()


def _play(lease: Lease) -> None:
    """Open and close the table in one thread, which bots without a container need."""
    try:
        play.play(lease=lease, bot_clock_s={})
    finally:
        connection.close()


def _watch() -> None:
    while True:
        try:
            is_waiting = bool(
                (settings.PERSON_GAMES and person_games.is_waiting())
                or (settings.REMOTE_GAMES and remote_bots.is_waiting())
            )
        except DATABASE_IS_DOWN as why:
            logger.warning("database_away", extra={"why": str(why)})
            is_waiting = False
        connection.close()  # a fork must find none that is open
        if is_waiting:
            own = [sys.executable, "-m", "django", "person_games"]  # which calls `serve`
            subprocess.run(own, check=False)  # noqa: S603 - a program of ours
        time.sleep(LOOK_S)
