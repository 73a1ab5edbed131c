"""What a launcher is asked for and what it gives: all that lies between a game and Docker."""

import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

Purpose = Literal["bot", "build"]


@dataclass(frozen=True, slots=True)
class Order:
    """One container. What runs in it follows from its language; nothing else can be asked for."""

    language: str  # a row of `sandbox.uploads.languages`
    entry: str  # the file in /bot that its command names
    files: Mapping[str, bytes]  # what is laid into /bot, read-only, by relative path
    purpose: Purpose = "bot"  # "build" runs the language's compiler, under limits of its own


@dataclass(slots=True)
class Launched:
    """A started container. Every descriptor is ours; the pipes are non-blocking.

    Closing `control` ends everything in the container. `counters` are files of its control group:
    CPU time, memory events, peak memory; none where its host keeps none.
    """

    stdin: int
    stdout: int
    stderr: int
    control: socket.socket
    counters: tuple[int, ...]
    ran_out_of_memory: Callable[[], bool]  # once it has ended; asks the engine, False if it is away
    release: Callable[[], None]  # once, after `control` is closed: gives back folder and user id


class Launcher(Protocol):
    """Starts containers: inside this process, or by asking the service that may."""

    def images(self) -> Mapping[str, str]:
        """Return the image id of every runtime that is there. Raise `IsolationUnavailable`."""
        ...

    def launch(self, order: Order) -> Launched:
        """Start one container, or raise `PlatformFault` and leave nothing behind."""
        ...

    def close(self) -> None:
        """Give up what waits and clear what was released. Safe to call twice."""
        ...
