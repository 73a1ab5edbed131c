"""Random ids of rows, which do not reveal the number or the order of the rows."""

import secrets

# Base 58, without 0, O, I and l, so that people can read an id aloud and type it.
ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
LENGTH = 12  # 70 bits


def new_id(prefix: str) -> str:
    """Return an id such as `m_7gXk2RtQbn4P`."""
    return f"{prefix}_" + "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def new_match_id() -> str:
    return new_id("m")


def new_game_id() -> str:
    """Return the id that the bots of a game are told. It says neither match nor number."""
    return new_id("g")


def new_token_id() -> str:
    """Return the id of a new API token, which is not the token itself."""
    return new_id("t")


def new_trial_id() -> str:
    return new_id("vt")


def new_pairing_id() -> str:
    return new_id("p")


def new_webhook_id() -> str:
    return new_id("wh")


def new_delivery_id() -> str:
    """Return the id of a new delivery to a webhook. All its attempts carry this id."""
    return new_id("wd")
