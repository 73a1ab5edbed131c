"""What every abnormal end means: what happened, what is usually behind it, and what to do next."""

from dataclasses import dataclass
from signal import Signals

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from arena.models import GameEvidence
from engine.outcome import Termination

Text = str | Promise


@dataclass(frozen=True, slots=True)
class Meaning:
    """One kind of end, in words for the author of the bot."""

    title: Text
    what: Text
    causes: Text
    advice: Text


MEANINGS = {
    Termination.ILLEGAL_ACTION: Meaning(
        _("Illegal action"),
        _(
            "The answer came in time and was well-formed, but the rules do not allow that action"
            " in this position, or it is not written in the notation of this phase. No action is"
            " ever made for a bot, so the game ended there."
        ),
        _(
            "A board of its own that has drifted from the one in the view; a rule that is easy to"
            " miss, such as a barred repetition; an action of another phase; notation from the"
            " other side's point of view."
        ),
        _(
            "Compare the answer with the legal actions of the request. The detail names the rule."
            " Choosing from the list that is sent can never be illegal."
        ),
    ),
    Termination.ILLEGAL_DEPLOYMENT: Meaning(
        _("Illegal set-up"),
        _(
            "The set-up breaks the rules: a wrong army, a wrong number of places, or an unknown"
            " code."
        ),
        _(
            "A piece too many or too few; the squares taken in another order; the army of another"
            " variant."
        ),
        _("Count the codes against the army in the view, and the places against its home squares."),
    ),
    Termination.TIMEOUT: Meaning(
        _("Out of time"),
        _(
            "The action cost more than the clock allowed: the cap for one action, or what was left"
            " in the bank where that was less."
        ),
        _(
            "A search without a deadline; a loop that does not end; many small moves that emptied"
            " the bank; waiting for a line that does not come, as each request gets one answer."
        ),
        _(
            "Read the clock in every request and stop well before it: at home, wall time is nearly"
            " what the arena charges, thinking on the other's turn included."
        ),
    ),
    Termination.STARTUP_TIMEOUT: Meaning(
        _("Not ready in time"),
        _("The bot did not say that it is ready within its start-up budget."),
        _(
            "Tables or books that are worked out at the start; an answer that stays in a buffer;"
            " a program that reads all of its input before it answers."
        ),
        _("Answer the start first and prepare later, and flush after every line."),
    ),
    Termination.CRASH: Meaning(
        _("Crash"),
        _("The program ended, or closed its output, while the game went on."),
        _(
            "An exception that nobody caught; a position that the code did not expect; a message"
            " with keys that are not always there; an exit after the last move it planned."
        ),
        _(
            "The last lines of standard error say as a rule where it was. Then run it again at"
            " home."
        ),
    ),
    Termination.MEMORY_LIMIT: Meaning(
        _("Out of memory"),
        _("The program needed more memory than a bot may have."),
        _(
            "A transposition table or cache without a bound; copies of the board in a deep search;"
            " a list that grows with every message."
        ),
        _("Bound every table. The heap of Java and Node.js is already held to half of the limit."),
    ),
    Termination.OUTPUT_LIMIT: Meaning(
        _("Too much output"),
        _("The bot wrote a line that is longer than a line may be, or too much to standard error."),
        _("A note or a belief that grows with the game; a debugging print in an inner loop."),
        _("Cut what is sent, and log a summary of each move instead of every node."),
    ),
    Termination.PROTOCOL_ERROR: Meaning(
        _("Protocol error"),
        _(
            "What came on standard output is not the one line of JSON that was due, so nobody can"
            " tell what the bot wanted."
        ),
        _(
            "A print for debugging that goes to standard output; an answer before the request was"
            " read, or a second one; a key that the protocol does not have; text that is not UTF-8."
        ),
        _(
            "Print to standard error only, and compare what came back with the expected answer."
            " The SDK for Python keeps standard output for itself."
        ),
    ),
    Termination.PLATFORM_FAULT: Meaning(
        _("The platform failed"),
        _(
            "No bot is to blame: the arena could not play the game to its end. It is void, so it"
            " counts for nobody's rating."
        ),
        _(
            "A machine that was restarted, an engine of containers that did not answer, a defect of"
            " ours."
        ),
        _(
            "Nothing: the match is played again by itself, a few times. Where it failed for good,"
            " the operators see it, and may play it again."
        ),
    ),
}

ALONGSIDE = Meaning(
    _("Forfeited as well"),
    _("This seat failed in the same turn as the one that the game is named after."),
    _("Both were asked at once, and neither answer could stand."),
    _("The words above say what was wrong with this one."),
)

_STATUSES = {
    0: _("it ended by itself, as if the game had been over"),
    1: _("as a rule an exception that nobody caught: see the last lines of standard error"),
    2: _("as a rule a wrong way to start it"),
}
_SIGNALS = {
    Signals.SIGABRT: _("it gave up by itself: a failed assertion, or an exception nobody caught"),
    Signals.SIGBUS: _("it touched memory that is not there"),
    Signals.SIGFPE: _("a calculation that cannot be, such as a division by zero"),
    Signals.SIGILL: _("an instruction that this processor does not have"),
    Signals.SIGKILL: _("the kernel ended it, as a rule for its memory"),
    Signals.SIGPIPE: _("it wrote to a pipe that nobody reads any more"),
    Signals.SIGSEGV: _("it touched memory that is not its own: a wild pointer, or too deep a call"),
    Signals.SIGSYS: _("it made a system call that the arena refuses"),
    Signals.SIGTERM: _("it was asked to end"),
    Signals.SIGXCPU: _("it used more processor time than a program may in all"),
    Signals.SIGXFSZ: _("it wrote a larger file than it may"),
}


def of(termination: Termination | None) -> Meaning:
    """Explain an end; None is that of a seat which fell beside another."""
    return ALONGSIDE if termination is None else MEANINGS[termination]


def end_of(row: GameEvidence) -> tuple[str, str]:
    """Return how the program ended, and what that means; the second may be empty."""
    if row.signal is not None:
        known = row.signal in [*Signals]
        name = Signals(row.signal).name if known else gettext("unknown")
        said = gettext("signal %(number)d (%(name)s)") % {"number": row.signal, "name": name}
        return said, str(_SIGNALS[Signals(row.signal)]) if row.signal in _SIGNALS else ""
    if row.exit_status is not None:
        said = gettext("exit status %(status)d") % {"status": row.exit_status}
        return said, str(_STATUSES.get(row.exit_status, _("a status of its own choice")))
    return gettext("still running"), gettext("until the referee ended it")
