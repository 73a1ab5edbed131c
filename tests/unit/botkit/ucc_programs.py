"""Programs for the UCC adapter that say what they are told to, and games between one and a script.

A dialogue is text: what the program hears stands behind `>`, what it says behind `<`. Boards are
left out, because they come before each move.
"""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from botkit import Conversation
from botkit.ucc import UccBot
from engine.record import Record
from tests.unit.engine.players import READY, MemoryTable, say, scripted
from tests.unit.engine.refereed import CLASSIC, record_of

PROGRAM = """
import os, sys, time

SAID = iter({said!r})
heard = open({heard!r}, "a", buffering=1)
rows = 0
for line in sys.stdin:
    heard.write(line)
    rows = rows + 1 if len(line) == 11 and " " not in line else 0
    if line.startswith(("RED ", "BLUE ")) or rows == 10:
        said = next(SAID)
        {does}
        print(said, flush=True)
{after}
"""

# The rows of a set-up from the back: the flag is on a1 of red, or on a10 of blue.
ROWS = ("FBBBBBB888", "8877776666", "5555444339", "1s99929999")
REST = "BBBBBBS2222222333335556666777" + "8"
BLUE = REST + "2F448944M5"  # for an opponent: from j7 to a7 at the front
RED = REST + "5M449844F2"  # from a4 to j4


def rows_of(seat: str) -> str:
    """Return the rows of the set-up as the program of a seat writes them."""
    return "\n".join(ROWS if seat == "red" else ROWS[::-1])


class UccTable(MemoryTable):
    """A table with a UCC program in one seat, and in the other one what plays these actions."""

    def __init__(self, seat: str, bot: UccBot, actions: Sequence[str]) -> None:
        self._seat, self._game = seat, Conversation(lambda: bot)
        deployment = BLUE if seat == "red" else RED
        other = scripted(READY, *map(say, (deployment, *actions, "resign")))
        super().__init__({seat: self._say, ("blue" if seat == "red" else "red"): other})

    def tell(self, seat: str, line: bytes) -> None:
        super().tell(seat, line)
        if seat == self._seat:
            self._game.receive(line)

    def _say(self, _message: dict[str, Any]) -> bytes:
        return (self._game.receive(self.sent[self._seat][-1]) or b"").rstrip()


def program(
    folder: Path, said: Sequence[str], *, does: str = "pass", after: str = ""
) -> tuple[str, str]:
    """Write a program that says these texts, one when it is asked, and return its command.

    `does` is done before each, with `said` in reach; `after` when its input is over.
    """
    path = folder / "program.py"
    heard = str(folder / "heard")
    path.write_text(PROGRAM.format(said=list(said), heard=heard, does=does, after=after))
    return sys.executable, str(path)


def heard_by(folder: Path) -> list[str]:
    """Return the lines that the program has heard."""
    return (folder / "heard").read_text().splitlines()


def without_boards(lines: Sequence[str]) -> list[str]:
    """Return what was said beside the boards."""
    return [line for line in lines if " " in line or line in ("START", "QUIT")]


def play_ucc(
    command: Sequence[str],
    actions: Sequence[str] = (),
    *,
    seat: str = "red",
    on_barred: str = "forfeit",
    options: Mapping[str, Any] | None = None,
) -> tuple[Record, UccBot]:
    """Play a game of a program against these actions, and a resignation after them."""
    bot = UccBot()
    bot.command, bot.on_barred = command, on_barred
    table = UccTable(seat, bot, actions)
    return record_of(CLASSIC, options=options, table=table), bot
