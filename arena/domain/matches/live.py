"""Running matches as they are watched: who may see which view, and what a runner publishes.

What a game publishes for an observer is the document of `engine.replay` in parts, without its
result. So nobody learns more from a running game than from its replay in the same view.
"""

import json
import logging
import secrets
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.domain.accounts import permissions
from arena.domain.matches.live_log import START, STEPS, LiveEntry, LiveLog, LiveLogAway
from arena.models import Game, GameStatus, Match, MatchEntrant, Viewer
from engine import registry
from engine.record import Played
from engine.replay import Unfolding, extend
from engine.variant import PUBLIC

logger = logging.getLogger(__name__)

STEP_S = 0.25  # between two looks at who watches
AWAY_PAUSE_S = 10.0  # before the log is tried again


def topic(*, match_id: str, perspective: str) -> str:
    """Return the name under which a perspective on a match is published."""
    return f"{match_id}:{perspective}"


def own_perspective(*, position: int) -> str:
    """Return the name of what the entrant at a position sees, whatever its seat in a game is."""
    return f"bot-{position}"


def perspectives(*, match: Match, viewer: Viewer) -> dict[str, MatchEntrant | None]:
    """Return from where somebody who may see a running match may look at it.

    Everybody looks as the public does. Who owns a bot may look at its own seat too, and staff see
    no more than others.
    """
    return {PUBLIC: None} | {
        own_perspective(position=entrant.position): entrant
        for entrant in match.entrants.all()
        if permissions.may_edit_bot(viewer, entrant.version.bot)
    }


def observers(*, seats: Mapping[str, int], in_turn: Sequence[str]) -> dict[str, str]:
    """Return the observer of a game for each perspective: the public, or the entrant's first seat.

    `seats` are those of the game, with the positions of their entrants.
    """
    held = {
        own_perspective(position=seats[seat]): seat for seat in reversed(in_turn) if seat in seats
    }
    return {PUBLIC: PUBLIC, **held}


class Broadcast:
    """Publishes a game that is being played, to those who watch it. No call raises.

    Call it often with all actions until now. It acts at most every STEP_S. For a perspective that
    nobody watches, it makes no view.
    """

    def __init__(self, *, log: LiveLog, game: Game, rng_seed: int) -> None:
        match = game.match
        self._variant = registry.find(match.ladder.variant)
        self._options = registry.resolve_options(self._variant, match.ladder.options)
        self._log, self._rng_seed, self._number = log, rng_seed, game.number
        self._observers = {
            topic(match_id=match.public_id, perspective=perspective): observer
            for perspective, observer in observers(
                seats=game.seats, in_turn=self._variant.seats
            ).items()
        }
        self._run = secrets.token_hex(8)
        self._shown: dict[str, Unfolding] = {}
        self._next_s = 0.0

    def __call__(self, actions: Sequence[Played]) -> None:
        """Publish what is new, if it is time."""
        if time.monotonic() >= self._next_s:
            self.publish(actions)

    def publish(self, actions: Sequence[Played]) -> None:
        """Publish what is new, to those who watch."""
        self._next_s = time.monotonic() + STEP_S
        try:
            watched = self._log.watched(self._observers)
            # Whoever comes back after a while finds the game from its beginning on.
            self._shown = {to: shown for to, shown in self._shown.items() if to in watched}
            for to in sorted(watched):
                self._publish(to, actions)
        except LiveLogAway as why:
            logger.warning("live_log_away", extra={"why": str(why)})
            self._begin_again_later()
        except Exception:  # a picture that fails must cost no match
            logger.exception("live_failed", extra={"game": self._number})
            self._begin_again_later()

    def _begin_again_later(self) -> None:
        self._shown.clear()
        self._next_s = time.monotonic() + AWAY_PAUSE_S

    def _publish(self, to: str, actions: Sequence[Played]) -> None:
        if game := self._shown.get(to):
            more = game.steps(actions, line=None)
            if more["steps"]:
                self._put(to, STEPS, more, more["steps"][-1]["ply"])
            return
        state = self._variant.begin(self._options, self._rng_seed)
        game = Unfolding(self._variant, state, self._observers[to])
        if not game.open(actions):
            return  # the seats deploy, of which nobody is told before all have
        document = game.first(line=None)
        extend(document, game.steps(actions, line=None))
        self._put(to, START, document, document["plies"])
        self._shown[to] = game

    def _put(self, to: str, kind: str, document: Mapping[str, Any], ply: int) -> None:
        data = json.dumps({"game": self._number, **document}, separators=(",", ":"))
        self._log.put(to, LiveEntry(kind, self._run, self._number, ply, data))


@dataclass(frozen=True, slots=True)
class MatchState:
    """What streams have to know of a match: its status, who sees it, and how far it is."""

    status: str
    release: str
    game: int = 0  # the one that is being played
    ply: int = 0

    @property
    def is_open(self) -> bool:
        """Whether the match may still be played."""
        return self.status in Match.OPEN


def states(*, match_ids: Collection[str]) -> dict[str, MatchState]:
    """Return the states of some matches, from one query. One that does not exist is left out."""
    by_match: dict[str, MatchState] = {}
    rows = Match.objects.filter(public_id__in=match_ids).values_list(
        "public_id", "status", "release", "games__status", "games__number", "games__plies"
    )
    for match_id, status, release, game_status, number, plies in rows:
        is_running = game_status == GameStatus.RUNNING
        if match_id not in by_match or is_running:
            game, ply = (number, plies) if is_running else (0, 0)
            by_match[match_id] = MatchState(status, release, game, ply)
    return by_match
