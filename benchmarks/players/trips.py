"""What the referee and the channel add to a trip to a bot and back.

`channel`: lines made beforehand, by our table against bare blocking pipes. `referee`: a whole game
under the referee against the same messages, written as JSON, piped and read by bare Python. Both
have the same bot and take turns in short stretches of one run, everybody on a named processor.
With an OCI runtime, our bots run under that one; with `--beside runc`, theirs are at our table too,
under `runc`, and the ratio is the price of the other one.
Prints `{"ours": [us per ply, …], "theirs": […]}`, one of each for every round.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from subprocess import DEVNULL, PIPE, Popen
from time import perf_counter

from benchmarks.players import told
from engine.clock import ClockSpec
from engine.protocol import Answer, Ask, Failure, act_message, start_message
from engine.record import PlayerId
from engine.referee import play
from sandbox.host.kit import package_folder
from sandbox.host.seating import bot_environment
from sandbox.launcher.oci_runtime import SETTING
from sandbox.levels.isolation import Isolation, choose
from sandbox.table import Admission, BotTable, open_table
from sandbox.uploads.unpacking import unpack

BOT = Path(__file__).with_name("pinned_bot.py")
SEATS = ("red", "blue")
STRETCH = 50  # plies of one side before the other has its turn
CLOCK = ClockSpec(bank_ms=10**9)

Stretch = Callable[[], None]  # plays STRETCH plies


class Watch:
    """Takes the time of our stretches, and of theirs in between, and counts rounds."""

    def __init__(self, theirs: Stretch, rounds: int, seconds: float) -> None:
        self.ours: list[float] = []
        self.theirs: list[float] = []
        self._play_theirs = theirs
        self._rounds, self._seconds = rounds, seconds
        self._round: list[tuple[float, float]] = []
        self._began_s = 0.0

    @property
    def over(self) -> bool:
        """Return whether all rounds are measured."""
        return len(self.ours) == self._rounds

    def start(self) -> None:
        """Begin a stretch of ours."""
        self._began_s = perf_counter()

    def stop(self) -> None:
        """End it, let them play one, and begin the next."""
        stopped_s = perf_counter()
        self._play_theirs()
        theirs_s = perf_counter() - stopped_s
        self._round.append((stopped_s - self._began_s, theirs_s))
        if sum(mine for mine, _ in self._round) >= self._seconds:
            self.ours.append(median(mine for mine, _ in self._round) / STRETCH * 1e6)
            self.theirs.append(median(theirs for _, theirs in self._round) / STRETCH * 1e6)
            self._round.clear()
        self.start()


class Over(Exception):
    """All rounds are measured: leaves the game."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("level", choices=("process", "docker"))
    parser.add_argument("what", choices=("referee", "channel"))
    parser.add_argument("processors", type=int, choices=(1, 2))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.7)
    parser.add_argument("--runtime", default="", help="the OCI runtime of our bots in Docker")
    parser.add_argument("--beside", choices=("pipes", "runc"), default="pipes")
    given = parser.parse_args()
    home, *others = sorted(os.sched_getaffinity(0))
    if given.processors > 1 + len(others):
        sys.exit("this machine has one processor")
    os.sched_setaffinity(0, {home})
    theirs_on = home if given.processors == 1 else others[0]
    options = {"processor": theirs_on, "plies": told.PLIES_MAX}
    isolation = under(given.runtime) if given.runtime else choose(given.level)
    as_json = given.what == "referee"
    with (
        the_same_under_runc(options)
        if given.beside == "runc"
        else bare_pipes(same_python(isolation, options), options, as_json=as_json)
    ) as theirs:
        watch = Watch(theirs, given.rounds, given.seconds)
        measure = under_referee if as_json else over_table
        with our_table(isolation) as table:
            measure(table, options, watch)
    print(json.dumps({"ours": watch.ours, "theirs": watch.theirs}))


def under(oci_runtime: str) -> Isolation:
    """Return the level of containers under an OCI runtime. Raise `IsolationUnavailable`."""
    os.environ[SETTING] = oci_runtime
    return choose("docker")


@contextmanager
def the_same_under_runc(options: Mapping[str, int]) -> Iterator[Stretch]:
    """Seat two bots under `runc`, and ask them the lines of the game, made beforehand."""
    with our_table(under("runc")) as table:
        start(table, options)
        asked = cycle([{seat: Ask(line, 5_000.0)} for seat, line in lines()])

        def stretch() -> None:
            for ask in islice(asked, STRETCH):
                table.ask(ask)

        yield stretch


@contextmanager
def our_table(isolation: Isolation) -> Iterator[BotTable]:
    """Seat two bots as a match does."""
    package = unpack(BOT.read_bytes(), "bot.py")
    with (
        tempfile.TemporaryDirectory() as folder,
        open_table(
            isolation=isolation,
            seats=dict.fromkeys(SEATS, package),
            work_dir=Path(folder),
            admission=Admission(trust_all=True),
        ) as table,
    ):
        yield table


