"""A preview of a tournament before anything is played."""

from dataclasses import dataclass

from arena.domain.errors import InvalidInput
from arena.domain.formats.types import Unplayable
from arena.domain.tournaments import log, seedings
from arena.domain.tournaments.setup import draft_values, durations, terms
from arena.domain.tournaments.setup.draft_values import FIELDS, Values
from arena.domain.tournaments.setup.durations import DurationEstimate
from arena.models import Tournament, TournamentEntrant

_ITS_NAMES = ("name", "slug")  # a preview needs neither


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """A planned round with its title. `games` is the number of games of its pairings."""

    number: int
    name: str
    pairings: int
    matches: int
    games: int
    byes: int


@dataclass(frozen=True, slots=True)
class Preview:
    """What a tournament will be with this number of entrants if nobody leaves.

    `seeds` are the current entrants in their expected seed order.
    """

    entrants: int
    rounds: tuple[RoundPlan, ...]
    estimate: DurationEstimate
    seeds: tuple[TournamentEntrant, ...] = ()

    @property
    def pairings(self) -> int:
        """The number of pairings without byes."""
        return sum(each.pairings for each in self.rounds)

    @property
    def matches(self) -> int:
        """The number of matches without those that break ties."""
        return sum(each.matches for each in self.rounds)

    @property
    def games(self) -> int:
        """The number of games without those that break ties."""
        return sum(each.games for each in self.rounds)

    @property
    def byes(self) -> int:
        """The number of byes."""
        return sum(each.byes for each in self.rounds)


def look(
    *, values: Values, entrants: int | None = None, tournament: Tournament | None = None
) -> Preview:
    """Return a preview with `entrants` entrants, or with the maximum if it is None.

    `tournament` is the row that the values would change, if it exists. Raise InvalidInput.
    """
    planned = Tournament(name="?", slug="preview", rng_seed=0)
    if tournament is not None:
        for name in (*FIELDS, "rng_seed"):
            setattr(planned, name, getattr(tournament, name))
        planned.name, planned.slug = "?", "preview"
    played = {name: value for name, value in values.items() if name not in _ITS_NAMES}
    changed = draft_values.fill(tournament=planned, values=played)
    if errors := terms.check(tournament=planned, changed=changed):
        raise InvalidInput(errors)
    seeds = seedings.order(tournament=tournament) if tournament is not None else []
    count = planned.max_entrants if entrants is None else entrants
    rounds = _rounds(planned, count)
    estimate = durations.estimate(tournament=planned, entrants=count)
    return Preview(count, rounds, estimate, tuple(seeds))


def _rounds(planned: Tournament, entrants: int) -> tuple[RoundPlan, ...]:
    try:
        setup, rounds = terms.outline(tournament=planned, entrants=entrants)
    except Unplayable as exc:
        why = log.why_not(exc=exc, entrants=entrants)
        raise InvalidInput({"entrants": [why]}) from exc
    return tuple(
        RoundPlan(
            number=number,
            name=log.words(code=each.code, details=each.details),
            pairings=each.pairings,
            matches=each.pairings * planned.matches_per_pairing,
            games=each.pairings * setup.games,
            byes=each.byes,
        )
        for number, each in enumerate(rounds, start=1)
    )
