"""A tournament read from its rows into the plain data that formats work on."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from arena.domain.formats import catalogue, results, scoring
from arena.domain.formats.base import Format
from arena.domain.formats.brackets import Bracket
from arena.domain.formats.types import (
    CHANCE,
    Decision,
    Entry,
    PairingState,
    Setup,
    StandingsRow,
    TournamentState,
    by_seed,
)
from arena.domain.tournaments import participation, scores, seedings
from arena.models import (
    Match,
    Pairing,
    Tournament,
    TournamentEntrant,
    TournamentEntrantStatus,
    TournamentRound,
)
from engine import registry
from engine.seating import entrant_counts


@dataclass(frozen=True)
class TournamentSnapshot:
    """A whole tournament, or its first rounds.

    `entrants` maps primary keys to entrants with bot, owner and version. `pairings` maps round and
    number to pairings. `matches` maps the primary key of a pairing to the latest match of each leg,
    in the order of legs, with games and entrants. It leaves out matches that were played again.
    """

    tournament: Tournament
    setup: Setup
    state: TournamentState
    entrants: Mapping[int, TournamentEntrant]
    rounds: Sequence[TournamentRound]
    pairings: Mapping[tuple[int, int], Pairing]
    matches: Mapping[int, list[Match]]

    @property
    def format(self) -> Format:
        """The format of the tournament."""
        return catalogue.find(self.tournament.format)

    @cached_property
    def standings(self) -> tuple[StandingsRow, ...]:
        """The standings from the results so far, or in seed order before the first round."""
        if self.state.meetings:
            return self.format.standings(self.state)
        zeros = tuple(0.0 for slug in self.state.setup.tie_breaks if slug != CHANCE)
        return tuple(
            StandingsRow(
                entrant=entrant,
                rank=rank,
                points=0.0,
                games=0,
                wins=0,
                draws=0,
                losses=0,
                forfeits=0,
                byes=0,
                tie_breaks=zeros,
            )
            for rank, entrant in enumerate(by_seed(self.state.entries), start=1)
        )

    @cached_property
    def meetings(self) -> Mapping[tuple[int, int], PairingState]:
        """The pairings as plain data, by round and number like `pairings`."""
        return {(meeting.round, meeting.number): meeting for meeting in self.state.meetings}

    @cached_property
    def bracket(self) -> Bracket | None:
        """The bracket with the results so far, or None if there is no bracket yet."""
        return self.format.bracket(self.state)

    def meeting_of(self, pairing: Pairing) -> PairingState:
        """Return the plain data of a pairing."""
        return self.meetings[pairing.round.number, pairing.number]

    def is_over(self, pairing: Pairing) -> bool:
        """Return whether a pairing is over, with a result or void."""
        return self.meeting_of(pairing).is_over


def load(*, tournament: Tournament, rounds: int | None = None) -> TournamentSnapshot:
    """Return a snapshot of a tournament. With `rounds`, read only so many rounds from the first on.

    Entrants that left after these rounds are then shown as still in.
    """
    drawn = list(tournament.rounds.order_by("number")[:rounds])
    entrants = _entrants(tournament)
    setup = setup_of(tournament=tournament)
    rows = Pairing.objects.filter(round__in=[row.pk for row in drawn]).select_related("round")
    pairings = list(rows.prefetch_related("entrants").order_by("round__number", "number"))
    latest = Match.objects.not_rerun().filter(pairing__in=[pairing.pk for pairing in pairings])
    matches: defaultdict[int, list[Match]] = defaultdict(list)
    for match in latest.prefetch_related("games", "entrants").order_by("leg", "pk"):
        if match.pairing_id is not None:
            matches[match.pairing_id].append(match)
    sides = scores.sides_of(variant=tournament.ladder.variant)
    meetings = [
        _meeting(setup, pairing, matches.get(pairing.pk, []), sides) for pairing in pairings
    ]
    if rounds is not None:
        entrants = participation.as_shown(
            tournament=tournament, entrants=entrants, rounds=len(drawn)
        )
    is_seeded = not tournament.is_before_freeze
    entries = [
        Entry(
            id=entrant.pk,
            seed=entrant.seed if is_seeded and entrant.seed else place,
            from_round=entrant.from_round,
            until_round=entrant.until_round,
        )
        for place, entrant in enumerate(entrants, start=1)
    ]
    return TournamentSnapshot(
        tournament=tournament,
        setup=setup,
        state=TournamentState(setup, entries, meetings),
        entrants={entrant.pk: entrant for entrant in entrants},
        rounds=drawn,
        pairings={(pairing.round.number, pairing.number): pairing for pairing in pairings},
        matches=dict(matches),
    )


def setup_of(*, tournament: Tournament) -> Setup:
    """Return the setup of a tournament, saved or not. Raise Unplayable."""
    ladder = tournament.ladder
    format_ = catalogue.find(tournament.format)
    defaults = {option.name: option.default for option in format_.options}
    return Setup(
        rng_seed=tournament.lots_seed,
        scoring=scoring.find(tournament.scoring),
        tie_breaks=tuple(tournament.tie_breaks),
        size=ladder.entrants_per_match,
        sizes=entrant_counts(registry.find(ladder.variant)),
        games=tournament.matches_per_pairing * ladder.entrants_per_match,
        options={**defaults, **tournament.format_options},
    )


def _entrants(tournament: Tournament) -> list[TournamentEntrant]:
    """Return who plays: before the freeze the entered entrants, afterwards all that have a seed."""
    if tournament.is_before_freeze:
        return seedings.order(tournament=tournament)
    played = (TournamentEntrantStatus.ENTERED, *TournamentEntrant.GONE)
    rows = tournament.entrants.filter(status__in=played, seed__isnull=False)
    return list(rows.select_related("bot__owner", "version").order_by("seed"))


def _meeting(
    setup: Setup, pairing: Pairing, matches: Sequence[Match], sides: scores.Sides
) -> PairingState:
    places = sorted(pairing.entrants.all(), key=lambda place: place.position)
    decision = Decision(pairing.decision)
    open_ = PairingState(
        round=pairing.round.number,
        number=pairing.number,
        entrants=tuple(place.entrant_id for place in places),
        slot=pairing.slot,
        winner=None
        if pairing.advancing_position is None
        else places[pairing.advancing_position].entrant_id,
    )
    if decision != Decision.PLAYED:
        return _decided(setup, pairing, replace(open_, decision=decision))
    if not scores.are_played(matches=matches, wanted=pairing.matches_wanted):
        return open_
    scored = scores.of_matches(matches=matches, sides=sides, entrants=len(places))
    return replace(open_, scores=scored)


def _decided(setup: Setup, pairing: Pairing, meeting: PairingState) -> PairingState:
    """Return a pairing with the scores of its decision. A walkover counts as all games won."""
    match meeting.decision:
        case Decision.BYE:
            return results.bye(setup, meeting)
        case Decision.AWARD:
            given = results.awarded(setup, meeting.entrants, pairing.award)
            return replace(meeting, scores=given)
        case Decision.WALKOVER:  # for those who were there then: they may have left since
            present = [
                place.entrant_id
                for place in pairing.entrants.all()
                if place.position == pairing.award
                or (pairing.award is None and not place.is_absent)
            ]
            return results.walk_over(setup, meeting, present)
        case _:
            return meeting
