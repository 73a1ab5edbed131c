"""What games are worth, and the scores of meetings that nobody played."""

import pytest

from arena.domain.formats import results, scoring
from arena.domain.formats.types import Decision, PairingState, Score, Setup, Unplayable


@pytest.fixture
def setup():
    return Setup(rng_seed=1, scoring=scoring.CHAMPIONSHIP, games=4)


def test_forfeit_is_worth_less_than_played_loss():
    score = Score(wins=2, draws=1, losses=3, forfeits=1)
    assert scoring.points(scoring.CHAMPIONSHIP, score) == 2 * 6 + 3 + 2 * 1 + 0
    assert scoring.points(scoring.CLASSIC, score) == scoring.game_points(score) == 2.5


def test_unknown_preset_is_refused_with_known_ones():
    with pytest.raises(Unplayable) as refused:
        scoring.find("football")
    assert refused.value.code == "unknown_scoring"
    assert refused.value.details == {"slug": "football", "known": ["championship", "classic"]}
    assert scoring.find("classic") is scoring.CLASSIC


def test_a_bye_wins_every_game_of_a_pairing(setup):
    alone = results.bye(setup, PairingState(round=1, number=1, entrants=(5,)))
    assert alone == PairingState(1, 1, (5,), decision=Decision.BYE, scores=(Score(wins=4),))


@pytest.mark.parametrize(
    ("there", "decision", "scores"),
    [
        ({5, 6, 7}, Decision.PLAYED, ()),
        (
            {6, 7},
            Decision.WALKOVER,
            (Score(losses=4, forfeits=4), Score(wins=4), Score(wins=4)),
        ),
        (
            {7},
            Decision.WALKOVER,
            (Score(losses=4, forfeits=4), Score(losses=4, forfeits=4), Score(wins=4)),
        ),
        (set(), Decision.VOID, ()),
    ],
)
def test_whoever_is_there_has_walked_over(setup, there, decision, scores):
    meeting = PairingState(round=2, number=3, entrants=(5, 6, 7))
    closed = results.walk_over(setup, meeting, there)
    assert (closed.decision, closed.scores) == (decision, scores)
    assert closed.is_over == (len(there) < 3)


def test_award_gives_all_games_or_draws_all(setup):
    assert results.awarded(setup, (5, 6), 1) == (Score(losses=4), Score(wins=4))
    assert results.awarded(setup, (5, 6, 7), None) == (Score(draws=4),) * 3
