"""A game for the pages of games and matches: who played in which seat, and how it ended."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.safestring import SafeString

from arena.domain.matches import forensics
from arena.models import Game, MatchEntrant, Version
from arena.texts import lists
from arena.texts.names import isolated
from arena.web.matches import labels, replay_cache, replay_frames
from engine import registry
from engine.errors import UnknownVariant
from engine.variant import FULL

SMALL_PICTURES = 4  # a match with more games shows them without pictures


@dataclass(frozen=True, slots=True)
class SeatedVersion:
    """A version in a game, the seats it holds, the name of these seats, and its points."""

    seats: Sequence[str]
    label: str
    version: Version
    points: float | None


@dataclass(frozen=True, slots=True)
class GameShown:
    """A game in words, with its last picture if requested.

    `forensics` is the URL that explains an abnormal end; it is empty after a normal end. `url` and
    `record` are those of the replay and the record; they are empty until the game is disclosed.
    """

    row: Game
    places: Sequence[SeatedVersion]
    ending: str
    url: str
    record: str
    forensics: str
    svg: SafeString | None


def show(game: Game, entrants: Sequence[MatchEntrant], *, with_picture: bool = False) -> GameShown:
    """Return what templates show about a game; only a disclosed game has a replay."""
    places = places_of(game, entrants)
    # Every seat and side is named by its bot, followed by the seat or side.
    bot_in = {seat: isolated(place.version.bot.name) for place in places for seat in place.seats}
    groups = {**{seat: (seat,) for seat in game.seats}, **_sides(game)}
    names = {
        name: f"{lists.all_of(dict.fromkeys(bot_in[s] for s in seats))} ({labels.seat_name(name)})"
        for name, seats in groups.items()
    }
    disclosed = game.is_disclosed
    svg = None
    if disclosed and with_picture:
        document = replay_cache.document(game, FULL)
        scene = replay_frames.scene_at(document, len(document["steps"]))
        svg = replay_frames.draw(scene, title=labels.ending(game), still=True)
    return GameShown(
        row=game,
        places=places,
        ending=labels.ending(game, lambda name: names.get(name, labels.seat_name(name))),
        url=game.get_absolute_url() if disclosed else "",
        record=record_path(game) if disclosed else "",
        forensics=reverse("game-forensics", args=[game.match.public_id, game.number])
        if forensics.has_one(game=game)
        else "",
        svg=svg,
    )


def score_so_far(games: Iterable[Sequence[SeatedVersion]]) -> Mapping[int, float]:
    """Return the points of each version (id) in the games of a match that are over."""
    score: dict[int, float] = defaultdict(float)
    for places in games:
        for place in places:
            score[place.version.pk] += place.points or 0
    return score


def record_path(game: Game) -> str:
    """Return the path of the record of a game in the API."""
    return reverse("api-game-record", args=[game.match.public_id, game.number])


def places_of(game: Game, entrants: Sequence[MatchEntrant]) -> list[SeatedVersion]:
    """Return the entrants of a game in turn order, each once even if it holds several seats."""
    by_position = {entrant.position: entrant for entrant in entrants}
    outcome: dict[str, float] = game.outcome or {}
    side_of = {seat: side for side, seats in _sides(game).items() for seat in seats}
    held: dict[int, list[str]] = {}
    for seat in sorted(game.seats, key=[*side_of].index):  # a database may change their order
        held.setdefault(game.seats[seat], []).append(seat)
    return [
        SeatedVersion(
            seats,
            lists.all_of(labels.seat_name(seat) for seat in seats),
            by_position[position].version,
            outcome.get(side_of[seats[0]]),
        )
        for position, seats in held.items()
    ]


def _sides(game: Game) -> Mapping[str, Sequence[str]]:
    """Return the sides and their seats; if the variant is gone, each seat is a side."""
    try:
        return registry.find(game.match.ladder.variant).sides
    except UnknownVariant:
        return {seat: (seat,) for seat in game.seats}
