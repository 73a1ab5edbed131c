"""What follows from the secrets of matches and tournaments, and what does not."""

from hashlib import sha256

from engine import chance


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


def test_what_is_written_like_a_secret():
    assert chance.is_secret("ab" * 32)
    for other in ("", "ab", "AB" * 32, "0x" + "a" * 62, "ab" * 32 + "\n", "é" * 64):
        assert not chance.is_secret(other)
