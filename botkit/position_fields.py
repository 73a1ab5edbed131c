"""What the lines of positions of several games have in common, for `botkit.positions`."""

import re
from collections.abc import Callable, Iterable, Mapping

NOTHING = "-"
UNKNOWN = "?"
ID = r"([a-z])(\d+)"
_GONE = re.compile(rf"{ID}:(.)")


class BadPosition(ValueError):
    """A line that is no position; the text says why."""


def matched(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    """Return the match of a whole text. Raise BadPosition."""
    match = pattern.fullmatch(text)
    if match is None:
        raise BadPosition(f"{text[:40]!r} cannot be read")
    return match


def whole(text: str) -> int:
    """Read a whole number from 0. Raise BadPosition."""
    if not (text.isascii() and text.isdigit()):
        raise BadPosition(f"{text[:40]!r} is no whole number from 0")
    return int(text)


def or_nothing(value: object) -> str:
    """Write a value, or the sign for none."""
    return NOTHING if value is None else str(value)


def rank_in(sign: str, ranks: Iterable[str]) -> str:
    """Read one of these ranks. Raise BadPosition."""
    if sign not in ranks:
        raise BadPosition(f"{sign} is no rank of this game")
    return sign


def rank_or_back(sign: str, ranks: Iterable[str]) -> str | None:
    """Read one of these ranks, or None for one that is not seen. Raise BadPosition."""
    return None if sign == UNKNOWN else rank_in(sign, ranks)


def owner_of(letter: str, seats: Iterable[str]) -> str:
    """Return the seat whose ids begin with a letter. Raise BadPosition."""
    owners = {seat[0]: seat for seat in seats}
    if letter not in owners:
        raise BadPosition(f"an id begins with {' or '.join(owners)}, not with {letter}")
    return owners[letter]


def write_gone(gone: Iterable[Mapping[str, str]]) -> str:
    """Write what has left the game."""
    return ",".join(f"{piece['id']}:{piece['rank']}" for piece in gone) or NOTHING


def read_gone(
    text: str, seats: Iterable[str], ranks_of: Callable[[str], Iterable[str]]
) -> list[dict[str, str]]:
    """Read what has left the game, given the ranks that a seat can have."""
    gone = []
    for match in [] if text == NOTHING else [matched(_GONE, entry) for entry in text.split(",")]:
        seat = owner_of(match[1], seats)
        rank = rank_in(match[3], ranks_of(seat))
        gone.append({"id": match[1] + match[2], "seat": seat, "rank": rank})
    return gone
