"""The interface between a game and a launcher: orders and launched containers."""

import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

Purpose = Literal["bot", "build"]


@dataclass(frozen=True, slots=True)
class Order:
    """One container. Its language determines what runs in it; an order has no other options."""

    language: str  # a row of `botkit.languages`
    entry: str  # the file in /bot that its command names
    files: Mapping[str, bytes]  # the read-only files of /bot, by relative path
    purpose: Purpose = "bot"  # "build" runs the language's compiler, with its own limits


@dataclass(slots=True)
class Launched:
    """A started container. The caller owns every descriptor; the pipes are non-blocking.

    Closing `control` ends everything in the container. `counters` are files of its control group:
    CPU time, memory events, peak memory; empty if its host has none.
    """

    stdin: int
    stdout: int
    stderr: int
    control: socket.socket
    counters: tuple[int, ...]
    ran_out_of_memory: Callable[[], bool]  # after its end; asks the engine, False if it is away
    release: Callable[[], None]  # once, after closing `control`: frees folder and user id
    oci_runtime: str = ""  # that started it; "" is the engine's default


class Launcher(Protocol):
    """Starts containers: inside this process, or through the service that may."""

    def images(self) -> Mapping[str, str]:
        """Return the image id of every runtime whose image exists. Raise `IsolationUnavailable`."""
        ...

    def launch(self, order: Order) -> Launched:
        """Start one container, or raise `PlatformFault` and leave nothing behind."""
        ...

    def figures(self) -> Mapping[str, int] | None:
        """Return the figures of a service (`sandbox.launcher.wire.Figures`), None without one."""
        ...

    def close(self) -> None:
        """Drop waiting containers and clear released ones. Safe to call twice."""
        ...
