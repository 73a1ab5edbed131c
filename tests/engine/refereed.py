"""Games under the referee, made in one line."""

from engine.clock import ClockSpec
from engine.protocol import Failure
from engine.record import PlayerId
from engine.referee import play
from engine.registry import find
from tests.engine.players import READY, MemoryTable, say, scripted

GENERAL = find("general")
CLASSIC = find("classic")
IDS = {seat: PlayerId(seat, "0" * 64) for seat in ("red", "blue")}
CLOCK = ClockSpec(startup_ms=1000, bank_ms=500, increment_ms=0, action_ms=100)
ARMY = "FBBBB" + "9" + "88" + "777" + "4444" + "3333" + "2222" + "S"
RUNNER = ARMY[:-2] + "S2"  # a scout on h3
BARE = ARMY[16] + ARMY[1:16] + "F" + ARMY[17:]  # the flag on h6, or h3
WALLED = "M9887776666555544443333322222S" + "BB" + "F2" + "BB" + "22" + "BB"  # classic
OPEN = "FBBBBBBM9887776666555544443333322222222S"


def referee(red, blue, *, variant=GENERAL, options=None, table=None, clock=CLOCK, **more):
    return play(
        variant,
        options=options or {},
        rng_seed=1,
        game="nonce",
        players=IDS,
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
