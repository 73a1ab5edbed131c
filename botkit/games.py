"""Games at home: who plays which, and playing them in several processes.

The referee is that of the arena, and so is the record. The `rng_seed` of a game follows from the
seed as in the arena from the secret of a match (`engine.chance`).
"""

import json
from collections import deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Self

from botkit.home import HomeBot, NoBot
from botkit.person import ME, Desk, DeskTable
from botkit.processes import leaving_nothing
from botkit.program import LocalProgram, LocalTable
from botkit.whole_files import write_whole
from botkit.workers import Killed, work_through
from engine import chance
from engine.clock import ClockSpec
from engine.protocol import Answer, Ask, Failure, Table, TableWrapper, encode
from engine.record import Played, PlayerId, Record
from engine.referee import play
from engine.registry import find
from engine.seating import seatings

ISOLATION = "none, at home"


class NotPlayed(Exception):
    """A game has no record, for a reason that is not one of its bots; the text says why."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What all games of a run have in common. `variant` is a slug."""

    variant: str
    options: Mapping[str, Any]
    clock: ClockSpec


@dataclass(frozen=True, slots=True)
class HomeGame:
    """A game to play: its number, from 1, and the place of the bot of each seat in the run.

    Before `from_ply`, the actions are those of `recorded`, whatever the bots answer.
    """

    number: int
    rng_seed: int
    seats: Mapping[str, int]
    recorded: tuple[Played, ...] = ()
    from_ply: int = 0


@dataclass(frozen=True, slots=True)
class Finished:
    """A game that was played, and the file of its record."""

    game: HomeGame
    record: Record
    path: Path


def seed_secret(seed: int) -> str:
    """Return a seed as the 64 hexadecimal digits of a secret. Raise ValueError beyond 256 bits."""
    if not 0 <= seed < 2 ** (8 * chance.SECRET_BYTES):
        raise ValueError("a seed is a whole number from 0, of at most 256 bits")
    return f"{seed:064x}"


def schedule(variant: str, *, bots: int, games: int, swap: bool, secret: str) -> list[HomeGame]:
    """Return the games of a run, with the bots in their order, or in turn in every place.

    Raise WrongEntrants.
    """
    rounds = seatings(find(variant), {}, 0, range(bots))
    return [
        HomeGame(
            number=number,
            rng_seed=chance.game_seed(secret, game=number, take=1),
            seats=rounds[(number - 1) % len(rounds) if swap else 0],
        )
        for number in range(1, games + 1)
    ]


def play_all(
    games: Sequence[HomeGame], *, bots: Sequence[HomeBot], terms: Terms, folder: Path, jobs: int
) -> Generator[Finished]:
    """Play games in up to `jobs` processes; yield each when it is over, its record in the folder.

    Close the iterator to stop: all bots and processes end, and finished records stay. Raise NoBot
    if a bot cannot be started, and NotPlayed if a record cannot be written or a process was killed.
    """

    def work(game: HomeGame) -> str:
        return play_game(game, bots=bots, terms=terms, folder=folder).to_json()

    try:
        for game, played in work_through(games, work, jobs=jobs, failures=(NoBot, NotPlayed)):
            yield Finished(game, Record.from_json(played), record_path(folder, game))
    except Killed as killed:
        number = games[killed.place].number
        raise NotPlayed(f"game {number}: the process that played it was killed") from None


def play_at(
    desk: Desk, games: Sequence[HomeGame], *, bots: Sequence[HomeBot], terms: Terms, folder: Path
) -> Generator[Finished]:
    """Play games with a person, one after the other, until the person has enough of them.

    Raise NoBot and NotPlayed as `play_all` does.
    """
    for game in games:
        record = play_game(game, bots=bots, terms=terms, folder=folder, desk=desk)
        yield Finished(game, record, record_path(folder, game))
        if not desk.plays_on(record, is_last=game is games[-1]):
            return


def play_game(
    game: HomeGame,
    *,
    bots: Sequence[HomeBot],
    terms: Terms,
    folder: Path,
    desk: Desk | None = None,
) -> Record:
    """Play one game, write its record to the folder, and what the bots wrote to stderr beside it.

    The person plays at the desk. Raise NoBot if a bot cannot be started, and NotPlayed if a file
    cannot be written.
    """
    seated = {seat: bots[place] for seat, place in game.seats.items()}
    with leaving_nothing(), ExitStack() as cleanup:
        programs = {}
        for seat, bot in seated.items():
            if bot is ME:
                continue
            log = cleanup.enter_context(_Log(folder / f"{_stem(game)}-{seat}.log"))
            program = LocalProgram(bot.command, folder=bot.folder, log=log.add)
            programs[seat] = cleanup.enter_context(program)
        table: Table = LocalTable(programs)
        if desk is not None:
            own = seated.keys() - programs.keys()
            names = {seated[seat].name for seat in programs}
            table = DeskTable(table, desk=desk, seats=own, against=" and ".join(names))
        record = play(
            find(terms.variant),
            options=terms.options,
            rng_seed=game.rng_seed,
            game=f"home-{game.rng_seed:012x}",
            players={seat: PlayerId(bot.name, bot.digest) for seat, bot in seated.items()},
            clock=terms.clock,
            table=_Continued(table, game) if game.from_ply else table,
            isolation=ISOLATION,
        )
    write_record(record, record_path(folder, game))
    return record


def write_record(record: Record, path: Path) -> None:
    """Write the whole record to a file, or nothing. Raise NotPlayed if it cannot be written."""
    write_text(record.to_json(), path)


def write_text(text: str, path: Path) -> None:
    """Write the whole text to a file, or nothing. Raise NotPlayed if it cannot be written."""
    with _writing(path):
        write_whole(path, text.encode())


def record_path(folder: Path, game: HomeGame) -> Path:
    """Return the file for the record of a game."""
    return folder / f"{_stem(game)}.json"


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as problem:
        raise NotPlayed(f"{path}: cannot be written: {problem.strerror or problem}") from problem


class _Continued(TableWrapper):
    """A table that asks all bots, and gives the recorded actions until a ply."""

    def __init__(self, table: Table, game: HomeGame) -> None:
        super().__init__(table)
        self._from_ply = game.from_ply
        self._actions = {
            seat: deque(played for played in game.recorded if played.seat == seat)
            for seat in game.seats
        }

    def ask(self, asks: Mapping[str, Ask]) -> dict[str, Answer | Failure]:
        outcomes = {**super().ask(asks)}
        for seat, ask in asks.items():
            actions = self._actions[seat]
            if ask.starting or isinstance(outcomes[seat], Failure) or not actions:
                continue
            if json.loads(ask.line)["ply"] < self._from_ply:
                played = actions.popleft()
                line = encode({"action": played.action}).rstrip()
                outcomes[seat] = Answer(line, float(played.charged_ms))
        return outcomes


class _Log:
    """A file that exists only if something is written to it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            with _writing(self._path):
                self._file.close()

    def add(self, chunk: bytes) -> None:
        with _writing(self._path):
            if self._file is None:
                self._file = self._path.open("wb")
            self._file.write(chunk)


def _stem(game: HomeGame) -> str:
    return f"game-{game.number:04}"
