"""The table of one game's bots: the sandbox's side of `engine.protocol.Table`."""

import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from pathlib import Path

from engine.protocol import LINE_CAP_BYTES, Answer, Ask, Failure, PlatformFault
from sandbox import compiling, limits
from sandbox.host.seating import BotProgram, Scripted, Seating
from sandbox.levels import container, local
from sandbox.levels.admission import Admission
from sandbox.levels.container import ContainerProgram
from sandbox.levels.isolation import Isolation, launcher_of
from sandbox.refusal import IsolationRefused
from sandbox.wire.channel import Channel
from sandbox.wire.evidence import Evidence
from sandbox.wire.exchange import Exchange
from sandbox.wire.program import Program

__all__ = ["Admission", "BotProgram", "BotTable", "Scripted", "Seating", "open_table"]


class BotTable:
    """The programs in the seats of one game. Implements `engine.protocol.Table`."""

    def __init__(
        self,
        programs: Mapping[str, Program],
        scripted: Mapping[str, Scripted],
        on_wait: Callable[[], None],
        level: str = "",
    ) -> None:
        self._limits = limits.BY_LEVEL.get(level, {})
        cpu = bool(programs) and all(program.cpu_ms() is not None for program in programs.values())
        self.clock_basis = "cpu" if cpu else "wall"
        self._scripted = scripted
        self._channels = {
            seat: Channel(program, use_cpu_clock=cpu) for seat, program in programs.items()
        }
        self._exchange = Exchange(self._channels, on_wait)
        self._was_told = False  # something that needs no answer: the end of the game
        self._closed = False

    def ask(self, asks: Mapping[str, Ask]) -> Mapping[str, Answer | Failure]:
        """Ask one or several seats at once. Raise `PlatformFault` if no bot is at fault."""
        for_bots = {seat: ask for seat, ask in asks.items() if seat in self._channels}
        if for_bots:
            self._exchange.ask(for_bots)
        return {
            seat: self._outcome(seat) if seat in for_bots else self._ask_scripted(seat, ask)
            for seat, ask in asks.items()
        }

    def limits(self, seat: str) -> Mapping[str, int]:
        """Return what is enforced on a bot here; nothing for scripted players."""
        if seat not in self._channels:
            return {}
        wire = {"line_bytes": LINE_CAP_BYTES, "stderr_bytes": limits.STDERR_MAX_BYTES}
        return {**wire, **self._limits}

    def note(self, seat: str, text: str) -> None:
        """Put a line of the arena's before a bot's stderr, for its owner."""
        if seat in self._channels:
            self._channels[seat].log.note(text)

    def tell(self, seat: str, line: bytes) -> None:
        """Send a line that needs no answer; ignore seats that are gone or scripted."""
        if seat in self._channels and not self._closed:
            self._exchange.tell(seat, line)
            self._was_told = True

    def stderr(self, seat: str) -> bytes:
        """Return a bot's stderr, without the middle if it is long; only for its owner."""
        channel = self._channels.get(seat)
        return channel.log.text() if channel else b""

    def evidence(self, seat: str) -> Evidence | None:
        """Return the evidence of a bot's last exchange; only for its owner.

        Return None for scripted players.
        """
        channel = self._channels.get(seat)
        return channel.evidence() if channel else None

    def close(self) -> None:
        """End all bots, then wait for each. Safe to call twice.

        Bots that were told the end of the game have `END_READ_S` to read it and to exit.
        """
        if self._closed:
            return
        self._closed = True
        if self._was_told:
            self._exchange.wait_for_ends(limits.END_READ_S)
        for channel in self._channels.values():
            channel.program.kill()
        with ExitStack() as all_of_them:
            for channel in self._channels.values():
                all_of_them.callback(channel.close)

    def _outcome(self, seat: str) -> Answer | Failure:
        outcome = self._channels[seat].outcome
        if outcome is None:
            raise PlatformFault(f"the bot at {seat} was asked and nothing came of it")
        return outcome

    def _ask_scripted(self, seat: str, ask: Ask) -> Answer:
        began_s = time.perf_counter()
        try:
            line = self._scripted[seat](ask.line)
        except Exception as error:
            raise PlatformFault(f"the scripted player at {seat} failed: {error!r}") from error
        return Answer(line, (time.perf_counter() - began_s) * 1000)


