"""A cache of what is made from records: a finished game never changes, and it is slow to play."""

import gzip
import json
from functools import lru_cache
from typing import Any

from arena.domain.matches import replays
from arena.models import Game
from engine.story import Story

KEPT = 512  # about 10 kB each
KEPT_STORIES = 32  # they are not packed


def document(game: Game, view: str) -> dict[str, Any]:
    """Return the replay of a game for an observer. Raise Refused."""
    words: dict[str, Any] = json.loads(gzip.decompress(packed(game, view)))
    return words


def packed(game: Game, view: str) -> bytes:
    """Return the same replay as JSON compressed with gzip. Raise Refused."""
    return _packed(_Key(game), view)


def story(game: Game) -> Story:
    """Return the story of a game. Raise Refused."""
    return _story(_Key(game))


class _Key:
    """A game as a cache key: its public URL, which is never reused."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.name = (game.match.public_id, game.number, game.status)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


@lru_cache(maxsize=KEPT)
def _packed(key: _Key, view: str) -> bytes:
    words = replays.replay(game=key.game, view=view)
    return gzip.compress(json.dumps(words, separators=(",", ":")).encode(), mtime=0)


@lru_cache(maxsize=KEPT_STORIES)
def _story(key: _Key) -> Story:
    return replays.story(game=key.game)
