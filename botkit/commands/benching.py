"""The command `bench`: pairs of games until it is known which of two or more bots is better."""

import json
import math
import shlex
from collections import defaultdict
from collections.abc import Generator, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console, Group
from rich.live import Live
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from botkit import sprt
from botkit.bench import (
    Bench,
    Meeting,
    NoBench,
    Plan,
    held,
    read_plan,
    results,
    write_plan,
)
from botkit.commands import CommandFailed, Whole, elo_list
from botkit.commands.archives import bot_named
from botkit.commands.completing import complete_bot
from botkit.commands.game_options import (
    empty_folder,
    failures_told,
    faults_in_words,
    names_of,
    new_secret,
    print_faults,
    print_first_fault,
    tell_of_cores,
    terms_of,
    terms_options,
)
from botkit.commands.sprt_options import sprt_options, told_of_test, with_choices
from botkit.exit_statuses import FAILED, INTERRUPTED, UNDECIDED, UNREADABLE
from botkit.games import Finished
from botkit.home import HomeBot
from botkit.sprt import GAMES_IN_A_PAIR, NELO1, NELO1_MAX, SprtResult, Verdict

GAMES_EACH = 100  # by default, of each meeting where there are several
FEWEST_IN_A_ROUND_ROBIN = 3
GAUGE_CELLS = 31
PER_SECOND = 4  # how often the display is drawn
STATUSES = {Verdict.BETTER: 0, Verdict.WORSE: FAILED, Verdict.LEVEL: UNDECIDED, None: UNDECIDED}


