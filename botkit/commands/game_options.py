"""What the commands that play games share: their options, their terms, and how a fault is told."""

import json
import os
import re
import secrets
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from botkit import endings
from botkit.checks import SEED_BITS
from botkit.commands import CommandFailed
from botkit.commands.completing import complete_game
from botkit.exit_statuses import USAGE
from botkit.games import Finished, NotPlayed, Terms, seed_secret
from botkit.home import HomeBot, NoBot
from botkit.openings import BadOpenings
from engine.chance import is_secret
from engine.clock import LONGEST_MS, ClockSpec
from engine.errors import EngineError, UnknownVariant, quoted
from engine.registry import find, resolve_options, variants

SECONDS = re.compile(r"\d+(?:\.\d+)?", re.ASCII)


class SeedType(click.ParamType[str]):
    """A whole number, or the 64 hexadecimal digits of a secret; as these digits."""

    name = "number"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if is_secret(value.lower()):
            return value.lower()
        try:
            return seed_secret(int(value))
        except ValueError:
            self.fail("it must be a whole number from 0, or a secret of a match", param, ctx)


class ClockType(click.ParamType[ClockSpec]):
    """Seconds in the bank, seconds per action, and perhaps the cap of one action: 60+0.1/5."""

    name = "bank+increment[/cap]"

    def convert(
        self, value: str | ClockSpec, param: click.Parameter | None, ctx: click.Context | None
    ) -> ClockSpec:
        if isinstance(value, ClockSpec):
            return value
        bank, _, rest = value.partition("+")
        increment, slash, cap = rest.partition("/")
        usual = ClockSpec()
        try:
            return ClockSpec(
                usual.startup_ms,
                _ms("bank", bank, least=1),
                _ms("increment", increment),
                _ms("cap", cap, least=1) if slash else usual.action_ms,
            )
        except ValueError as problem:
            self.fail(f"{problem}; write bank+increment[/cap], such as 60+0.1", param, ctx)


def _ms(part: str, seconds: str, *, least: int = 0) -> int:
    """Return a part of a clock in milliseconds. Raise ValueError, which names it."""
    if not seconds:
        raise ValueError(f"the {part} is missing")
    if not SECONDS.fullmatch(seconds):
        raise ValueError(f"the {part} {quoted(seconds)} is not a number of seconds")
    if float(seconds) * 1000 >= LONGEST_MS:
        raise ValueError(f"the {part} {quoted(seconds)} is too long for a clock")
    if (ms := round(float(seconds) * 1000)) < least:
        raise ValueError(f"the {part} is {seconds}, and no bot can play without time")
    return ms


class _OptionType(click.ParamType[tuple[str, Any]]):
    """An option of the rules, as `name=value`."""

    name = "name=value"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, Any]:
        name, sign, given = value.partition("=")
        if not sign:
            self.fail("write it as name=value, such as max_plies=200", param, ctx)
        try:
            return name, json.loads(given)
        except (RecursionError, ValueError):
            return name, given