def same_python(isolation: Isolation, options: Mapping[str, int]) -> str:
    """Find the Python here that is the bots': another may be faster or slower."""
    with our_table(isolation) as table:
        start(table, options)
    theirs = table.stderr("red").decode().strip()
    tell = "import platform as p; print(p.python_version(), p.python_compiler())"
    for python in (str(Path(sys.executable).resolve()), "/usr/bin/python3"):
        told = subprocess.run((python, "-c", tell), capture_output=True, check=False, text=True)
        if told.stdout.strip() == theirs:
            return python
    sys.exit(f"the bots have Python {theirs} and none here is the same")


def start(table: BotTable, options: Mapping[str, int]) -> None:
    """Wait until both bots are ready."""
    check(table.ask({seat: Ask(start_line(seat, options), 10_000.0) for seat in SEATS}))


def under_referee(table: BotTable, options: Mapping[str, int], watch: Watch) -> None:
    """Play until all rounds are measured."""

    def progress(ply: int) -> None:
        if ply == 2 * STRETCH:
            watch.start()
        elif ply > 2 * STRETCH and ply % STRETCH == 0:
            watch.stop()
            if watch.over:
                raise Over

    try:
        play(
            told.variant(),
            options=options,
            rng_seed=1,
            game="bench",
            players={seat: PlayerId("bench", "00" * 32) for seat in SEATS},
            clock=CLOCK,
            table=table,
            isolation="bench",
            progress=progress,
        )
    except Over:
        return
    raise RuntimeError("the game ended before the measuring")


def over_table(table: BotTable, options: Mapping[str, int], watch: Watch) -> None:
    """Ask the lines of the game, made beforehand, until all rounds are measured."""
    start(table, options)
    asks = cycle([{seat: Ask(line, 5_000.0)} for seat, line in lines()])
    watch.start()
    while not watch.over:
        for ask in islice(asks, STRETCH):
            answers = table.ask(ask)
        watch.stop()
    check(answers)


def check(answers: Mapping[str, Answer | Failure]) -> None:
    """Hold that the bots play."""
    failed = [answer.detail for answer in answers.values() if isinstance(answer, Failure)]
    if failed:
        raise RuntimeError(failed[0])


@contextmanager
def bare_pipes(python: str, options: Mapping[str, int], *, as_json: bool) -> Iterator[Stretch]:
    """Start the bot twice as a plain child, and talk to it as simply as can be."""
    environment = bot_environment(home="", library=str(package_folder("botkit").parent))
    with ExitStack() as cleanup:
        pipes = {}
        for seat in SEATS:
            child = cleanup.enter_context(
                Popen(
                    (python, str(BOT)),
                    stdin=PIPE,
                    stdout=PIPE,
                    stderr=DEVNULL,
                    bufsize=0,
                    env=environment,
                )
            )
            cleanup.callback(child.kill)
            if child.stdin is None or child.stdout is None:
                raise RuntimeError("no pipes")
            pipes[seat] = child.stdin.fileno(), child.stdout.fileno()
            trip(*pipes[seat], start_line(seat, options))
        asked = cycle([(*pipes[seat], line, json.loads(line)) for seat, line in lines()])

        def stretch() -> None:
            for stdin, stdout, line, message in islice(asked, STRETCH):
                if as_json:
                    json.loads(trip(stdin, stdout, json.dumps(message).encode() + b"\n"))
                else:
                    trip(stdin, stdout, line)

        yield stretch


def trip(stdin: int, stdout: int, line: bytes) -> bytes:
    """Write a line and wait for one."""
    os.write(stdin, line)
    answer = os.read(stdout, 65_536)
    while not answer.endswith(b"\n"):
        answer += os.read(stdout, 65_536)
    return answer


def start_line(seat: str, options: Mapping[str, int]) -> bytes:
    """Return the first line of a game."""
    clock: dict[str, int | str] = {**CLOCK.as_json(), "basis": "cpu"}
    return start_message(
        variant="told@1",
        options=options,
        seat=seat,
        rng_seed=1,
        game="bench",
        clock=clock,
        limits={},
    )


def lines() -> list[tuple[str, bytes]]:
    """Return every line of the story as the referee would write it."""
    pending_events: dict[str, list[dict[str, object]]] = {"red": [], "blue": []}
    made = []
    for page in told.story():
        line = act_message(
            view=page.view,
            events=pending_events[page.seat],
            legal=page.legal,
            bank_ms=CLOCK.bank_ms,
            used_ms=1,
        )
        made.append((page.seat, line))
        pending_events[page.seat] = []
        for event in page.events:
            for seat, events in pending_events.items():
                events.append(event.seen_by(seat))
    return made


if __name__ == "__main__":
    main()
