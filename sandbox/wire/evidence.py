"""What is kept of a bot's last exchange, so that its owner can see why it lost its seat."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Evidence:
    """The last line that a bot was sent, what came of it, and what was measured until then.

    For the bot's owner only: both lines hold what other seats may not know.
    """

    request: bytes  # as sent, with its line feed, up to `limits.EVIDENCE_REQUEST_BYTES`
    received: bytes  # all that came since, up to the longest line that a bot may send, and one byte
    charged_ms: float  # for this request; what `Table.clock_basis` measures
    allowance_ms: float  # what it might have cost
    wall_ms: float  # from sending the request to the answer, or to the failure
    cpu_ms: float | None  # of the bot and its children, since it started; None without a CPU clock
    peak_memory_bytes: int | None  # since it started; None where nobody counts
    exit_status: int | None  # of a bot that ended by itself
    signal: int | None  # of a bot that was ended by the kernel or by itself, not by the referee
