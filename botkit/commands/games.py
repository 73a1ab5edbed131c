"""The command `play`: games between bots on this machine, or with a person, and their table."""

import json
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from botkit.commands import Whole
from botkit.commands.archives import bot_named
from botkit.commands.completing import complete_bot, complete_file
from botkit.commands.game_options import (
    check_variant,
    failures_told,
    faults_in_words,
    names_of,
    new_secret,
    print_faults,
    print_first_fault,
    records_in,
    tell_of_cores,
    terms_of,
    terms_options,
)
from botkit.commands.record_sources import fetched_record
from botkit.commands.records import given_options, show
from botkit.exit_statuses import FAILED, INTERRUPTED
from botkit.games import Finished, HomeGame, Terms, play_all, play_at, schedule
from botkit.home import HomeBot
from botkit.person import ME, Desk
from engine import registry
from engine.clock import ClockSpec
from engine.record import Record, result_words
from engine.registry import find, recorded_options
from engine.replay import replay
from engine.seating import seatings
from engine.variant import PUBLIC

DRAW = 0.5
PERSON = "me"  # in place of a bot
MOST_GAMES_OF_PERSON = 1000  # the person says when it is enough
OPEN = "import sys, webbrowser; sys.exit(not webbrowser.open(sys.argv[1]))"
NOT_WITH_LIKE = {"-n", "--swap", "--seed", "--variant", "--option", "--clock"}


@dataclass(slots=True)
class _Score:
    """What one bot took from the games of a run."""

    name: str
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: float = 0.0
    faults: int = 0


@dataclass(slots=True)
class _Tally:
    """The finished games of a run, as its table shows them. `faults` are the games by sentence.

    `words` are the bots as they were named.
    """

    words: Sequence[str]
    scores: list[_Score]
    endings: Counter[str] = field(default_factory=Counter)
    faults: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    games: list[Finished] = field(default_factory=list)

    def add(self, finished: Finished) -> None:
        """Count one game."""
        self.games.append(finished)
        variant, result = find(finished.record.variant), finished.record.result
        sides = {place: variant.side_of(seat) for seat, place in finished.game.seats.items()}
        for place, side in sides.items():
            score, points = self.scores[place], (result.points or {}).get(side, 0.0)
            score.games += 1
            score.points += points
            score.wins += points == 1
            score.draws += points == DRAW
            score.losses += points == 0
        if result.fault is None:
            self.endings[registry.endings()[result.termination].title] += 1
            return
        self.endings["Fault"] += 1
        faults = faults_in_words(finished, [score.name for score in self.scores])
        for place, fault in faults.items():
            self.scores[place].faults += 1
            self.faults[fault].append(finished.game.number)


@click.command()
@click.argument(
    "bots", nargs=-1, required=True, metavar="RED BLUE [WHITE]", shell_complete=complete_bot
)
@click.option("-n", "--games", type=Whole(1), help="How many games.")
@click.option("--swap", is_flag=True, help="Exchange the seats from game to game.")
@click.option("-j", "--jobs", type=Whole(1), default=1, help="How many games at a time.")
@terms_options
@click.option(
    "--like",
    metavar="RECORD",
    shell_complete=complete_file,
    help="A record: play its game, by its terms and chance.",
)
@click.option("--from", "from_ply", type=Whole(0), help="With --like: play on from this ply.")
@click.option("--record-dir", type=click.Path(path_type=Path), help="A folder for the records.")
@click.option("--open", "in_browser", is_flag=True, help="Show the last game in the web browser.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def play(
    *,
    bots: Sequence[str],
    jobs: int,
    record_dir: Path | None,
    in_browser: bool,
    as_json: bool,
    **given: Any,  # noqa: ANN401 - the options of `_planned`
) -> int:
    """Play games between bots on this machine.

    A bot is a folder with a drapeau.toml, a source file, a program, the name of a house bot, or a
    version of your bot on the usual site, such as zoe/mine@3. It may also be a command behind cmd:
    such as 'cmd:node rook.js --fast', or one behind ucc: of a program that speaks the UCC protocol.
    The bots sit in the order of the seats. In siege the first is the garrison, and the second holds
    both besiegers if there is no third.

    With me in place of a bot you play yourself, in the web browser and without a clock. Without -n
    you exchange seats from game to game until you have enough.
    """
    if len(bots) == 1:
        raise click.UsageError("name two bots, or three in siege; a bot may play against itself")
    is_with_person = PERSON in bots
    if is_with_person:
        if bots.count(PERSON) > 1:
            raise click.UsageError("me stands for one player: name a bot beside it")
        if jobs > 1:
            raise click.UsageError("-j does not go with me: you play one game at a time")
        if given["like"] is not None:
            raise click.UsageError("--like does not go with me")
    tell_of_cores(jobs)
    with failures_told():
        players = [ME if bot == PERSON else bot_named(bot) for bot in bots]
        if is_with_person and given["games"] is None:
            given |= {"games": MOST_GAMES_OF_PERSON * len(bots), "swap": True}
        terms, games, secret = _planned(players, **given)
        tally = _Tally(bots, [_Score(name) for name in names_of(players)])
        with records_in(record_dir) as folder:
            how: dict[str, Any] = {"bots": players, "terms": terms, "folder": folder}
            if is_with_person:
                stopped = _play_with_person(games, tally, **how)
            else:
                stopped = _play(games, tally, jobs=jobs, **how)
    seed = None if secret is None else int(secret, 16)
    (_print_json if as_json else _print_table)(tally, terms, seed, folder)
    if in_browser and tally.games:
        last = max(tally.games, key=lambda played: played.game.number)
        show(last.record, last.path.with_suffix(".html"))
    if stopped:
        of_all = "" if is_with_person else f" of {len(games)}"
        click.echo(f"Stopped after {len(tally.games)}{of_all} games.", err=True)
        return INTERRUPTED
    return FAILED if tally.faults else 0


