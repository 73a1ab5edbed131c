"""A game as its page and its match's page show it: who sat where, and how it ended."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from arena.models import Game, MatchEntrant, Version
from arena.web import documents, pictures, words
from engine.variant import FULL

SMALL_PICTURES = 4  # a match of more games shows them without


@dataclass(frozen=True, slots=True)
class SeatShown:
    """A seat, the version in it and what it got."""

    seat: str
    label: str
    version: Version
    points: float | None


@dataclass(frozen=True, slots=True)
class GameShown:
    """A game in words and, where asked for, with its last picture."""

    row: Game
    seats: Sequence[SeatShown]
    ending: str
    url: str
    svg: SafeString | None


def show(game: Game, entrants: Sequence[MatchEntrant], *, with_picture: bool = False) -> GameShown:
    """Put together what templates say about a game; only a finished one has a replay."""
    seats = seats_of(game, entrants)
    names = {seat.seat: f"{seat.version.bot.name} ({seat.label})" for seat in seats}
    finished = game.status == Game.Status.FINISHED
    return GameShown(
        row=game,
        seats=seats,
        ending=words.ending(game, lambda seat: names.get(seat, words.seat_name(seat))),
        url=game.get_absolute_url() if finished else "",
        svg=_last_picture(game) if finished and with_picture else None,
    )


def seats_of(game: Game, entrants: Sequence[MatchEntrant]) -> list[SeatShown]:
    """Give the seats in turn order."""
    by_position = {entrant.position: entrant for entrant in entrants}
    outcome: dict[str, float] = game.outcome or {}
    order = sorted(game.seats, key=lambda seat: list(words.SEATS).index(seat))
    return [
        SeatShown(
            seat,
            words.seat_name(seat),
            by_position[game.seats[seat]].version,
            outcome.get(seat),
        )
        for seat in order
    ]


def _last_picture(game: Game) -> SafeString:
    document = documents.document(game, FULL)
    scene = pictures.scene_at(document, len(document["steps"]))
    return pictures.draw(scene, title=words.ending(game))
