"""What ends a command of the server: Ctrl-C, SIGTERM, or the end of its terminal."""

import signal
from types import FrameType

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def end_as_ctrl_c_does() -> None:
    """Make the first of these signals a KeyboardInterrupt, and the later ones nothing.

    So the end itself is not cut short, however often somebody presses Ctrl-C. What we were started
    to ignore stays ignored, such as SIGHUP under nohup.
    """
    heeded = [each for each in ENDING if signal.getsignal(each) != signal.SIG_IGN]

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        for each in heeded:
            signal.signal(each, signal.SIG_IGN)  # a handler would end with the interpreter
        raise KeyboardInterrupt

    for each in heeded:
        signal.signal(each, interrupt)
