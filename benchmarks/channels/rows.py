"""The channels, as `channels.toml` lists them."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
SWEPT_BITS = 32
LEVELS = ("process", "bubblewrap", "runc", "vfs", "runsc")
WAYS = ("message", "level", "flow", "together", "learned", "played", "compiled")


@dataclass(frozen=True)
class Channel:
    """One way for bits, and the levels at which it is expected to be open.

    `way` is how the ends work together: the sender leaves a message, or it switches a level or a
    flow bit by bit, or both work at once; `learned` is for the sweep, `played` for a spy in two
    real games, and `compiled` for a compiler that sends. `beside` and `next_game` name
    the levels at which bits pass between the seats of a game, and into the next one; None where
    there is nothing to expect, and nothing is measured.
    """

    name: str
    program: str
    way: str
    given: Mapping[str, Any] = field(default_factory=dict)
    bits: int = 64
    quick: bool = False  # whether `make test` measures it
    beside: tuple[str, ...] | None = None
    next_game: tuple[str, ...] | None = None


def channels() -> list[Channel]:
    """Return all channels. Raise ValueError for a row that is not as it should be."""
    listed = tomllib.loads((FOLDER / "channels.toml").read_text())
    found = [Channel(**row) for row in listed["channel"]]
    for row in listed["sweep"]:
        given = {"act": row["act"]}
        found.append(
            Channel(
                f"sweep: {row['act']}", "sweep", "learned", given, SWEPT_BITS, beside=row["beside"]
            )
        )
    for row in found:
        levels = {*(row.beside or ()), *(row.next_game or ())}
        if row.way not in WAYS or not levels <= set(LEVELS):
            raise ValueError(f"{row.name}: no such way or level: {row.way}, {levels}")
    return found


def programs() -> dict[str, bytes]:
    """Return the files of a bot that is either end of every channel."""
    files = {path.name: path.read_bytes() for path in (FOLDER / "programs").glob("*.py")}
    return files | {"bot.py": b"import ends\nends.serve()\n"}
