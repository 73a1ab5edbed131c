"""Rows of a tournament become the plain data that formats work on."""

import pytest

from arena.domain.formats.types import Decision, Score
from arena.domain.matches import lifecycle
from arena.domain.matches.purposes import Purpose
from arena.domain.tournaments import snapshot
from arena.models import (
    MatchKind,
    Pairing,
    PairingEntrant,
    TournamentEntrantStatus,
    TournamentRound,
    TournamentStatus,
)
from tests import factories
from tests.integration.tournaments import rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup():
    return rows.make_tournament(4)


def pair(cup, number, *seeds, round_number=1, **columns):
    """Write a pairing of entrants by their seeds."""
    drawn, _ = TournamentRound.objects.get_or_create(
        tournament=cup, number=round_number, defaults={"release": "public"}
    )
    pairing = Pairing.objects.create(round=drawn, number=number, **columns)
    for position, seed in enumerate(seeds):
        PairingEntrant.objects.create(
            pairing=pairing, position=position, entrant=cup.entrants.get(seed=seed)
        )
    return pairing


def match_of(pairing, leg=1, **columns):
    places = pairing.entrants.select_related("entrant__version").order_by("position")
    return lifecycle.create_match(
        ladder=pairing.round.tournament.ladder,
        versions=[place.entrant.version for place in places],
        purpose=Purpose(MatchKind.TOURNAMENT, pairing=pairing, leg=leg),
        **columns,
    )


def scores(cup, number=1):
    return snapshot.load(tournament=cup).meetings[1, number].scores


def test_entrants_before_freeze_have_seeds_they_would_get():
    cup = rows.make_tournament(3, status=TournamentStatus.REGISTRATION)

    picture = snapshot.load(tournament=cup)

    assert [entry.seed for entry in picture.state.entries] == [1, 2, 3]
    assert [row.rank for row in picture.standings] == [1, 2, 3]


def test_games_are_counted_for_each_position(cup):
    match = match_of(pair(cup, 1, 1, 2))
    rows.play(match, 1.0, 0.5)

    assert scores(cup) == (Score(wins=1, draws=1), Score(draws=1, losses=1))


def test_forfeit_is_loss_by_own_fault(cup):
    match = match_of(pair(cup, 1, 1, 2))
    factories.forfeit_all(match, 0)

    assert scores(cup) == (Score(losses=2, forfeits=2), Score(wins=2))


def test_pairing_is_over_when_wanted_matches_are_finished(cup):
    pairing = pair(cup, 1, 1, 2, matches_wanted=2)
    rows.play(match_of(pairing, leg=1), 1.0, 1.0)
    assert not snapshot.load(tournament=cup).is_over(pairing)

    rows.play(match_of(pairing, leg=2), 1.0, 0.0)

    assert snapshot.load(tournament=cup).is_over(pairing)
    assert scores(cup) == (Score(wins=3, losses=1), Score(wins=1, losses=3))


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ({"decision": "award", "award": 1}, (Score(losses=2), Score(wins=2))),
        ({"decision": "award"}, (Score(draws=2), Score(draws=2))),
        ({"decision": "walkover", "award": 0}, (Score(wins=2), Score(losses=2, forfeits=2))),
        ({"decision": "void"}, ()),
    ],
)
def test_a_decision_stands_for_all_games(cup, columns, expected):
    pair(cup, 1, 1, 2, **columns)

    meeting = snapshot.load(tournament=cup).meetings[1, 1]

    assert (meeting.scores, meeting.is_over) == (expected, True)
    assert meeting.decision == Decision(columns["decision"])


def test_walkover_is_won_by_who_was_there_then(cup):
    pairing = pair(cup, 1, 1, 2, decision="walkover")
    pairing.entrants.filter(position=1).update(is_absent=True)
    cup.entrants.filter(seed=1).update(status=TournamentEntrantStatus.WITHDRAWN, until_round=0)

    assert scores(cup) == (Score(wins=2), Score(losses=2, forfeits=2))
