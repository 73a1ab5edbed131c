"""Games under the referee, made in one line."""

from engine.clock import ClockSpec
from engine.protocol import Failure
from engine.record import PlayerId
from engine.referee import play
from engine.registry import find
from tests.unit.engine.players import READY, MemoryTable, random_player, say, scripted

GENERAL = find("general")
CLASSIC = find("classic")
CLOCK = ClockSpec(startup_ms=1000, bank_ms=500, increment_ms=0, action_ms=100)
ARMY = "FBBBB" + "9" + "88" + "777" + "4444" + "3333" + "2222" + "S"


def ids(variant):
    """Return who plays: the bot of each seat."""
    return {seat: PlayerId(f"bot of {seat}", "ab" * 32) for seat in variant.seats}


def random_table(variant, rng_seed):
    """Seat a random player on every seat."""
    return MemoryTable({seat: random_player(rng_seed + n) for n, seat in enumerate(variant.seats)})


def record_of(variant, rng_seed=1, options=None, *, table=None):
    """Play a game of random players, or of those of a table, under a roomy clock."""
    return play(
        variant,
        options=options or {},
        rng_seed=rng_seed,
        game="nonce",
        players=ids(variant),
        clock=ClockSpec(),
        table=table or random_table(variant, rng_seed),
        isolation="none",
    )


def referee(red, blue, *, variant=GENERAL, options=None, table=None, clock=CLOCK, **more):
    """Play a duel of two players."""
    return play(
        variant,
        options=options or {},
        rng_seed=1,
        game="nonce",
        players=ids(variant),
        clock=clock,
        table=table or MemoryTable({"red": red, "blue": blue}),
        isolation="none",
        **more,
    )


def player(*lines):
    """Start and deploy, then say these lines."""
    return scripted(READY, say(ARMY), *lines)


def fails(fault, detail="it did"):
    return Failure(fault, detail, 3.0)
