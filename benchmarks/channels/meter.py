"""The meter: seats a sender and a receiver, has them use every channel, and counts the bits."""

import json
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.channels import compiled, exploit
from benchmarks.channels.rows import Channel, programs
from benchmarks.channels.score import Score
from botkit.manifest import Manifest
from botkit.package import Package, digest_of
from engine.protocol import Answer, Ask
from sandbox.levels.isolation import Isolation
from sandbox.table import Admission, BotTable, open_table
from tests.sandbox import cold

TRUSTING = Admission(trust_all=True)
PATIENT_MS = 200_000.0  # of CPU time: nothing here is to lose by a clock
SENDER, RECEIVER = "red", "blue"
TAUGHT = 16  # bits of which the sweep is told what the sender did
TOLD = {"played": exploit.told, "compiled": compiled.told}
START_S = 0.3  # from asking both ends until they work at once


class MeterBroken(Exception):
    """A program of the meter failed: nothing is known of its channel."""


class Refused(Exception):
    """The system did not allow a program what its channel needs."""


class Pair:
    """A sender and a receiver at one table; one of them may be missing."""

    def __init__(self, table: BotTable) -> None:
        self._table = table
        self.took_ms = 0.0  # by the clocks of both ends, without the way to them
        self.notes: list[str] = []

    def do(self, seat: str, channel: Channel, act: str, /, **given: Any) -> Any:
        """Have one end do something. Raise `Refused` or `MeterBroken`."""
        return self.both(channel, {seat: (act, given)})[seat]

    def both(self, channel: Channel, acts: dict[str, tuple[str, dict[str, Any]]]) -> dict[str, Any]:
        """Have ends do something at the same time."""
        asks = {}
        for seat, (act, given) in acts.items():
            request = {"program": channel.program, "do": act, "given": given}
            asks[seat] = Ask(json.dumps(request).encode() + b"\n", PATIENT_MS)
        answers = self._table.ask(asks)
        replies = {}
        for seat, answer in answers.items():
            if not isinstance(answer, Answer):
                said = self._table.stderr(seat).decode(errors="replace")
                raise MeterBroken(f"{channel.name}: {answer}\n{said}")
            replies[seat] = json.loads(answer.line)
        for reply in replies.values():
            if "failed" in reply:
                raise MeterBroken(f"{channel.name}: {reply['failed']}")
        for reply in replies.values():
            if "refused" in reply:
                raise Refused(reply["refused"])
        self.took_ms += max(reply["ms"] for reply in replies.values())
        return {seat: reply["gives"] for seat, reply in replies.items()}


@contextmanager
def seated(isolation: Isolation, folder: Path, seats: Sequence[str]) -> Iterator[Pair]:
    """Seat the ends of a game."""
    files = programs()
    bot = Package(Manifest("end"), files, digest_of(files))
    with open_table(
        isolation=isolation,
        seats=dict.fromkeys(seats, bot),
        work_dir=folder,
        admission=TRUSTING,
    ) as table:
        yield Pair(table)


def beside(
    isolation: Isolation,
    folder: Path,
    rows: Sequence[Channel],
    rng: random.Random,
    notes: list[str] | None = None,
) -> dict[str, Score]:
    """Measure what passes between two seats of one game, once through each channel."""
    with seated(isolation, folder, (SENDER, RECEIVER)) as pair:
        scores = {row.name: transmitted(pair, row, rng) for row in rows}
    if notes is not None:
        notes += pair.notes
    return scores


def into_the_next_game(
    isolation: Isolation, folder: Path, rows: Sequence[Channel], rng: random.Random
) -> dict[str, Score]:
    """Measure what passes from one game to the next, once through each channel."""
    sent = {}
    scores = {
        row.name: TOLD[row.way](isolation, folder, row, rng) for row in rows if row.way in TOLD
    }
    with seated(isolation, folder, (SENDER,)) as pair:
        for row in (row for row in rows if row.way not in TOLD):
            bits, key = _bits(row.bits, rng), _key(rng)
            try:
                _prepare(pair, row, (SENDER,), key)
                pair.do(SENDER, row, "send", bits=bits, key=key, **row.given)
            except Refused as why:
                scores[row.name] = _score(bits, "", 0.0, str(why))
            else:
                sent[row.name] = (bits, key, _taken(pair))
    with seated(isolation, folder, (RECEIVER,)) as pair:
        for row in rows:
            if row.name in sent:
                bits, key, took_ms = sent[row.name]
                given = {"count": row.bits, "key": key, **row.given}
                came, refused = _tried(partial(pair.do, RECEIVER, row, "read", **given))
                scores[row.name] = _score(bits, came, took_ms + _taken(pair), refused)
    return scores


