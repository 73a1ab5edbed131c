"""The build step of compiled languages: sources go into a container, one file comes out of a pipe.

A compiler processes untrusted input. It therefore runs as isolated as a bot, and the only output
read from it are two pipes, each up to a cap and before a deadline: no path in its container is ever
opened.
"""

import os
import select
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from botkit import languages
from botkit.languages import Language
from botkit.package import Package
from engine.protocol import PlatformFault
from sandbox import limits
from sandbox.launcher.order import Order
from sandbox.levels import container
from sandbox.levels.container import ContainerProgram
from sandbox.levels.isolation import Isolation, launcher_of
from sandbox.refusal import BuildFailed, IsolationRefused
from sandbox.wire.channel import StderrLog
from sandbox.wire.starvation import Starvation


@dataclass(frozen=True, slots=True)
class Built:
    """What a compiler made of a bot, what it printed, and the id of the image that it ran in."""

    artefact: bytes
    log: str
    took_ms: int
    image: str


def bot_order(package: Package) -> Order:
    """Return the order for playing a bot: what was compiled in place of the sources.

    Raise `PlatformFault` if it has not been compiled. A file or folder of the name of the compiled
    file makes room for it.
    """
    language = _language(package)
    if not language.compiled:
        return Order(language.name, package.manifest.entry, package.files)
    if not package.artefact:
        raise PlatformFault(f"a bot in {language.title} was to play and has not been compiled")
    name = language.artefact
    data = {
        path: content
        for path, content in package.files.items()
        if path.split("/")[0] != name and not path.lower().endswith(language.suffixes)
    }
    return Order(language.name, name, {**data, name: package.artefact})


def build_order(package: Package) -> Order:
    """Return the order for compiling a bot."""
    return Order(package.manifest.language, package.manifest.entry, package.files, "build")


def build(
    package: Package,
    *,
    isolation: Isolation,
    work_dir: Path,
    on_wait: Callable[[], None] = lambda: None,
) -> Built:
    """Compile a bot, or raise `BuildFailed` with the explanation for its author.

    Call `on_wait` about every second meanwhile; exceptions from it pass through. No process keeps
    running, whatever happens. Raise `IsolationRefused` if there are no containers, and
    `PlatformFault`.
    """
    if isolation.kind != "docker":
        raise IsolationRefused(f"nothing is compiled outside a container: {isolation.reason}")
    language = _language(package)
    with launcher_of(isolation, work_dir) as launcher:
        image = launcher.images().get(language.runtime)
        if image is None:
            raise PlatformFault(f"there is no image to compile {language.title} in")
        began_s = time.monotonic()
        with closing(container.start(launcher, build_order(package))) as program:
            deadline_s = time.monotonic() + limits.BUILD_WALL_S
            run = _Run(program, on_wait, deadline_s, Starvation(program))
            artefact = run.artefact(language)
    return Built(artefact, run.text(), round((time.monotonic() - began_s) * 1000), image)


def _language(package: Package) -> Language:
    language = languages.find(package.manifest.language)
    if language is None:
        raise PlatformFault(f"a bot is in {package.manifest.language}, which is not known any more")
    return language


@dataclass(slots=True)
class _Run:
    """A running compiler."""

    program: ContainerProgram
    on_wait: Callable[[], None]
    deadline_s: float
    starvation: Starvation
    output: bytearray = field(default_factory=bytearray)
    said: StderrLog = field(default_factory=StderrLog)

    def artefact(self, language: Language) -> bytes:
        """Wait for the compiled file and return it. Raise `BuildFailed`."""
        self.starvation.more_ms()  # count from here
        self._listen()
        end = self.program.exit(self._left_s() * 1000)
        if end is None:
            raise self._too_late()
        if end.out_of_memory:
            most = limits.BUILD_MEMORY_BYTES // limits.MIB
            raise self._failure("build_failed", f"compiling took more than {most} MiB of memory")
        if end.status != 0:
            raise self._failure("build_failed", languages.REFUSED)
        if not self.output.startswith(language.magic):
            raise self._failure("build_no_output", languages.MADE_NOTHING)
        return bytes(self.output)

    def text(self) -> str:
        """Return the compiler's messages, without the middle if they are long."""
        return self.said.text().decode(errors="replace")

    def _listen(self) -> None:
        """Read both pipes to their end."""
        still = {self.program.stdout, self.program.stderr}
        ready = select.poll()
        for descriptor in still:
            ready.register(descriptor, select.POLLIN)
        step_s = time.monotonic() + limits.WAIT_STEP_S
        while still:
            for descriptor, _ in ready.poll(min(self._left_s(), limits.WAIT_STEP_S) * 1000):
                piece = os.read(descriptor, limits.READ_BYTES)
                if descriptor == self.program.stdout:
                    self.output += piece
                else:
                    self.said.add(piece)
                if len(self.output) > limits.ARTEFACT_MAX_BYTES:
                    most = limits.ARTEFACT_MAX_BYTES // limits.MIB
                    why = f"the program built is larger than {most} MiB"
                    raise self._failure("build_too_large", why)
                if self.said.total > limits.STDERR_MAX_BYTES:
                    most = limits.STDERR_MAX_BYTES // limits.KIB
                    why = f"the compiler had more than {most} KiB to say"
                    raise self._failure("build_failed", why)
                if not piece:
                    ready.unregister(descriptor)
                    still.remove(descriptor)
            if time.monotonic() >= step_s:
                step_s += limits.WAIT_STEP_S
                self.on_wait()

    def _left_s(self) -> float:
        """Return the time left. Raise `BuildFailed` or, if the host is to blame, `HostStarved`."""
        left_s = self.deadline_s - time.monotonic()
        if left_s <= 0:
            self.deadline_s += self.starvation.more_ms() / 1000
            left_s = self.deadline_s - time.monotonic()
        if left_s <= 0:
            raise self._too_late()
        return left_s

    def _too_late(self) -> BuildFailed:
        most = limits.BUILD_WALL_S
        return self._failure("build_timeout", f"compiling took longer than {most} seconds")

    def _failure(self, code: str, message: str) -> BuildFailed:
        return BuildFailed(code, message, self.text())