@click.command()
@click.argument("bots", nargs=-1, metavar="BOT OPPONENT [OPPONENT...]", shell_complete=complete_bot)
@click.option(
    "-n",
    "--games",
    type=Whole(GAMES_IN_A_PAIR),
    help=f"The most games against one opponent: by default {sprt.MAX_GAMES}, or {GAMES_EACH} each "
    "against several.",
)
@click.option(
    "--round-robin",
    "all_meet",
    is_flag=True,
    help="Let every bot meet every other; list their Elo.",
)
@click.option(
    "--within",
    type=Whole(1),
    metavar="PLACES",
    help="Let only bots meet that are named at most so many places apart.",
)
@click.option("--all", "plays_all", is_flag=True, help="Play all of them, without a test.")
@click.option(
    "--margin",
    type=click.FloatRange(0, NELO1_MAX, min_open=True),
    default=NELO1,
    show_default=True,
    help="How many normalized Elo make a bot better.",
)
@click.option("-j", "--jobs", type=Whole(1), default=1, help="How many games at a time.")
@sprt_options
@terms_options
@click.option("--record-dir", type=click.Path(path_type=Path), help="A folder for the records.")
@click.option(
    "--resume", type=click.Path(path_type=Path), metavar="FOLDER", help="Go on in this folder."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def bench(
    *,
    bots: Sequence[str],
    jobs: int,
    record_dir: Path | None,
    resume: Path | None,
    as_json: bool,
    **given: Any,  # noqa: ANN401 - the options of `_planned`
) -> int:
    """Find out whether a bot is better than another, or how strong it is against several.

    Against one opponent, a sequential test ends the games as soon as it has a verdict. Each pair
    of games exchanges the seats. With --round-robin all bots meet, and one list has the Elo of
    each. What was played is kept: --resume goes on after an interruption.
    """
    tell_of_cores(jobs)
    with failures_told():
        players, plan, folder = (
            _begun(bots, record_dir, given)
            if resume is None
            else _resumed(resume, bots, given["games"])
        )
        bench = Bench(plan, names_of(players))
        with held(folder, tell=_tell_of_wait):
            stopped = _play(bench, results(plan, bots=players, folder=folder, jobs=jobs))
    (_print_json if as_json else _print_result)(bench, folder)
    if stopped:
        click.echo(
            f"Stopped. To go on: drapeau bench --resume {shlex.quote(str(folder))}", err=True
        )
        return INTERRUPTED
    return STATUSES[bench.test.verdict] if bench.test else 0


def _begun(
    bots: Sequence[str], record_dir: Path | None, given: dict[str, Any]
) -> tuple[list[HomeBot], Plan, Path]:
    """Return the bots, the plan and the folder of a new bench. Raise NoBot and EngineError."""
    if len(bots) < 2:  # noqa: PLR2004 - a bot and its opponent
        raise click.UsageError("name the bot and one opponent or more")
    given["within"] = _within(len(bots), all_meet=given.pop("all_meet"), most=given["within"])
    if given.pop("plays_all"):
        given["margin"] = None
    players = [bot_named(bot) for bot in bots]
    choices = {name: given.pop(name) for name in ("elo0", "elo1", "alpha", "beta", "openings")}
    plan = with_choices(_planned(bots, players, **given), **choices)
    plan.games()  # the game may not be one for two bots
    folder = empty_folder(record_dir)
    write_plan(plan, folder)
    return players, plan, folder


def _planned(
    words: Sequence[str],
    bots: Sequence[HomeBot],
    *,
    games: int | None,
    margin: float | None,
    within: int | None,
    seed: str | None,
    **terms: Any,  # noqa: ANN401 - the options of `terms_of`
) -> Plan:
    is_duel = len(bots) == 2  # noqa: PLR2004 - a bot and its opponent
    most = games or (sprt.MAX_GAMES if is_duel else GAMES_EACH)
    return Plan(
        folder=str(Path.cwd()),
        words=tuple(words),
        digests=tuple(bot.digest for bot in bots),
        terms=terms_of(bots, **terms),
        secret=seed or new_secret(),
        pairs=_pairs(most),
        margin=margin if is_duel else None,
        within=within,
    )


def _pairs(games: int) -> int:
    if games % GAMES_IN_A_PAIR:
        raise click.UsageError("games are played in pairs: choose an even number for -n")
    return games // GAMES_IN_A_PAIR


def _tell_of_wait() -> None:
    click.echo("Waiting until the last games of the earlier run are over.", err=True)


def _within(bots: int, *, all_meet: bool, most: int | None) -> int | None:
    """Return how many places apart the bots of a round robin meet, or None. Raise UsageError."""
    if not all_meet:
        if most is not None:
            raise click.UsageError("--within says who meets in a round robin: add --round-robin")
        return None
    if bots < FEWEST_IN_A_ROUND_ROBIN:
        raise click.UsageError("a round robin needs three bots or more; two need no --round-robin")
    return most or bots


def _resumed(
    folder: Path, bots: Sequence[str], games: int | None
) -> tuple[list[HomeBot], Plan, Path]:
    """Return the bots and the plan of the bench in a folder, which may get more games.

    Raise CommandFailed, NoBot.
    """
    if bots:
        raise click.UsageError("--resume takes the bots from the folder: name none")
    try:
        plan = read_plan(folder)
    except NoBench as problem:
        raise CommandFailed(str(problem), UNREADABLE) from problem
    if Path(plan.folder) != Path.cwd():
        why = f"{folder}: this bench began in {plan.folder}: go there first"
        raise CommandFailed(why, UNREADABLE)
    players = [bot_named(word) for word in plan.words]
    for word, digest, player in zip(plan.words, plan.digests, players, strict=True):
        if player.digest != digest:
            why = f"{word}: its files have changed since the bench began. Begin a new one"
            raise CommandFailed(why, UNREADABLE)
    if games is not None:
        if (pairs := _pairs(games)) < plan.pairs:
            least = plan.pairs * GAMES_IN_A_PAIR
            raise click.UsageError(f"the bench has {least} games: choose more for -n, or leave it")
        plan = replace(plan, pairs=pairs)
        with held(folder, tell=_tell_of_wait):
            write_plan(plan, folder)
    return players, plan, folder


def _play(bench: Bench, games: Generator[Finished]) -> bool:
    """Count the games until the bench is over. Return whether Ctrl-C stopped them."""
    console = Console(stderr=True)
    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    line = Progress(*columns, console=console)
    task = line.add_task("", total=bench.plan.most_games)
    drawn = Live(
        console=console,
        get_renderable=lambda: Group(_table(bench), *_gauges(bench), line),
        refresh_per_second=PER_SECOND,
        transient=True,
    )
    with ExitStack() as ending:
        played = ending.enter_context(closing(games))
        if console.is_terminal:
            ending.enter_context(drawn)
        try:
            while not bench.is_over:
                bench.add(next(played))
                line.update(task, completed=bench.games)
        except KeyboardInterrupt:
            return True
    return False


def _faults(bench: Bench) -> dict[str, list[int]]:
    """Return the numbers of the games that a bot forfeited, by the sentence about its fault."""
    faults: defaultdict[str, list[int]] = defaultdict(list)
    for forfeit in bench.forfeits:
        for sentence in faults_in_words(forfeit, bench.names).values():
            faults[sentence].append(forfeit.game.number)
    return faults


def _table(bench: Bench) -> Table:
    if bench.plan.within is not None:
        return elo_list.table(bench)
    title = escape(f"{bench.names[0]}, {bench.plan.terms.variant}: {bench.games} games")
    table = Table(title=title, title_justify="left")
    table.add_column("against")
    for heading in ("wins", "draws", "losses", "0 ½ 1 1½ 2", "points", "Elo", "95 %"):
        table.add_column(heading, justify="right", no_wrap=True)
    for meeting in bench.meetings:
        elo, low, high = (f"{value:+.0f}".replace("inf", "∞") for value in meeting.elo())
        table.add_row(
            escape(meeting.opponent),
            *(str(number) for number in (meeting.wins, meeting.draws, meeting.losses)),
            " ".join(map(str, meeting.counts)),
            f"{100 * meeting.score:.1f} %" if meeting.pairs else "",
            elo if meeting.pairs else "",
            f"{low} to {high}" if meeting.pairs else "",
        )
    return table


def _gauges(bench: Bench) -> list[Text]:
    """Return the two LLRs of the test between their bounds."""
    if bench.test is None:
        return []
    test = bench.test
    if test.design.nelo0 is not None:
        return [_gauge("ahead", test.llr_better, test)]
    return [
        _gauge("better", test.llr_better, test),
        _gauge("worse", test.llr_worse, test),
    ]


def _gauge(name: str, llr: float, test: SprtResult) -> Text:
    low, high = test.design.lower, test.design.upper
    share = min(1.0, max(0.0, (llr - low) / (high - low)))
    cells = ["─"] * GAUGE_CELLS
    cells[GAUGE_CELLS // 2] = "┼"
    cells[round(share * (GAUGE_CELLS - 1))] = "●"
    return Text(f"{name:>6} by {test.design.nelo1:g}  no ├{''.join(cells)}┤ yes  LLR {llr:+.2f}")


def _print_result(bench: Bench, folder: Path) -> None:
    console = Console(highlight=False)
    console.print(_table(bench))
    print_faults(console, _faults(bench))
    print_first_fault(console, bench.forfeits, bench.plan.words)
    test = bench.test
    if test is not None:
        for sentence in told_of_test(bench, test):
            console.print(sentence, markup=False, soft_wrap=True)
        if bench.games == bench.plan.most_games and test.verdict is None:
            on = f"drapeau bench --resume {shlex.quote(str(folder))} -n {2 * bench.games}"
            limit = f"The limit of {bench.games} games has ended it. To go on: {on}"
            console.print(limit, markup=False, soft_wrap=True)
    console.print(f"Chance: --seed {int(bench.plan.secret, 16)}", markup=False, soft_wrap=True)
    console.print(f"Records: {folder}", markup=False, soft_wrap=True)


def _print_json(bench: Bench, folder: Path) -> None:
    plan, test = bench.plan, bench.test
    report = {
        "variant": plan.terms.variant,
        "options": dict(plan.terms.options),
        "seed": int(plan.secret, 16),
        "games": bench.games,
        **_found_as_json(bench),
        "faults": _faults(bench),
        "sprt": test
        and {
            "margin": test.design.nelo1,
            "llr_better": round(test.llr_better, 3),
            "llr_worse": round(test.llr_worse, 3),
            "lower": round(test.design.lower, 3),
            "upper": round(test.design.upper, 3),
            "elo0": test.design.nelo0,
            "alpha": test.design.alpha,
            "beta": test.design.beta,
            "verdict": test.verdict,
            "rests_on_time": bench.rests_on_time,
        },
        "records": str(folder),
    }
    click.echo(json.dumps(report))


def _found_as_json(bench: Bench) -> dict[str, Any]:
    rows = [_meeting_as_json(meeting) for meeting in bench.meetings]
    if bench.plan.within is None:
        return {"bot": bench.names[0], "against": rows}
    meetings = [
        {"bot": meeting.bot, **row} for meeting, row in zip(bench.meetings, rows, strict=True)
    ]
    return {"bots": elo_list.as_json(bench), "meetings": meetings}


def _meeting_as_json(meeting: Meeting) -> dict[str, Any]:
    # JSON has no infinity.
    elo, low, high = (round(value, 1) if math.isfinite(value) else None for value in meeting.elo())
    return {
        "name": meeting.opponent,
        "games": meeting.pairs * GAMES_IN_A_PAIR,
        "wins": meeting.wins,
        "draws": meeting.draws,
        "losses": meeting.losses,
        "pairs": meeting.counts,
        "score": round(meeting.score, 4),
        "elo": elo,
        "elo_low": low,
        "elo_high": high,
    }
