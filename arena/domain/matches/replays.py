"""Replays and records of games, for pages and the API."""

import json
from dataclasses import asdict
from typing import Any

from django.utils.translation import gettext as _

from arena.domain.errors import Refused
from arena.domain.matches import records
from arena.models import Game, GameStatus
from engine import registry
from engine.chance import Chance
from engine.record import Record
from engine.replay import replay as replay_record
from engine.variant import FULL, PUBLIC


def views_of(*, game: Game) -> list[str]:
    """Return the observers for which a replay of the game exists, seats in turn order."""
    return [*registry.find(game.match.ladder.variant).seats, PUBLIC, FULL]


def may_see(*, game: Game, view: str) -> bool:
    """Return whether everybody may see the game through `view`. This is the only access rule.

    A finished game is open in every view. An unfinished game has no replay.
    """
    return game.status == GameStatus.FINISHED and view in views_of(game=game)


def replay(*, game: Game, view: str) -> dict[str, Any]:
    """Return the replay document for an observer. Raise Refused: `not_finished`, `unknown_view`."""
    _check(game, view)
    return replay_record(Record.from_json(_text(game)), view)


def record(*, game: Game) -> dict[str, Any]:
    """Return the record, with which anybody can verify the game. Raise Refused: `not_finished`.

    Once the match is over, `chance` tells from which secret the `rng_seed` of the game follows.
    """
    _check(game, FULL)
    document: dict[str, Any] = json.loads(_text(game))
    match = game.match
    if secret := match.shown_secret:
        told = Chance(match.public_id, game.number, match.commitment, secret, match.place)
        document["chance"] = asdict(told)
    return document


def _check(game: Game, view: str) -> None:
    if game.status != GameStatus.FINISHED:
        raise Refused("not_finished", _("The game is not over. Its record is public when it is."))
    if not may_see(game=game, view=view):
        text = _("There is no view “%(view)s”. The views are: %(known)s.")
        words = {"view": view, "known": ", ".join(views_of(game=game))}
        raise Refused("unknown_view", text % words, field="view")


def _text(game: Game) -> str:
    return records.unpacked(blob=bytes(game.record.blob))
