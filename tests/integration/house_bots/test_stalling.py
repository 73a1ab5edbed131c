"""Stalling pays in no variant: a small fixed case of what the soak measures at length."""

import pytest

from engine.registry import find
from tests.integration.house_bots.house import play_game
from tests.integration.house_bots.stallers import Homebody, Plugger, stallers_of
from tests.integration.house_bots.stalling import PAYS, Score, opponents, points
from tests.unit.engine.games import games_of_drapeau

GAMES = 2
FIRST = [  # of each side
    pytest.param(slug, staller, id=f"{slug}-{staller.__name__.lower()}")
    for slug in games_of_drapeau()
    for staller in dict.fromkeys(stallers[0] for stallers in stallers_of(slug).values())
]


@pytest.mark.parametrize(("slug", "staller"), FIRST)
@pytest.mark.kept("cards-peeper", "general-turtle")
def test_staller_takes_under_half_from_strongest_house_bot(slug, staller):
    best, score = opponents(slug)[-1], Score()
    sides = [side for side, stallers in stallers_of(slug).items() if staller in stallers]
    for rng_seed in range(GAMES):
        side = sides[rng_seed % len(sides)]
        (other,) = set(find(slug).sides) - {side}
        score.add(points(slug, {side: staller, other: best}, rng_seed))

    assert score.games == GAMES
    assert score.share < PAYS


@pytest.mark.parametrize(
    ("garrison", "besiegers", "inside"),
    [(Plugger, "castellan", True), ("castellan", Homebody, False)],
)
@pytest.mark.kept("Plugger-castellan-True")
def test_siege_staller_loses_at_cap_instead_of_drawing(garrison, besiegers, inside):
    now = play_game("siege", garrison, besiegers, 1)[0].result
    once = play_game("siege", garrison, besiegers, 1, options={"caps": "draw"})[0].result

    assert now.termination == once.termination == "no_progress_cap"
    assert dict(once.points or {}) == {"garrison": 0.5, "besiegers": 0.5}
    assert dict(now.points or {}) == {"garrison": 1.0 - inside, "besiegers": 0.0 + inside}