def terms_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options that `terms_of` and the chance of the games are chosen by."""
    for option in (
        click.option(
            "--clock",
            type=ClockType(),
            default=ClockSpec(),
            help="Seconds, such as 60+0.1/5, the default.",
        ),
        click.option(
            "--option", "options", type=_OptionType(), multiple=True, help="An option of the rules."
        ),
        click.option(
            "--variant",
            metavar="GAME",
            shell_complete=complete_game,
            help="The game, if the bots play several.",
        ),
        click.option(
            "--seed", type=SeedType(), help="The chance of all games. By default a new one."
        ),
    ):
        command = option(command)
    return command


@contextmanager
def failures_told() -> Iterator[None]:
    """Create a block in which what prevents games ends the command with a sentence."""
    try:
        yield
    except (NoBot, BadOpenings) as problem:
        raise CommandFailed(str(problem), USAGE) from problem
    except NotPlayed as problem:
        raise CommandFailed(str(problem)) from problem
    except EngineError as problem:
        raise click.UsageError(str(problem)) from problem


def tell_of_cores(jobs: int) -> None:
    """Print a warning on stderr if there are more games at a time than cores."""
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    if jobs > cores:
        warning = f"-j {jobs} plays more games at a time than there are cores ({cores})"
        click.echo(f"{warning}: bots may be slower, and lose on time.", err=True)


def new_secret() -> str:
    """Return the secret of a seed that nobody has chosen."""
    return seed_secret(secrets.randbits(SEED_BITS))


def terms_of(
    bots: Sequence[HomeBot],
    *,
    variant: str | None,
    options: Sequence[tuple[str, Any]],
    clock: ClockSpec,
) -> Terms:
    """Return the terms that the options choose. Raise EngineError, and UsageError."""
    slug = find(variant).slug if variant else _only_variant(bots)
    check_variant(bots, slug)
    return Terms(slug, resolve_options(find(slug), dict(options)), clock)


def check_variant(bots: Sequence[HomeBot], slug: str) -> None:
    """Raise UsageError if the manifest of a bot does not name the variant."""
    for bot in bots:
        if not bot.plays(slug):
            known = ", ".join(bot.variants)
            raise click.UsageError(f"{bot.name} does not play {slug}: its manifest names {known}")


def _only_variant(bots: Sequence[HomeBot]) -> str:
    shared = [slug for slug in variants() if all(bot.plays(slug) for bot in bots)]
    if not shared:
        for bot in bots:
            try:
                for name in bot.variants:
                    find(name)
            except UnknownVariant as problem:
                raise click.UsageError(f"{bot.name}: {problem}") from problem
        plays = "; ".join(f"{bot.name} plays {', '.join(bot.variants)}" for bot in bots)
        raise click.UsageError(f"the bots share no game: {plays}")
    if len(shared) > 1:
        raise click.UsageError(f"the bots play {', '.join(shared)}: choose one with --variant")
    return shared[0]


@contextmanager
def records_in(chosen: Path | None) -> Iterator[Path]:
    """Create a block with the folder for the records. One that nobody chose goes if it is empty."""
    folder = empty_folder(chosen)
    try:
        yield folder
    finally:
        if chosen is None:
            with suppress(OSError):  # there are records
                folder.rmdir()


def empty_folder(chosen: Path | None) -> Path:
    """Return the folder for the records, made if necessary. Raise CommandFailed."""
    state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state")
    folder = chosen or state / "drapeau/games" / f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.glob("game-*")):
            raise CommandFailed(f"{folder}: there are records already. Choose another folder")
    except FileExistsError as problem:
        why = "it is a file. Name a folder for the records"
        raise CommandFailed(f"{folder}: {why}") from problem
    except OSError as problem:
        raise CommandFailed(f"{folder}: {problem.strerror}") from problem
    return folder


def faults_in_words(finished: Finished, names: Sequence[str]) -> dict[int, str]:
    """Return a sentence about each bot that failed in a game, by its place."""
    seats, result = finished.game.seats, finished.record.result
    told = endings.told_of_each(
        result.termination,
        fault=result.fault or "",
        names={seat: names[place] for seat, place in seats.items()},
        detail=result.detail,
    )
    of_places: dict[int, str] = {}
    for seat, sentence in told.items():
        of_places.setdefault(seats[seat], sentence)  # of two seats of one bot, the first counts
    return of_places


def print_faults(console: Console, faults: Mapping[str, Sequence[int]]) -> None:
    """Print each sentence about a fault with the numbers of its games."""
    for text, games in faults.items():
        numbers = ", ".join(map(str, sorted(games)))
        word = "game" if len(games) == 1 else "games"
        console.print(f"{text} ({word} {numbers})", markup=False, soft_wrap=True)


def print_first_fault(console: Console, failed: Sequence[Finished], bots: Sequence[str]) -> None:
    """Print where the first bot that failed wrote to, and how to ask it again; `bots` are words."""
    if not failed:
        return
    first = min(failed, key=lambda finished: finished.game.number)
    seat = first.record.result.fault or ""
    log = first.path.with_name(f"{first.path.stem}-{seat}.log")
    if log.exists():
        where = f"What it wrote to standard error: {log}"
        console.print(where, markup=False, soft_wrap=True)
    again = again_in_words(first.path, seat, bots[first.game.seats[seat]])
    console.print(again, markup=False, soft_wrap=True)


def again_in_words(record: Path, seat: str, bot: str) -> str:
    """Return how to ask a bot again what it was asked in a game."""
    return f"Again: {shlex.join(['drapeau', 'reproduce', str(record), '--seat', seat, bot])}"


def names_of(bots: Sequence[HomeBot]) -> list[str]:
    """Return the names of the bots, with a number where two have the same."""
    seen: Counter[str] = Counter()
    names = []
    for bot in bots:
        seen[bot.name] += 1
        names.append(bot.name if seen[bot.name] == 1 else f"{bot.name} ({seen[bot.name]})")
    return names
