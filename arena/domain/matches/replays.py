"""Replays and records of games, for pages and the API."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.utils.translation import gettext as _

from arena.domain.errors import Refused
from arena.domain.matches import record_compression
from arena.models import Game, MatchKind
from botkit import positions
from engine import registry
from engine.chance import Chance
from engine.clock import left_ms
from engine.record import Record
from engine.story import Story, story_of
from engine.variant import FULL, PUBLIC


@dataclass(frozen=True, slots=True)
class Clocks:
    """What is left on the clock of each seat when the first ply begins, and what each ply adds."""

    left_ms: Mapping[str, int]
    increment_ms: int


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
    check_disclosed(game=game)
    if view not in views_of(game=game):
        text = _("There is no view “%(view)s”. The views are: %(known)s.")
        words = {"view": view, "known": ", ".join(views_of(game=game))}
        raise Refused("unknown_view", text % words, field="view")
    return positions.replay(Record.from_json(_text(game)), view)


def clocks(*, game: Game, plies: int) -> Clocks | None:
    """Return the clocks of a game of so many plies. Raise Refused.

    None if its record tells of none, or if a person played, whose time is not charged.
    """
    check_disclosed(game=game)
    document = json.loads(_text(game))
    spec = document["clock"]
    if not spec or game.match.kind == MatchKind.PERSON:
        return None
    opening = document["actions"][: len(document["actions"]) - plies]
    return Clocks(
        {
            seat: left_ms(spec, (each["charged_ms"] for each in opening if each["seat"] == seat))
            for seat in document["players"]
        },
        spec["increment_ms"],
    )


def story(*, game: Game) -> Story:
    """Return what each seat did not know, lost and used, ply by ply. Raise Refused."""
    check_disclosed(game=game)
    return story_of(Record.from_json(_text(game)))


def record(*, game: Game) -> dict[str, Any]:
    """Return the record, with which anybody can verify the game. Raise Refused: `not_finished`.

    Once the match is over, `chance` tells from which secret the `rng_seed` of the game follows.
    """
    check_disclosed(game=game)
    document: dict[str, Any] = json.loads(_text(game))
    match = game.match
    if secret := match.shown_secret:
        chance = Chance(
            match.public_id,
            game.number,
            game.take,
            match.commitment,
            secret,
            match.pairing.round.tournament.slug if match.pairing else "",
            match.place,
        )
        document["chance"] = asdict(chance)
    return document


def _text(game: Game) -> str:
    return record_compression.unpacked(blob=bytes(game.record.blob))
