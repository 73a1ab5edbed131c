"""The secrets of matches and tournaments, from which all their chance follows."""

import secrets

from engine import chance

SECRET_LENGTH = 2 * chance.SECRET_BYTES


def new_secret() -> str:
    """Return a secret that nobody can guess; see `engine.chance`."""
    return secrets.token_hex(chance.SECRET_BYTES)
