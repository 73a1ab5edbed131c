"""Matches and games: how they end, in short and explained, and names of what is in them.

Ends are words of `engine.outcome.Termination` and of `engine.registry.endings`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from signal import Signals

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from arena.texts import Text
from botkit import endings

SEATS: Mapping[str, Text] = {
    "red": pgettext_lazy("seat", "Red"),
    "blue": pgettext_lazy("seat", "Blue"),
    "garrison": pgettext_lazy("seat", "Garrison"),
    "white": pgettext_lazy("seat", "White"),
    "black": pgettext_lazy("seat", "Black"),
}

# Sides of several seats; a side of one seat is called as its seat.
SIDES: Mapping[str, Text] = {"besiegers": pgettext_lazy("side", "Besiegers")}

VIEWS: Mapping[str, Text] = {
    "public": pgettext_lazy("perspective", "Public"),
    "full": pgettext_lazy("perspective", "All"),
}

NOT_FINISHED: Mapping[str, Text] = {
    "created": _("Not played yet."),
    "running": _("Being played: ply %(ply)s."),
}
VOID = _("Void: the platform failed, not a bot.")

# How a game ended, in the words that authors of bots read at home too.
FAULTS, DETAILED_FAULTS = (
    {ending: _(text) for ending, text in words.items()}
    for words in (endings.FAULTS, endings.DETAILED_FAULTS)
)


@dataclass(frozen=True, slots=True)
class Meaning:
    """A kind of abnormal end, for the author of the bot: what happened, why, what to do next."""

    title: Text
    what: Text
    causes: Text
    advice: Text


MEANINGS: Mapping[str, Meaning] = {
    "illegal_action": Meaning(
        _("Illegal action"),
        _(
            "The answer came in time and was well-formed, but the rules do not allow this action "
            "in this position, or its notation is wrong for this phase. The arena never plays an "
            "action for a bot, so the game ended."
        ),
        _(
            "The bot keeps its own board, which differs from the one in the view. A rule that is "
            "easy to miss, such as a forbidden repetition. An action of another phase. Notation "
            "from the point of view of the other side."
        ),
        _(
            "Compare the answer with the legal actions of the request. The detail names the rule. "
            "An action from the list in the request is always legal."
        ),
    ),
    "illegal_deployment": Meaning(
        _("Illegal set-up"),
        _(
            "The set-up breaks the rules: a wrong army, a wrong number of squares, or an unknown "
            "code."
        ),
        _(
            "A piece too many or too few. The squares in another order. The army of another "
            "variant."
        ),
        _("Compare the codes with the army in the view, and their number with the home squares."),
    ),
    "timeout": Meaning(
        _("Out of time"),
        _(
            "The action took longer than the clock allowed: the limit of one action, or what was "
            "left in the bank if that was less."
        ),
        _(
            "A search without a deadline. A loop that does not end. Many small moves that emptied "
            "the bank. Waiting for a line that never comes: each request gets exactly one answer."
        ),
        _(
            "Read the clock in every request, and stop well before it runs out. At home, wall time "
            "is close to what the arena charges, including thinking during the opponent's turn."
        ),
    ),
    "startup_timeout": Meaning(
        _("Not ready in time"),
        _("The bot did not report that it is ready within the time for its start."),
        _(
            "Tables or opening books that are computed at the start. An answer that stays in a "
            "buffer. A program that reads all of its input before it answers."
        ),
        _("Answer the start message first, prepare later, and flush after every line."),
    ),
    "crash": Meaning(
        _("Crash"),
        _("The program ended, or closed its output, during the game."),
        _(
            "An exception that nobody caught. A position that the code did not expect. A message "
            "with keys that are not always there. An exit after the last planned move."
        ),
        _(
            "The last lines of standard error usually show where it happened. Then reproduce the "
            "game at home."
        ),
    ),
    "memory_limit": Meaning(
        _("Out of memory"),
        _("The program needed more memory than a bot may use."),
        _(
            "A transposition table or cache without a limit. Copies of the board in a deep search. "
            "A list that grows with every message."
        ),
        _(
            "Limit the size of every table. The heaps of Java and Node.js are already limited to "
            "half of the allowed memory."
        ),
    ),
    "output_limit": Meaning(
        _("Too much output"),
        _("The bot wrote a line that is too long, or too much to standard error."),
        _("A note or a belief that grows with the game. A debugging print in an inner loop."),
        _("Send less, and log a summary of each move instead of every node."),
    ),
    "protocol_error": Meaning(
        _("Protocol error"),
        _(
            "The bot did not write the one line of JSON that was due on standard output, so its "
            "answer is unknown."
        ),
        _(
            "A print for debugging that goes to standard output. An answer before the request was "
            "read, or a second answer. An answer without its action. Text that is not UTF-8."
        ),
        _(
            "Print to standard error only, and compare the answer with the expected one. The SDK "
            "for Python keeps standard output for itself."
        ),
    ),
    "platform_fault": Meaning(
        _("The platform failed"),
        _(
            "This is no bot's fault: the arena could not play the game to its end. The game is "
            "void and changes no rating."
        ),
        _(
            "A machine that was restarted. A container engine that did not answer. A defect of the "
            "arena."
        ),
        _(
            "You need to do nothing: the arena plays the match again, up to a few times. If it "
            "fails every time, the operators are told and can play it again."
        ),
    ),
}

ALONGSIDE = Meaning(
    _("Forfeited as well"),
    _("This seat failed in the same turn as the seat that decided the game."),
    _("Both seats were asked at the same time, and neither answer was valid."),
    _("The detail above says what was wrong with this answer."),
)

# How a program ended, and what that usually means.
SIGNAL = _("Signal %(number)d (%(name)s)")
UNKNOWN_SIGNAL = _("Signal %(number)d")
EXIT_STATUS = _("Exit status %(status)d")
STILL_RUNNING = _("Still running")

UNTIL_THE_END = _("The referee ended it.")
OWN_STATUS = _("The program chose this status.")
STATUSES: Mapping[int, Text] = {
    0: _("The program ended by itself, as if the game were over."),
    1: _("Usually an exception that nobody caught: see the last lines of standard error."),
    2: _("Usually the program was started in a wrong way."),
}
SIGNALS: Mapping[int, Text] = {
    Signals.SIGABRT: _(
        "The program aborted: a failed assertion, or an exception that nobody caught."
    ),
    Signals.SIGBUS: _("The program accessed memory that does not exist."),
    Signals.SIGFPE: _("An impossible calculation, such as a division by zero."),
    Signals.SIGILL: _("An instruction that this processor does not have."),
    Signals.SIGKILL: _("The kernel ended the program, usually because of its memory."),
    Signals.SIGPIPE: _("The program wrote to a pipe that nobody reads any more."),
    Signals.SIGSEGV: _(
        "The program accessed memory that is not its own: a wild pointer, or too deep a recursion."
    ),
    Signals.SIGSYS: _("The program made a system call that the arena refuses."),
    Signals.SIGTERM: _("The program was asked to end."),
    Signals.SIGXCPU: _("The program used more processor time than it may use in total."),
    Signals.SIGXFSZ: _("The program wrote a larger file than it may write."),
}
