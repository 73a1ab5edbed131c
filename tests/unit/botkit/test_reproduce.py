"""`drapeau reproduce`: a bot that failed in a game fails at home in the same way."""

import re

import pytest

from botkit.cli import main
from botkit.home import command_of
from botkit.program import (
    END_READ_S,
    MEMORY_BYTES,
    STDERR_MAX_BYTES,
    LocalProgram,
    LocalTable,
    limits_at_home,
)
from botkit.reproduce import reproduce
from engine.clock import ClockSpec
from engine.record import PlayerId
from engine.referee import play
from engine.registry import find, variants
from sandbox import limits
from tests.unit.engine.games import caps
from tests.unit.engine.players import MemoryTable, random_player
from tests.unit.engine.refereed import record_of

CLOCK = ClockSpec(startup_ms=20_000, bank_ms=60_000, increment_ms=100, action_ms=10_000)
HASTY = ClockSpec(startup_ms=500, bank_ms=500, increment_ms=0, action_ms=500)

BOT = """
import json, random, sys, time

FAILS_AT = {fails_at}  # the request at which it does something else
requests = 0

for line in sys.stdin:
    message = json.loads(line)
    requests += 1
    if message["type"] == "end":
        break
    if requests == FAILS_AT:
        {does}
    if message["type"] == "start":
        dice = random.Random(message["rng_seed"])
        print('{{"type": "ready"}}', flush=True)
    elif "legal" in message:
        print(json.dumps({{"action": dice.choice(message["legal"])}}), flush=True)
    else:
        army = [rank for rank, count in message["view"]["army"].items() for _ in range(count)]
        print(json.dumps({{"action": "".join(army)}}), flush=True)
"""
FAULTS = {
    "crash": (5, "sys.exit(3)"),
    "crash at the start": (1, "sys.exit(1)"),
    "illegal action": (6, 'print(\'{"action": "a1a1"}\', flush=True); continue'),
    "protocol error": (4, 'print("thinking...", flush=True); continue'),
    "much to stderr": (3, 'sys.stderr.write("x" * 900_000)'),
    "memory": (3, "hoard = b'x' * 400_000_000"),
}


class HomeTable(MemoryTable):
    """A table of players in memory with the limits of programs at home."""

    def limits(self, _seat):
        return limits_at_home()


class OneProgram(MemoryTable):
    """A table with one program among players in memory; it keeps every request."""

    def __init__(self, seat, program, others):
        super().__init__({**others, seat: lambda message: b""})
        self.seat, self.program = seat, program

    def _answer(self, seat, ask):
        if seat != self.seat:
            return super()._answer(seat, ask)
        self.sent[seat].append(ask.line)
        return self.program.ask(ask)


def play_with(command, *, variant="general", seat="red", clock=CLOCK, rng_seed=5):
    """Play a program against players at random; return the record and what it was sent."""
    rules = find(variant)
    others = {each: random_player(n) for n, each in enumerate(rules.seats)}
    with LocalProgram(command[0]) as program:
        table = OneProgram(seat, program, others)
        record = play(
            rules,
            options={"max_plies": 40} if "max_plies" in rules.options else {},
            rng_seed=rng_seed,
            game="m_x/1",
            players={each: PlayerId(each, "") for each in rules.seats},
            clock=clock,
            table=table,
            isolation="none",
        )
        return record, [line for line in table.sent[seat] if b'"type":"end"' not in line[:20]]


def write(folder, text):
    path = folder / "bot.py"
    path.write_text(text)
    return path


def run(record, folder, *words):
    path = folder / "record.json"
    path.write_text(record.to_json())
    return main(["reproduce", str(path), "--seat", *words])


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_comes_again(name, tmp_path, capfd):
    fails_at, does = FAULTS[name]
    bot = write(tmp_path, BOT.format(fails_at=fails_at, does=does))
    record, sent = play_with(command_of([str(bot)]))
    assert record.result.fault == "red"
    capfd.readouterr()

    assert run(record, tmp_path, "red", str(bot)) == 0

    said = capfd.readouterr().out.splitlines()
    assert said[0].startswith(f"in the game, red: {record.result.termination}: red: ")
    assert said[1].startswith(f"now, at request {fails_at}: {record.result.termination}: ")
    assert said[-1] == "reproduced"
    assert len(sent) == fails_at


