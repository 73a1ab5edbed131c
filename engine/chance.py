"""The chance of matches and tournaments: secrets, their commitments, and what follows from them.

A secret is 256 bits as 64 hexadecimal digits. Whatever follows from it is the SHA-256 of the text
`drapeau/USE/SECRET`, so that `printf drapeau/USE/SECRET | sha256sum` works it out. It goes one way
only: whoever knows what follows for one use knows nothing of the secret and of the other uses.
"""

import hashlib
import re
from dataclasses import dataclass

SECRET_BYTES = 32
SEED_BITS = 48  # every language reads such a JSON number exactly

_SECRET = re.compile(r"[0-9a-f]{64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Chance:
    """Where the `rng_seed` of a game comes from, as a site shows it when the match is over.

    `match` is the id of the match and `game` the number of the game in it. A game that is begun
    again after a fault of the platform is `take` 2. A match of a tournament has the slug of its
    `tournament` and a `place` in it, such as `round 3/pairing 2/leg 1/take 1`; otherwise both are
    empty.
    """

    match: str
    game: int
    take: int
    commitment: str
    secret: str
    tournament: str = ""
    place: str = ""


def is_secret(text: str) -> bool:
    """Return whether a text is written as secrets and commitments are."""
    return _SECRET.fullmatch(text) is not None


def match_commitment(secret: str, *, match: str) -> str:
    """Return what a site publishes of the secret of a match before anybody plays it."""
    return _derived(secret, f"commitment of match {match}")


def tournament_commitment(secret: str, *, tournament: str) -> str:
    """Return what a site publishes of the secret of a tournament before it is played."""
    return _derived(secret, f"commitment of tournament {tournament}")


def game_seed(secret: str, *, game: int, take: int) -> int:
    """Return the `rng_seed` of a game of a match; a game that is begun again is take 2."""
    return _bits(_derived(secret, f"game {game}/take {take}"))


def seats_seed(secret: str) -> int:
    """Return the `rng_seed` of the lot that seats the entrants of a match."""
    return _bits(_derived(secret, "seats"))


def lots_seed(secret: str) -> int:
    """Return the `rng_seed` of a tournament's coins and lots, with all 256 bits.

    Their results show while the tournament is played. With fewer bits, somebody could try out all
    values until one explains them.
    """
    return int(_derived(secret, "lots"), 16)


def match_secret(secret: str, *, place: str) -> str:
    """Return the secret of the match at a place in a tournament (`place_of`)."""
    return _derived(secret, f"match at {place}")


def place_of(*, round_number: int, pairing: int, leg: int, take: int) -> str:
    """Return the place of a match in a tournament; a match that is played again is take 2."""
    return f"round {round_number}/pairing {pairing}/leg {leg}/take {take}"


def _derived(secret: str, use: str) -> str:
    return hashlib.sha256(f"drapeau/{use}/{secret}".encode()).hexdigest()


def _bits(digest: str) -> int:
    return int(digest[: SEED_BITS // 4], 16)
