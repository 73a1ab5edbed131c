"""What follows from the secrets of matches and tournaments, and what does not."""

from hashlib import sha256

from engine import chance

SECRETS = [sha256(bytes([number])).hexdigest() for number in range(40)]


def fresh(secret, game):
    return chance.game_seed(secret, game=game, take=1)


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


def test_what_is_written_like_a_secret():
    assert chance.is_secret(SECRETS[0])
    for other in ("", "ab", "AB" * 32, "0x" + "a" * 62, SECRETS[0] + "\n", "é" * 64):
        assert not chance.is_secret(other)
