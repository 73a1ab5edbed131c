"""The evidence of a bot's last exchange, which shows its owner why it lost its seat."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Evidence:
    """The last request to a bot, its answer, and the measurements until then.

    Only for the bot's owner: both lines contain information that is hidden from other seats.
    """

    request: bytes  # as sent, with its line feed, up to `limits.EVIDENCE_REQUEST_BYTES`
    received: bytes  # everything since, up to the longest line that a bot may send, and one byte
    charged_ms: float  # for this request; what `Table.clock_basis` measures
    allowance_ms: float  # the limit of `charged_ms`
    wall_ms: float  # from the request to the answer or failure, without starvation by the host
    cpu_ms: float | None  # of the bot and its children, since it started; None without a CPU clock
    peak_memory_bytes: int | None  # since it started; None if nothing counts it
    exit_status: int | None  # of a bot that ended by itself
    signal: int | None  # of a bot that was ended by the kernel or by itself, not by the referee
