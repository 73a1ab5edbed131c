"""Exact knowledge in a duel so small that every set-up of the enemy can be tried."""

from collections import Counter
from itertools import permutations
from types import MappingProxyType

import pytest
from scipy.stats import chisquare

from engine.duel.spec import DuelSpec
from engine.duel.variant import make_duel
from engine.registry import resolve_options
from engine.rng import Rng
from tests.unit.engine.games import caps, readings

SPEC = DuelSpec(
    slug="tiny",
    version=1,
    title="Tiny",
    files=4,
    ranks=4,
    home=("a1", "b1", "c1", "d1", "a2", "d2"),
    lakes=MappingProxyType({"none": ()}),
    army=MappingProxyType({"F": 1, "M": 1, "3": 1, "2": 1, "B": 2}),
    spy_beats="M",
    sentences=MappingProxyType({}),
)
TINY = make_duel(SPEC)
SET_UPS = sorted({"".join(each) for each in permutations("FM32BB")})
OPTIONS = [{**caps(TINY, 40), **chosen} for chosen in readings(TINY)]


class Watched:
    """A random game, what a seat knows of it, and every game that the seat cannot tell from it."""

    def __init__(self, seat, options, rng_seed):
        whole = resolve_options(TINY, options)
        self.seat, self.rng = seat, Rng(rng_seed, "tiny")
        self.state = TINY.begin(whole, 0)
        self.known = TINY.watch(whole, TINY.view(self.state, seat))
        own, other = (self.rng.choice(SET_UPS) for _ in range(2))
        self.worlds = []
        for set_up in SET_UPS:
            world = TINY.begin(whole, 0)
            TINY.apply(world, seat, own)
            events = TINY.apply(world, self.other, set_up)
            if set_up == other:
                self.state, self.told = world, self.seen(events)
            self.worlds.append((world, self.seen(events)))
        self._hear()

    @property
    def other(self):
        return next(seat for seat in TINY.seats if seat != self.seat)

    def seen(self, events):
        return [event.seen_by(self.seat) for event in events]

    def play(self):
        """Play a random action, and drop every game in which it looks otherwise."""
        (seat,) = TINY.asked(self.state)
        action = TINY.sample(self.state, seat, self.rng)
        moved = []
        for world, _ in self.worlds:
            legal = TINY.legal(world, seat) or []
            if action in legal:
                moved.append((world, self.seen(TINY.apply(world, seat, action))))
            elif world is self.state:
                raise AssertionError(action)
        self.worlds = moved
        self.told = next(told for world, told in moved if world is self.state)
        self._hear()

    def _hear(self):
        self.worlds = [(world, told) for world, told in self.worlds if told == self.told]
        for event in self.told:
            self.known.hear(event)

    def ranks(self):
        """Return by hidden piece how often it has each rank in the games that fit."""
        counts: dict[str, Counter[str]] = {}
        for world, _ in self.worlds:
            shown = {piece["id"]: piece["rank"] for piece in TINY.view(world, "full")["pieces"]}
            for piece in self.known.deal().marginals:
                counts.setdefault(piece, Counter())[shown[piece]] += 1
        return counts


def followed(rng_seed, options, plies=25):
    """Yield a game after each of its plies, as long as it goes on."""
    game = Watched(TINY.seats[rng_seed % 2], options, rng_seed)
    while TINY.result(game.state) is None and plies:
        yield game
        game.play()
        plies -= 1


@pytest.mark.parametrize("options", OPTIONS, ids=range(len(OPTIONS)))
def test_marginals_are_those_of_all_fitting_set_ups(options):
    compared = 0
    for rng_seed in range(12):
        for game in followed(rng_seed, options):
            size = len(game.worlds)
            expected = {
                piece: {rank: count / size for rank, count in counts.items()}
                for piece, counts in game.ranks().items()
            }
            assert game.known.deal().marginals == expected, (rng_seed, TINY.ply(game.state))
            assert game.known.deal().count == size
            compared += bool(expected)

    assert compared > 60


def test_every_fitting_world_drawn_equally_often():
    tried = 0
    for rng_seed in range(30):
        for game in followed(rng_seed, OPTIONS[0]):
            weights = {share.weight for share in game.known.deal().shares}
            if len(weights) > 1 and 20 < len(game.worlds) < 150:
                break
        else:
            continue
        fitting = ["".join(world.rank) for world, _ in game.worlds]
        rng = Rng(rng_seed, "worlds")
        drawn = Counter("".join(game.known.world(rng).rank) for _ in range(20 * len(fitting)))

        assert drawn.keys() <= {*fitting}
        assert chisquare([drawn[each] for each in fitting]).pvalue > 0.001
        tried += 1
    assert tried >= 3


def test_no_world_drawn_before_set_up():
    whole = resolve_options(TINY, {})
    known = TINY.watch(whole, TINY.view(TINY.begin(whole, 0), "red"))

    with pytest.raises(ValueError, match="before both seats have deployed"):
        known.world(Rng(1))
