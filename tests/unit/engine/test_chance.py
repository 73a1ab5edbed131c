"""What follows from the secrets of matches and tournaments, and what does not."""

from hashlib import sha256
from itertools import combinations

import pytest

from engine import chance
from engine.registry import find, resolve_options, variants
from engine.rng import seat_seed
from engine.seating import entrant_counts, seatings

SECRETS = [sha256(bytes([number])).hexdigest() for number in range(40)]
DECKS = 2000
CARDS = find("cards")


def dice(secret, variant, games, seed_of):
    """Return the dice of every seat in every game of a match."""
    return [
        seat_seed(seed_of(secret, game), seat)
        for game in range(1, games + 1)
        for seat in variant.seats
    ]


def fresh(secret, game):
    return chance.game_seed(secret, game=game, take=1)


def once_for_the_match(secret, _game):
    """Derive as the arena did before: one `rng_seed` for all games of a match."""
    return chance.game_seed(secret, game=1, take=1)


def deck(rng_seed, seat):
    """Return the ranks that a seat has in line, hand and pile, in their order."""
    state = CARDS.begin(resolve_options(CARDS, {}), rng_seed)
    cards = state.cards_of(("red", "blue").index(seat))
    return [state.rank[card] for card in sorted(cards)]


def hits(seed_of, secrets):
    """Count the cards of game 2 that a spy names who knows all of game 1, and all there are.

    The spy sat as red in game 1 and sits as blue in game 2. It knows the record of game 1, so its
    `rng_seed`, both decks and the dice of both seats.
    """
    named = [
        (guess, card)
        for secret in secrets
        for guess, card in zip(
            deck(seed_of(secret, 1), "red"), deck(seed_of(secret, 2), "red"), strict=True
        )
    ]
    return sum(guess == card for guess, card in named), len(named)


def by_chance(seat):
    """Return how likely two decks have the same rank at one place."""
    ranks = deck(0, seat)
    return sum(ranks.count(rank) ** 2 for rank in set(ranks)) / len(ranks) ** 2


def test_what_follows_can_be_worked_out_with_sha256sum():
    secret = "ab" * 32

    def printed(use):
        return sha256(f"drapeau/{use}/{secret}".encode()).hexdigest()

    assert chance.match_commitment(secret, match="m_1") == printed("commitment of match m_1")
    assert chance.tournament_commitment(secret, tournament="cup") == printed(
        "commitment of tournament cup"
    )
    assert chance.game_seed(secret, game=2, take=3) == int(printed("game 2/take 3")[:12], 16)
    assert chance.seats_seed(secret) == int(printed("seats")[:12], 16)
    assert chance.lots_seed(secret) == int(printed("lots"), 16)
    place = chance.place_of(round_number=3, pairing=2, leg=1, take=1)
    assert place == "round 3/pairing 2/leg 1/take 1"
    assert chance.match_secret(secret, place=place) == printed(f"match at {place}")


def test_one_value_never_serves_two_uses():
    """Nothing that is shown early is equal to something that is shown late or never."""
    secret = SECRETS[0]
    places = [
        chance.place_of(round_number=r, pairing=p, leg=leg, take=take)
        for r in (1, 2)
        for p in (1, 2)
        for leg in (1, 2)
        for take in (1, 2)
    ]
    shown = [
        secret,
        chance.match_commitment(secret, match="a"),
        chance.match_commitment(secret, match="b"),
        chance.tournament_commitment(secret, tournament="a"),
        f"{chance.lots_seed(secret):064x}",
        *(chance.match_secret(secret, place=place) for place in places),
    ]

    begins = [text[:12] for text in shown]
    seeds = [chance.seats_seed(secret), *(fresh(secret, game) for game in range(1, 5))]
    begins += [f"{seed:012x}" for seed in seeds]
    assert len(set(begins)) == len(shown) + len(seeds)


@pytest.mark.parametrize("name", sorted(variants()))
def test_no_two_dice_of_a_match_are_equal(name):
    variant = find(name)
    for entrants in entrant_counts(variant):
        games = len(seatings(variant, resolve_options(variant, {}), 1, range(entrants)))
        for secret in SECRETS:
            found = dice(secret, variant, games, fresh)
            assert all(one != other for one, other in combinations(found, 2))
            before = dice(secret, variant, games, once_for_the_match)
            assert len(set(before)) == len(variant.seats)  # what this test is against


def test_game_1_tells_no_card_of_game_2():
    secrets = [sha256(f"match {number}".encode()).hexdigest() for number in range(DECKS)]
    expected = by_chance("red")

    named, cards = hits(fresh, secrets)

    # Five standard deviations. The cards of one deck lean against each other only a little.
    allowed = 5 * (cards * expected * (1 - expected)) ** 0.5
    assert abs(named - cards * expected) < allowed


def test_the_spy_names_every_card_where_both_games_have_one_rng_seed():
    named, cards = hits(once_for_the_match, SECRETS)

    assert named == cards


def test_the_bits_of_game_2_do_not_depend_on_those_of_game_1():
    """Every bit of the second seed is as often equal to a bit of the first as not."""
    secrets = [sha256(f"bits {number}".encode()).hexdigest() for number in range(DECKS)]
    pairs = [(fresh(secret, 1), fresh(secret, 2)) for secret in secrets]

    for shift in range(chance.SEED_BITS):
        equal = sum(not (one ^ other) >> shift & 1 for one, other in pairs)
        assert abs(equal - DECKS / 2) < 5 * (DECKS / 4) ** 0.5


def test_the_lot_of_the_seats_falls_either_way():
    variant = find("general")
    options = resolve_options(variant, {"red_by_lot": True})
    first = [seatings(variant, options, chance.seats_seed(s), "ab")[0]["red"] for s in SECRETS]

    assert {"a", "b"} == set(first)


def test_what_is_written_like_a_secret():
    assert chance.is_secret(SECRETS[0])
    for other in ("", "ab", "AB" * 32, "0x" + "a" * 62, SECRETS[0] + "\n", "é" * 64):
        assert not chance.is_secret(other)
