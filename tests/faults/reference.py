"""The same tournament undisturbed: played in this process, with neither site nor database.

What it shares with the site are the rules, the referee and the formats. Who meets whom follows from
results that are worked out here anew, game by game; so do the standings.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from arena.domain.formats import results
from arena.domain.formats.base import Format
from arena.domain.formats.types import (
    Draw,
    Entry,
    PairingState,
    Score,
    Setup,
    StandingsRow,
    TournamentState,
)
from engine import referee, registry
from engine.clock import ClockSpec
from engine.protocol import Answer, Ask, Failure
from engine.record import PlayerId
from engine.registry import resolve_options
from engine.seating import seatings
from tests.faults.cupbot.bot import Player

SEED_BITS = 48
CLOCK = ClockSpec(startup_ms=120_000, bank_ms=600_000, increment_ms=100, action_ms=120_000)
NOBODY = PlayerId("a bot", "")

Place = tuple[int, int, int, int]  # round, pairing, leg, game
Leg = tuple[int, int, int]  # round, pairing, leg
Outcome = tuple[tuple[str, float], ...]  # points of each side


@dataclass
class Reference:
    """What came of it: meetings, the outcome of every game by its place, the final standings."""

    meetings: list[PairingState] = field(default_factory=list)
    outcomes: dict[Place, Outcome] = field(default_factory=dict)
    standings: tuple[StandingsRow, ...] = ()


@dataclass(frozen=True)
class Terms:
    """What is played: a format by a setup, a variant with its options, and who has which number.

    All chance follows from the secret of the tournament. `takes` tells of the legs that were played
    again which match of them counts, and `game_takes` how often each game was begun: each time it
    has chance of its own.
    """

    format: Format
    setup: Setup
    variant: str
    options: Mapping[str, Any]
    entries: Sequence[Entry]
    numbers: Mapping[int, int]
    secret: str
    takes: Mapping[Leg, int]
    game_takes: Mapping[Place, int]


class _InProcess:
    """A table of players that are functions."""

    clock_basis = "wall"

    def __init__(self, players: Mapping[str, Player]) -> None:
        self._players = players

    def ask(self, asks: Mapping[str, Ask]) -> Mapping[str, Answer | Failure]:
        return {seat: Answer(self._say(seat, ask.line), 0.0) for seat, ask in asks.items()}

    def limits(self, seat: str) -> Mapping[str, int]:
        return {"line_bytes": 4096}

    def note(self, seat: str, text: str) -> None:
        """Nobody reads it."""

    def tell(self, seat: str, line: bytes) -> None:
        self._players[seat].answer(json.loads(line))

    def close(self) -> None:
        """There is nothing to end."""

    def _say(self, seat: str, line: bytes) -> bytes:
        return json.dumps(self._players[seat].answer(json.loads(line))).encode()


def play(terms: Terms) -> Reference:
    """Play it all."""
    found = Reference()
    draw: Draw | None = terms.format.initial_pairings(terms.setup, terms.entries)
    while draw is not None and draw.meetings:
        for meeting in draw.meetings:
            found.meetings.append(meeting if meeting.is_over else _play(terms, found, meeting))
        state = _state(terms, found.meetings)
        draw = terms.format.next_round(state)
        notes = draw.notes if draw else terms.format.closing_notes(state)
        found.meetings = list(results.settled(found.meetings, notes))
    found.standings = terms.format.standings(_state(terms, found.meetings))
    return found


def _state(terms: Terms, meetings: Sequence[PairingState]) -> TournamentState:
    return TournamentState(terms.setup, terms.entries, tuple(meetings))


def _play(terms: Terms, found: Reference, meeting: PairingState) -> PairingState:
    """Play a meeting to its end, with as many matches more as its format asks for."""
    wanted = terms.setup.games // terms.setup.size
    played, legs = meeting, 0
    while legs < wanted:
        legs += 1
        played = replace(played, scores=_sum(played, _leg(terms, found, meeting, legs)))
        if legs == wanted:
            state = _state(terms, [*found.meetings, played])
            wanted += terms.format.extra_matches(state, played)
    return played


def _leg(terms: Terms, found: Reference, meeting: PairingState, leg: int) -> list[dict[int, float]]:
    """Play a match; return for each game the points of every position."""
    take = terms.takes.get((meeting.round, meeting.number, leg), 1)
    place = f"round {meeting.round}/pairing {meeting.number}/leg {leg}/take {take}"
    secret = sha256(f"drapeau/match at {place}/{terms.secret}".encode()).hexdigest()
    variant = registry.find(terms.variant)
    options = resolve_options(variant, terms.options)
    games = []
    lot = _rng_seed("seats", secret)
    for number, seats in enumerate(seatings(variant, options, lot, range(2)), start=1):
        at_place = (meeting.round, meeting.number, leg, number)
        players = {seat: Player(terms.numbers[meeting.entrants[at]]) for seat, at in seats.items()}
        record = referee.play(
            variant,
            options=terms.options,
            rng_seed=_rng_seed(f"game {number}/take {terms.game_takes.get(at_place, 1)}", secret),
            game="undisturbed",
            players=dict.fromkeys(variant.seats, NOBODY),
            clock=CLOCK,
            table=_InProcess(players),
            isolation="none",
        )
        points = dict(record.result.points or {})
        found.outcomes[at_place] = tuple(sorted(points.items()))
        games.append({at: points[variant.side_of(seat)] for seat, at in seats.items()})
    return games


def _rng_seed(use: str, secret: str) -> int:
    digest = sha256(f"drapeau/{use}/{secret}".encode()).digest()
    return int.from_bytes(digest[: SEED_BITS // 8])


def _sum(meeting: PairingState, games: Sequence[Mapping[int, float]]) -> tuple[Score, ...]:
    before = meeting.scores or tuple(Score() for _ in meeting.entrants)
    return tuple(
        Score(
            wins=score.wins + sum(game[at] == 1 for game in games),
            draws=score.draws + sum(game[at] == 0.5 for game in games),
            losses=score.losses + sum(game[at] == 0 for game in games),
        )
        for at, score in enumerate(before)
    )