def test_bot_that_starts_too_slowly_does_so_again(tmp_path, capfd):
    bot = write(tmp_path, BOT.format(fails_at=1, does="time.sleep(100)"))
    record, _sent = play_with(command_of([str(bot)]), clock=HASTY)

    assert run(record, tmp_path, "red", str(bot)) == 0

    said = r"now, at request 1: startup_timeout: used \d+ ms of wall time; \d+ were allowed"
    assert re.search(said, capfd.readouterr().out)


@pytest.mark.parametrize(
    ("variant", "seat"),
    [(slug, seat) for slug, variant in variants().items() for seat in variant.seats],
)
def test_bot_is_asked_exactly_as_in_game(variant, seat):
    """The clock alone may differ, as a record holds whole milliseconds."""
    rules = find(variant)
    table = HomeTable({each: random_player(n) for n, each in enumerate(rules.seats)})
    record = record_of(rules, 5, caps(rules), table=table)
    heard: list[bytes] = []
    again = random_player(rules.seats.index(seat))

    verdict = reproduce(
        record, seat, Listener(heard, again), say=lambda other: pytest.fail(str(other))
    )

    assert (verdict.forfeit, verdict.differing) == (None, ())
    assert heard == table.sent[seat][:-1]
    assert verdict.requests == len(heard)


class Listener:
    def __init__(self, heard, player):
        self.heard, self.table = heard, MemoryTable({"": player})

    def ask(self, ask):
        self.heard.append(ask.line)
        return self.table._answer("", ask)


@pytest.mark.parametrize(
    ("failed_at", "seat", "status", "said"),
    [
        (5, "red", 1, ("now, at request 5: no fault", "not reproduced")),
        (0, "red", 0, ("in the game, red: no fault", "reproduced")),
        (5, "blue", 3, ("in the game, blue: no fault", "other moves but no fault")),
    ],
)
def test_verdict_on_a_bot_without_fault(failed_at, seat, status, said, tmp_path, capfd):
    bot = write(tmp_path, BOT.format(fails_at=failed_at, does="sys.exit(3)"))
    record, _sent = play_with(command_of([str(bot)]))
    write(tmp_path, BOT.format(fails_at=0, does="pass"))

    assert run(record, tmp_path, seat, str(bot)) == status
    lines = capfd.readouterr().out.splitlines()
    assert said[0] in lines
    assert said[1] == lines[-1]


def test_differing_answers_are_told_and_game_continues(tmp_path, capfd):
    bot = write(tmp_path, BOT.format(fails_at=8, does="sys.exit(3)"))
    record, _sent = play_with(command_of([str(bot)]))
    other = BOT.format(fails_at=8, does="sys.exit(3)").replace('message["rng_seed"]', "99")
    write(tmp_path, other)

    assert run(record, tmp_path, "red", str(bot)) == 0

    said = capfd.readouterr().out.splitlines()
    assert [line for line in said if " it answers " in line and ", in the game " in line]
    assert f"now, at request 8: {record.result.termination}: " in "\n".join(said)


def test_a_seat_that_is_none_is_refused(tmp_path, capfd):
    bot = write(tmp_path, BOT.format(fails_at=2, does="sys.exit(3)"))
    record, _sent = play_with(command_of([str(bot)]))

    assert run(record, tmp_path, "green", str(bot)) == 2
    assert "--seat cannot be 'green'; it is one of red, blue" in capfd.readouterr().err


@pytest.mark.parametrize(("system", "memory"), [("linux", True), ("darwin", False)])
def test_unenforced_limit_is_not_told(system, memory, monkeypatch):
    monkeypatch.setattr("sys.platform", system)

    assert LocalTable({}).limits("red") == limits_at_home()
    assert ("memory_bytes" in limits_at_home()) is memory
    assert limits_at_home().keys() >= {"line_bytes", "stderr_bytes"}


def test_limits_at_home_are_those_of_the_arena():
    assert (MEMORY_BYTES, STDERR_MAX_BYTES) == (limits.MEMORY_BYTES, limits.STDERR_MAX_BYTES)
    assert END_READ_S == limits.END_READ_S
