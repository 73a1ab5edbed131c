"""What ends a command of the server: Ctrl-C, SIGTERM, or the end of its terminal."""

import signal
from types import FrameType

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Ended(KeyboardInterrupt):
    """The first signal that ends a command.

    It is a class of its own because of the exit status: where a plain KeyboardInterrupt passes
    through `exec` of a text, as dataclasses and named tuples use it, CPython remembers it, and a
    program started with `-m` dies of SIGINT in the end, although the exception was handled.
    """


def end_as_ctrl_c_does() -> None:
    """Make the first of these signals an Ended, and the later ones nothing.

    So the end itself is not cut short, however often somebody presses Ctrl-C. What we were started
    to ignore stays ignored, such as SIGHUP under nohup.
    """
    heeded = [number for number in ENDING if signal.getsignal(number) != signal.SIG_IGN]

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        for number in heeded:
            signal.signal(number, signal.SIG_IGN)  # a handler would end with the interpreter
        raise Ended

    for number in heeded:
        signal.signal(number, interrupt)
