"""What must hold of a tournament once everything has come to rest, whatever was killed before."""

from collections import Counter
from collections.abc import Iterator, Sequence

from arena.domain.formats import catalogue
from arena.domain.formats.types import Decision, StandingsRow
from arena.domain.tournaments import snapshot
from arena.domain.tournaments.snapshot import TournamentSnapshot
from arena.models import Game, Match, MatchStatus, Tournament, TournamentStatus
from tests.faults import reference
from tests.faults.reference import Leg, Outcome, Place, Reference, Terms

OVER = (TournamentStatus.COMPLETED, TournamentStatus.RELEASED)
MEETS_ONCE = ("swiss", "round_robin")


def complaints(tournament: Tournament) -> Iterator[str]:
    """Name everything that is not as in the same tournament undisturbed, or is there twice."""
    if tournament.status not in OVER:
        yield f"the tournament is {tournament.status}: {tournament.status_reason}"
    picture = snapshot.load(tournament=tournament)
    yield from _differences(picture, undisturbed(picture))
    yield from _doubled(picture)
    yield from _legs(picture)
    yield from _journal(picture)


def undisturbed(picture: TournamentSnapshot) -> Reference:
    """Play the same tournament without a site."""
    tournament = picture.tournament
    return reference.play(
        Terms(
            format=catalogue.find(tournament.format),
            setup=picture.setup,
            variant=tournament.ladder.variant,
            options=tournament.ladder.options,
            entries=picture.state.entries,
            numbers={
                pk: int(entrant.bot.slug.rpartition("-")[2])
                for pk, entrant in picture.entrants.items()
            },
            secret=tournament.secret,
            takes=_takes(tournament),
            game_takes={place: game.take for place, game in _finished(tournament)},
        )
    )


def _takes(tournament: Tournament) -> dict[Leg, int]:
    """Return which match of each leg counts, where the first one has failed."""
    rows = Match.objects.of_tournament(tournament).order_by("pk")
    legs = rows.values_list("pairing__round__number", "pairing__number", "leg")
    return Counter((number, pairing, leg or 0) for number, pairing, leg in legs)


def _differences(picture: TournamentSnapshot, wanted: Reference) -> Iterator[str]:
    found = {(each.round, each.number): each for each in picture.state.meetings}
    expected = {(each.round, each.number): each for each in wanted.meetings}
    differ = [at for at in sorted({*found, *expected}) if found.get(at) != expected.get(at)]
    if differ:
        first = differ[0]
        yield f"pairings differ: {differ}; {found.get(first)} and not {expected.get(first)}"
    outcomes = _outcomes(picture.tournament)
    if outcomes != wanted.outcomes:
        places = sorted({place for place, _ in outcomes.items() ^ wanted.outcomes.items()})
        yield f"games differ: {places}"
    if picture.standings != wanted.standings:
        yield f"standings differ: {_short(picture.standings)} and not {_short(wanted.standings)}"


def _short(standings: Sequence[StandingsRow]) -> list[tuple[int, float]]:
    return [(row.entrant, row.points) for row in standings]


def _outcomes(tournament: Tournament) -> dict[Place, Outcome]:
    return {
        place: tuple(sorted((game.outcome or {}).items())) for place, game in _finished(tournament)
    }


def _finished(tournament: Tournament) -> Iterator[tuple[Place, Game]]:
    """Yield the games of the matches that count, each with its place."""
    rows = Game.objects.filter(
        match__pairing__round__tournament=tournament, match__status=MatchStatus.FINISHED
    ).select_related("match__pairing__round")
    for row in rows:
        if row.match.pairing is not None:
            match, pairing = row.match, row.match.pairing
            yield (pairing.round.number, pairing.number, match.leg or 0, row.number), row


def _doubled(picture: TournamentSnapshot) -> Iterator[str]:
    """Name rounds that are missing or not over, who met twice, and who had more than one bye."""
    numbers = [row.number for row in picture.rounds]
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"the rounds are {numbers}"
    if unfinished := [row.number for row in picture.rounds if row.finished_at is None]:
        yield f"rounds {unfinished} are not over"
    meetings = picture.state.meetings
    byes = Counter(each.entrants for each in meetings if each.decision == Decision.BYE)
    met = Counter(frozenset(each.entrants) for each in meetings if len(each.entrants) > 1)
    once = met if picture.tournament.format in MEETS_ONCE else Counter()
    yield from (f"{who} {n} times" for who, n in [*byes.items(), *once.items()] if n > 1)
    for number in numbers:
        own = Counter(who for each in meetings if each.round == number for who in each.entrants)
        yield from (f"{who} is {n} times in round {number}" for who, n in own.items() if n > 1)


def _legs(picture: TournamentSnapshot) -> Iterator[str]:
    """Name pairings whose matches that count are not one finished match for each leg."""
    for pairing in picture.pairings.values():
        wanted = [] if pairing.decision else list(range(1, pairing.matches_wanted + 1))
        legs = [match.leg for match in picture.matches.get(pairing.pk, [])]
        if legs != wanted:
            yield f"{pairing} has legs {legs} for {wanted}"
    finished = Match.objects.filter(pairing__isnull=False, status=MatchStatus.FINISHED)
    twice = Counter(finished.values_list("pairing", "leg"))
    yield from (f"leg {leg} was finished {n} times" for leg, n in twice.items() if n > 1)


def _journal(picture: TournamentSnapshot) -> Iterator[str]:
    """Name what the log lacks or tells twice."""
    tournament, rounds = picture.tournament, len(picture.rounds)
    found = Counter(tournament.log.values_list("action", flat=True))
    drawn = Counter(tournament.log.filter(action="round_drawn").values_list("round_number"))
    failed = Match.objects.filter(pairing__isnull=False, rerun_of__status=MatchStatus.FAILED)
    extra = sum(
        pairing.matches_wanted - tournament.matches_per_pairing
        for pairing in picture.pairings.values()
    )
    wanted = {
        "frozen": 1,
        "started": 1,
        "completed": 1,
        "round_drawn": rounds,
        "round_finished": rounds,
        "extra_matches": extra,
        "played_again": failed.count(),
        "swiss_bye": sum(each.decision == Decision.BYE for each in picture.state.meetings)
        if tournament.format == "swiss"
        else 0,
    }
    for action, count in wanted.items():
        if found[action] != count:
            yield f"the log has {action} {found[action]} times and not {count}"
    yield from (f"round {key} was drawn {n} times" for key, n in drawn.items() if n > 1)
