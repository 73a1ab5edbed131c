"""Stalling pays in no variant: a small fixed case of what the soak measures at length."""

import itertools
import random

import pytest

from botkit import SiegeView
from engine.registry import find, resolve_options
from engine.variants.siege.rules import VARIANT
from tests.integration.house_bots.house import load, play_game
from tests.integration.house_bots.stallers import Homebody, Plugger, stallers_of
from tests.integration.house_bots.stalling import PAYS, Score, opponents, points
from tests.unit.engine.games import games_of_drapeau
from tests.unit.engine.sieges import besieged

GAMES = 2
FIRST = [  # of each side
    pytest.param(slug, staller, id=f"{slug}-{staller.__name__.lower()}")
    for slug in games_of_drapeau()
    for staller in dict.fromkeys(stallers[0] for stallers in stallers_of(slug).values())
]


def test_every_variant_has_stallers_for_every_side():
    for slug in games_of_drapeau():
        sides = stallers_of(slug)
        assert sides.keys() == find(slug).sides.keys()
        assert all(sides.values())


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


@pytest.mark.parametrize("besiegers", ["forager", "castellan"])
def test_house_besiegers_lure_guard_off_gate_by_demand(besiegers):
    actions = play_game("siege", Plugger, besiegers, 1)[0].actions

    lured = [
        answer.action
        for asked, answer in itertools.pairwise(actions)
        if "!" in asked.action and answer.action[0] in "EW" and answer.action[-1].isdigit()
    ]
    assert lured


@pytest.mark.parametrize(
    ("black", "offers"), [("Sl6 Sm5 Sm8 Sp1 Cp3", True), ("So6 Sn5 Sp1 Cp3", False)]
)
def test_castellan_opens_gate_that_ally_keeps_open(black, offers):
    """White holds e6, and black has a bait for the other guard or has none."""
    inside = "SW SE GN CS SNE SSW SNW Sp12"
    state = besieged(inside, white="Se6 Sd5 Ld8 Sa1", black=black, turn="white").state
    bot = load("castellan")()
    bot.seat, bot.options, bot.rng = "white", resolve_options(VARIANT, {}), random.Random(1)

    chosen = bot.act(SiegeView(VARIANT.view(state, "white")), VARIANT.legal(state, "white") or [])

    assert (chosen == "d8-e7!") == offers
