"""A bot for the bench: any legal action, on the processor that its game names."""

import os
import platform
import sys
from collections.abc import Sequence
from contextlib import suppress

from botkit import Bot, View, run


class Pinned(Bot[View]):
    """Drunkard, held to one processor: where both ends of a pipe run decides what a trip costs."""

    def begin(self) -> None:
        """Move to the processor, and tell which Python this is."""
        sys.stderr.write(f"{platform.python_version()} {platform.python_compiler()}\n")
        with suppress(PermissionError):  # in a container
            os.sched_setaffinity(0, {self.options["processor"]})

    def deploy(self, view: View) -> str:
        """Nobody deploys in this game."""
        raise NotImplementedError

    def act(self, view: View, legal: Sequence[str]) -> str:
        """Pick a legal action."""
        del view
        return self.rng.choice(legal)


if __name__ == "__main__":
    run(Pinned)