def _planned(
    bots: Sequence[HomeBot],
    *,
    games: int | None,
    swap: bool,
    seed: str | None,
    like: str | None,
    from_ply: int | None,
    **terms: Any,  # noqa: ANN401 - the options of `terms_of`
) -> tuple[Terms, list[HomeGame], str | None]:
    """Return the terms and the games that the options ask for, and the secret of their chance.

    A game like that of a record has the chance of the record, and no secret. Raise EngineError.
    """
    if like is not None:
        if void := sorted(given_options(click.get_current_context()) & NOT_WITH_LIKE):
            why = "it plays one game, by the terms and the chance of the record"
            raise click.UsageError(f"--like does not go with {', '.join(void)}: {why}")
        return *_like(fetched_record(like), bots, from_ply or 0), None
    if from_ply is not None:
        raise click.UsageError("--from needs the record of --like")
    chosen = terms_of(bots, **terms)
    round_of = len(bots) if swap else 1
    count = games or round_of
    if count % round_of:
        raise click.UsageError(f"--swap plays rounds of {round_of} games: choose a multiple for -n")
    secret = seed or new_secret()
    planned = schedule(chosen.variant, bots=len(bots), games=count, swap=swap, secret=secret)
    return chosen, planned, secret


def _like(record: Record, bots: Sequence[HomeBot], from_ply: int) -> tuple[Terms, list[HomeGame]]:
    words = {name: record.clock[name] for name in ClockSpec().as_json()}
    variant = find(record.variant)
    if from_ply > (plies := replay(record, PUBLIC)["plies"]):
        raise click.UsageError(f"--from cannot be {from_ply}: the game has {plies} plies")
    check_variant(bots, variant.slug)
    terms = Terms(variant.slug, recorded_options(variant, record.options), ClockSpec(**words))
    (seats, *_) = seatings(variant, {}, 0, range(len(bots)))
    return terms, [HomeGame(1, record.rng_seed, seats, record.actions, from_ply)]


def _play_with_person(games: Sequence[HomeGame], tally: _Tally, **how: Any) -> bool:  # noqa: ANN401 - of `play_at`
    """Play games with a person and count them. Return whether Ctrl-C stopped them."""
    with Desk() as desk:
        click.echo(f"Your page: {desk.address}", err=True)
        # In a process of its own, which ends: a game ends all that became our child while it ran.
        command = (sys.executable, "-c", OPEN, desk.address)
        if subprocess.run(command, check=False, capture_output=True).returncode != 0:  # noqa: S603 - ours
            click.echo("There is no web browser here. Open the page in one yourself.", err=True)
        try:
            with closing(play_at(desk, games, **how)) as played:
                for finished in played:
                    tally.add(finished)
        except KeyboardInterrupt:
            return True
    return False


def _play(games: Sequence[HomeGame], tally: _Tally, **how: Any) -> bool:  # noqa: ANN401 - of `play_all`
    """Play the games and count them. Return whether Ctrl-C stopped them."""
    columns = (
        TextColumn("{task.completed:.0f} of {task.total:.0f} games"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    console = Console(stderr=True)
    line = Progress(
        *columns,
        console=console,
        transient=True,
        auto_refresh=False,
        disable=not console.is_terminal,
    )
    try:
        with line, closing(play_all(games, **how)) as played:
            task = line.add_task("", total=len(games))
            line.refresh()
            for finished in played:
                tally.add(finished)
                points = ", ".join(f"{score.name} {score.points:g}" for score in tally.scores)
                line.update(task, advance=1, description=points, refresh=True)
    except KeyboardInterrupt:
        return True
    return False


def _print_table(tally: _Tally, terms: Terms, seed: int | None, folder: Path) -> None:
    count = len(tally.games)
    title = f"{terms.variant}, {count} {'game' if count == 1 else 'games'}"
    table = Table(title=title, title_justify="left")
    table.add_column("bot")
    for heading in ("games", "wins", "draws", "losses", "points", "faults"):
        table.add_column(heading, justify="right")
    for score in tally.scores:
        numbers = (score.games, score.wins, score.draws, score.losses, score.points, score.faults)
        table.add_row(escape(score.name), *(f"{number:g}" for number in numbers))
    console = Console(highlight=False)
    console.print(table)
    print_faults(console, tally.faults)
    failed = [finished for finished in tally.games if finished.record.result.fault]
    print_first_fault(console, failed, tally.words)
    ends = ", ".join(f"{text} {count}" for text, count in tally.endings.most_common())
    console.print(f"Endings: {ends or 'none'}", markup=False, soft_wrap=True)
    if seed is not None:
        console.print(f"Chance: --seed {seed}", markup=False, soft_wrap=True)
    if any(folder.iterdir()):  # also of a game that ended just as Ctrl-C was pressed
        console.print(f"Records: {folder}", markup=False, soft_wrap=True)


def _print_json(tally: _Tally, terms: Terms, seed: int | None, folder: Path) -> None:
    games = [
        {
            "number": played.game.number,
            "rng_seed": played.game.rng_seed,
            "seats": {seat: tally.scores[place].name for seat, place in played.game.seats.items()},
            **result_words(played.record.result),
            "actions": len(played.record.actions),
            "record": str(played.path),
        }
        for played in sorted(tally.games, key=lambda played: played.game.number)
    ]
    bots = [asdict(score) for score in tally.scores]
    words = {"variant": terms.variant, "options": dict(terms.options), "seed": seed}
    click.echo(json.dumps({**words, "bots": bots, "games": games, "records": str(folder)}))