@contextmanager
def open_table(
    *,
    isolation: Isolation,
    seats: Mapping[str, Seating],
    work_dir: Path,
    admission: Admission,
    on_wait: Callable[[], None] = lambda: None,
) -> Iterator[BotTable]:
    """Open a table with all programs, and always clear it afterwards.

    `work_dir` must be the same path for this process and for the Docker engine. Without
    containers, bots also end with the thread that opened the table: open, play and close in one
    thread. Call `on_wait` about every second while a bot, or its start, keeps the table waiting;
    exceptions from it pass through. Raise `IsolationRefused`, before anything has started, if a
    program may not run at this level, and `PlatformFault` if one cannot start.
    """
    programs = {seat: seating for seat, seating in seats.items() if isinstance(seating, BotProgram)}
    scripted = {
        seat: seating for seat, seating in seats.items() if not isinstance(seating, BotProgram)
    }
    for seat, program in programs.items():
        admission.check(isolation=isolation, seat=seat, digest=program.digest)
        language = program.manifest.language
        if language not in isolation.languages:
            known = ", ".join(isolation.languages)
            raise IsolationRefused(
                f"the bot at {seat} was not run: it is written in {language}, and at the level "
                f"{isolation.kind!r} there is only {known} here. "
                "`python -m sandbox build-image --all` makes the images of all languages."
            )
    with ExitStack() as cleanup:
        running = start(isolation, programs, work_dir.absolute(), cleanup, on_wait)
        table = BotTable(running, scripted, on_wait, isolation.kind)
        cleanup.callback(table.close)
        yield table


def start(
    isolation: Isolation,
    programs: Mapping[str, BotProgram],
    work_dir: Path,
    cleanup: ExitStack,
    on_wait: Callable[[], None] = lambda: None,
) -> dict[str, Program]:
    """Start every bot. `cleanup` ends those that did start, even if one does not."""
    if isolation.kind == "docker":
        return _start_containers(isolation, programs, work_dir, cleanup, on_wait)
    work_dir.mkdir(parents=True, exist_ok=True)
    running: dict[str, Program] = {}
    for seat, program in programs.items():
        try:
            running[seat] = local.launch(isolation.kind, program, work_dir)
        except OSError as error:
            raise PlatformFault(f"the bot at {seat} could not be started: {error}") from error
        cleanup.callback(running[seat].close)
    return running


def _start_containers(
    isolation: Isolation,
    programs: Mapping[str, BotProgram],
    work_dir: Path,
    cleanup: ExitStack,
    on_wait: Callable[[], None],
) -> dict[str, Program]:
    """Start containers in parallel, because a start is mostly waiting."""
    if not programs:
        return {}
    orders = {seat: compiling.bot_order(program) for seat, program in programs.items()}
    launcher = cleanup.enter_context(launcher_of(isolation, work_dir))
    starts: dict[str, Future[ContainerProgram]] = {}
    with ThreadPoolExecutor(len(orders)) as starters:
        for seat, order in orders.items():
            starts[seat] = starters.submit(container.start, launcher, order)
            cleanup.callback(_close_started, starts[seat])
        while wait(starts.values(), timeout=limits.WAIT_STEP_S).not_done:
            on_wait()
    running = {seat: started.result() for seat, started in starts.items()}
    others = {program.oci_runtime for program in running.values()} - {"", isolation.oci_runtime}
    if others:
        reason = f"the launcher now starts containers under {others.pop()}"
        raise PlatformFault(f"{reason}, and the record would name {isolation.oci_runtime}")
    return dict(running)


def _close_started(start: Future[ContainerProgram]) -> None:
    """End a program if it was started, whatever happened meanwhile to its caller."""
    if start.exception() is None:
        start.result().close()
