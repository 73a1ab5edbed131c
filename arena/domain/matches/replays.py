"""Replays and records of games, for pages and the API."""

import json
from typing import Any

from django.utils.translation import gettext as _

from arena.domain.errors import Refused
from arena.domain.matches import records
from arena.models import Game
from engine import registry
from engine.record import Record
from engine.replay import replay as replay_record
from engine.variant import FULL, PUBLIC


def views_of(*, game: Game) -> list[str]:
    """Return the observers for which a replay of the game exists, seats in turn order."""
    return [*registry.find(game.match.ladder.variant).seats, PUBLIC, FULL]


def check_disclosed(*, game: Game) -> None:
    """Raise Refused if nobody may see inside the game yet: `not_finished`."""
    if not game.is_disclosed:
        message = _("The match is not over. What happened in its games can be seen when it is.")
        raise Refused("not_finished", message)


def replay(*, game: Game, view: str) -> dict[str, Any]:
    """Return the replay document for an observer. Raise Refused: `not_finished`, `unknown_view`."""
    _check(game, view)
    return replay_record(Record.from_json(_text(game)), view)


def record(*, game: Game) -> dict[str, Any]:
    """Return the record, with which anybody can verify the game. Raise Refused: `not_finished`."""
    document: dict[str, Any] = json.loads(record_text(game=game))
    return document


def record_text(*, game: Game) -> str:
    """Return the record as stored text. Raise Refused: `not_finished`."""
    _check(game, FULL)
    return _text(game)


def _check(game: Game, view: str) -> None:
    check_disclosed(game=game)
    if view not in views_of(game=game):
        text = _("There is no view “%(view)s”. The views are: %(known)s.")
        words = {"view": view, "known": ", ".join(views_of(game=game))}
        raise Refused("unknown_view", text % words, field="view")


def _text(game: Game) -> str:
    return records.unpacked(blob=bytes(game.record.blob))