def transmitted(pair: Pair, row: Channel, rng: random.Random) -> Score:
    """Send random bits through a channel once."""
    bits = _bits(row.bits, rng)
    pair.took_ms = 0.0
    came, refused = _tried(partial(WAYS[row.way], pair, row, bits, _key(rng)))
    took_ms = _taken(pair)
    for seat in (SENDER, RECEIVER):
        pair.do(seat, row, "rest")
    return _score(bits, came, took_ms, refused)


def _message(pair: Pair, row: Channel, bits: str, key: int) -> str:
    _prepare(pair, row, (SENDER, RECEIVER), key)
    pair.do(SENDER, row, "send", bits=bits, key=key, **row.given)
    return str(pair.do(RECEIVER, row, "read", count=row.bits, key=key, **row.given))


def _prepare(pair: Pair, row: Channel, seats: Sequence[str], key: int) -> None:
    """Have the ends prepare, which takes no time from the channel, and drop what is to be cold."""
    given = {"count": row.bits, "key": key, **row.given}
    cold.drop([path for seat in seats for path in pair.do(seat, row, "prepare", **given) or []])
    pair.took_ms = 0.0


def _level(pair: Pair, row: Channel, bits: str, _key: int) -> str:
    """Compare a number between the halves of a slot; the sender is on in one of them."""
    return "".join("1" if first > second else "0" for _, first, second in _slots(pair, row, bits))


def _flow(pair: Pair, row: Channel, bits: str, _key: int) -> str:
    """Compare how much a number grows in the halves of a slot."""
    slots = _slots(pair, row, bits)
    return "".join("1" if one - zero > two - one else "0" for zero, one, two in slots)


def _slots(pair: Pair, row: Channel, bits: str) -> Iterator[tuple[float, float, float]]:
    before = pair.do(RECEIVER, row, "look", **row.given)
    for bit in bits:
        looks = [before]
        for on in (bit == "1", bit != "1"):
            pair.do(SENDER, row, "turn", on=on, **row.given)
            looks.append(pair.do(RECEIVER, row, "look", **row.given))
        before = looks[-1]
        yield looks[0], looks[1], looks[2]


def _together(pair: Pair, row: Channel, bits: str, _key: int) -> str:
    at = time.time() + START_S
    sends = {"bits": bits, "at": at, **row.given}
    reads = {"count": len(bits), "at": at, **row.given}
    replies = pair.both(row, {SENDER: ("send", sends), RECEIVER: ("read", reads)})
    pair.took_ms -= START_S * 1000
    return str(replies[RECEIVER])


def _learned(pair: Pair, row: Channel, bits: str, _key: int) -> str:
    """Teach the sweep what the sender did, then have it guess."""
    read = pair.do(RECEIVER, row, "prepare")
    lessons = _bits(TAUGHT, random.Random(_key))
    came = ""
    for place, bit in enumerate(lessons + bits):
        for on in (bit == "1", bit != "1"):
            pair.do(SENDER, row, "turn", on=on, **row.given)
            pair.do(RECEIVER, row, "look")
        if place < TAUGHT:
            pair.do(RECEIVER, row, "learn", bit=bit)
        else:
            came += pair.do(RECEIVER, row, "guess")
    best = pair.do(RECEIVER, row, "best")
    pair.notes.append(f"{row.name}: {read} files; {', '.join(best) or 'nothing went along'}")
    return came


WAYS = {
    "message": _message,
    "level": _level,
    "flow": _flow,
    "together": _together,
    "learned": _learned,
}


def _tried(attempt: Callable[[], str]) -> tuple[str, str]:
    """Return the bits that came, and what was refused."""
    try:
        return attempt(), ""
    except Refused as why:
        return "", str(why)


def _score(bits: str, came: str, took_ms: float, refused: str) -> Score:
    """Count the right bits; where something was refused, nothing passed."""
    if refused:
        return Score(0, len(bits), took_ms, refused)
    return Score(sum(a == b for a, b in zip(bits, came, strict=True)), len(bits), took_ms)


def _bits(count: int, rng: random.Random) -> str:
    return "".join(rng.choice("01") for _ in range(count))


def _key(rng: random.Random) -> int:
    """Return a number that both ends know, so that no two messages meet."""
    return rng.randrange(1, 1 << 40)


def _taken(pair: Pair) -> float:
    took_ms, pair.took_ms = pair.took_ms, 0.0
    return took_ms
