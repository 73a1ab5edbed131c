"""The commands that read a record: `verify`, `reproduce` and `replay`."""

import enum
import json
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from tempfile import mkdtemp

import click
from click.core import ParameterSource

from botkit import positions
from botkit.commands import CommandFailed, Whole
from botkit.commands.archives import local
from botkit.commands.completing import complete_bot, complete_file
from botkit.commands.connecting import refusals_told
from botkit.commands.record_sources import fetched, fetched_record
from botkit.exit_statuses import FAILED, UNDECIDED, UNREADABLE, USAGE
from botkit.home import NoBot, command_of
from botkit.processes import leaving_nothing
from botkit.program import LocalProgram
from botkit.replay_page import page
from botkit.reproduce import Reproduction, expected
from botkit.reproduce import reproduce as ask_again
from botkit.site import address_of
from botkit.verification import Known, canonical, examine, exit_status, not_whole, summary
from engine import replay as replays
from engine.chance import is_secret
from engine.errors import BadRecord, NewerRecord, UnknownVariant
from engine.record import Record
from engine.registry import find, recorded_options
from engine.signature import BadKeys, read_keys
from engine.variant import FULL, PUBLIC

SHOWN = 400  # characters of a request
LINE_MAX_CHARS = 1000  # of what `verify` prints
NOT_TOGETHER = {  # an option, and those that have no meaning beside it
    "--open": {"--view", "--position", "--canonical", "--json"},
    "--canonical": {"--view", "--position", "--json"},
}
RECORD = click.argument("record", shell_complete=complete_file)
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


class _Hex(click.ParamType[str]):
    """64 hexadecimal digits, in lower case."""

    name = "hex"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not is_secret(value.lower()):
            self.fail("it must have 64 hexadecimal digits", param, ctx)
        return value.lower()


@click.command()
@RECORD
@click.option("--site", metavar="URL", help="The site that signed it, to ask for its keys.")
@click.option("--keys", metavar="FILE", help="The keys of the site, as it publishes them.")
@click.option(
    "--commitment",
    metavar="HEX",
    type=_Hex(),
    help="The commitment that the page of the match showed before the game.",
)
@click.option(
    "--tournament-commitment",
    metavar="HEX",
    type=_Hex(),
    help="The commitment that the page of the tournament showed before its first round.",
)
@click.option(
    "--tournament-secret",
    metavar="HEX",
    type=_Hex(),
    help="The secret that the page of the tournament shows after its release.",
)
@JSON
def verify(  # noqa: PLR0913 - one parameter for each option
    *,
    record: str,
    site: str | None,
    keys: str | None,
    commitment: str | None,
    tournament_commitment: str | None,
    tournament_secret: str | None,
    as_json: bool,
) -> int:
    """Check the seal and the signature of a record, and play it again.

    RECORD is a file (JSON), its address, or that of the page of its game.
    """
    if site and keys:
        raise click.UsageError("give --site or --keys, not both")
    if site:
        is_url = "://" in site
        whole = site if is_url else refusals_told(lambda: address_of(site, insecure_http=True))
        keys = f"{whole.rstrip('/')}/api/v1/record-keys"
    text = fetched(record)
    try:
        known_keys = read_keys(fetched(keys)) if keys else None
    except BadKeys as problem:
        raise CommandFailed(f"{keys}: {problem}", UNREADABLE) from problem
    try:
        read = Record.from_json(text)
    except BadRecord as problem:
        status = UNDECIDED if isinstance(problem, NewerRecord) else FAILED
        raise CommandFailed(f"{record}: {problem}", status) from problem
    findings = examine(
        read, Known(known_keys, commitment, tournament_commitment, tournament_secret)
    )
    if as_json:
        words = [
            {"check": finding.check, "verdict": finding.verdict.value, "detail": finding.detail}
            for finding in findings
        ]
        click.echo(json.dumps({"record": record, "game": summary(read), "findings": words}))
    else:
        click.echo(_cut(f"{record}: {summary(read)}"))
        for finding in findings:
            click.echo(_cut(f"  {finding}"))
    return exit_status(findings)


class _Outcome(enum.Enum):
    """The last line of `reproduce`, and its exit status."""

    REPRODUCED = ("reproduced", 0)
    NOT_REPRODUCED = ("not reproduced", FAILED)
    OTHER_MOVES = ("other moves but no fault", UNDECIDED)


@click.command()
@RECORD
@click.option("--seat", required=True, help="The seat that your bot had, such as red.")
@click.argument("bot", nargs=-1, required=True, shell_complete=complete_bot)
@JSON
def reproduce(*, record: str, seat: str, bot: Sequence[str], as_json: bool) -> int:
    """Ask a bot again what it was asked in a game, and judge it again.

    RECORD is a file (JSON), its address, or that of the page of its game. BOT is a file, a folder
    with a drapeau.toml, the name of a house bot, or the command that starts it (behind -- if it has
    options).
    """
    read = fetched_record(record)
    try:
        _check_choice("--seat", seat, _seats_of(read))
        if why := not_whole(read):
            raise CommandFailed(f"{record}: {why}")
        command, folder = command_of([local(bot[0])] if len(bot) == 1 else bot)
        with leaving_nothing(), LocalProgram(command, folder=folder) as program:
            reproduction = ask_again(
                read, seat, program, say=lambda other: None if as_json else click.echo(str(other))
            )
    except NoBot as problem:
        raise CommandFailed(str(problem), USAGE) from problem
    except BadRecord as problem:
        raise CommandFailed(str(problem)) from problem
    then = expected(read, seat)
    now = None if reproduction.forfeit is None else str(reproduction.forfeit.termination)
    if then != now:
        outcome = _Outcome.NOT_REPRODUCED
    else:
        outcome = (
            _Outcome.OTHER_MOVES if now is None and reproduction.differing else _Outcome.REPRODUCED
        )
    if as_json:
        forfeit = reproduction.forfeit
        words = {
            "seat": seat,
            "game": then and {"termination": then, "detail": read.result.detail},
            "now": forfeit and {"termination": str(forfeit.termination), "detail": forfeit.detail},
            "requests": reproduction.requests,
            "other_answers": [
                {"request": other.request, "answer": other.answer, "recorded": other.recorded}
                for other in reproduction.differing
            ],
            "verdict": outcome.value[0],
        }
        click.echo(json.dumps(words))
    else:
        _print(read, seat, reproduction, outcome)
    return outcome.value[1]


def _print(record: Record, seat: str, reproduction: Reproduction, outcome: _Outcome) -> None:
    then = expected(record, seat)
    click.echo(
        f"in the game, {seat}: " + (f"{then}: {record.result.detail}" if then else "no fault")
    )
    forfeit = reproduction.forfeit
    now = f"{forfeit.termination}: {forfeit.detail}" if forfeit else "no fault"
    click.echo(f"now, at request {reproduction.requests}: {now}")
    if forfeit:
        line = reproduction.last.decode(errors="replace").rstrip("\n")
        if len(line) > SHOWN:
            line = f"{line[:SHOWN]}... ({len(reproduction.last)} bytes)"
        click.echo(f"it was sent: {line}")
    click.echo(outcome.value[0])


@click.command()
@RECORD
@click.option(
    "--view",
    metavar="OBSERVER",
    default="full",
    help="A seat, public, or full (the default): who looks at the game.",
)
@click.option(
    "--position",
    metavar="PLY",
    type=Whole(min=0),
    help="Print the position after so many plies as one line, as the observer sees it.",
)
@click.option(
    "--canonical",
    "as_canonical",
    is_flag=True,
    help="Print the game alone as JSON, the same for two records of the same game.",
)
@click.option("--open", "in_browser", is_flag=True, help="Show the game in the web browser.")
@JSON
def replay(
    *,
    record: str,
    view: str,
    position: int | None,
    as_canonical: bool,
    in_browser: bool,
    as_json: bool,
) -> int:
    """Show the set-ups and the moves of a recorded game.

    RECORD is a file (JSON), its address, or that of the page of its game. With --canonical, times,
    ids, names, isolation, signature and chance are left out. With --open, the game is written into
    one web page, in a folder for temporary files, and the browser shows it without any site.
    """
    given = given_options(click.get_current_context())
    for alone, others in NOT_TOGETHER.items():
        if alone in given and (void := sorted(given & others)):
            raise click.UsageError(f"{alone} does not go with {', '.join(void)}")
    read = fetched_record(record)
    if in_browser:
        show(read, Path(mkdtemp(prefix="drapeau-")) / "game.html")
        return 0
    if as_canonical:
        click.echo(canonical(read))
        return 0
    try:
        if position is not None:
            line = _line(read, view, position)
            click.echo(json.dumps({"ply": position, "position": line}) if as_json else line)
        else:
            _check_observer(read, view)
            shown = ("ply", "seat", "text", "say")
            steps = [
                {key: step[key] for key in shown} for step in replays.replay(read, view)["steps"]
            ]
            if as_json:
                click.echo(json.dumps(steps))
            else:
                set_ups: list[dict[str, object]] = [
                    {
                        "ply": 0,
                        "seat": seat,
                        "text": text,
                        "say": "sets up" if text else "sets up, unseen",
                    }
                    for seat, text in replays.set_ups(read, view).items()
                ]
                _print_steps(f"{record}: {summary(read)}", [*set_ups, *steps])
    except BadRecord as problem:
        raise CommandFailed(f"{record}: {problem}") from problem
    if why := not_whole(read):
        raise CommandFailed(f"{record}: {why}")
    return 0


def _print_steps(heading: str, steps: Sequence[dict[str, object]]) -> None:
    click.echo(heading)
    for step in steps:
        click.echo("{ply:>5}  {seat:<8}  {text:<14}  {say}".format_map(step))


def given_options(context: click.Context) -> set[str]:
    """Return the options of a command that were given, each by its first name, such as `--view`."""
    return {
        option.opts[0]
        for option in context.command.params
        if context.get_parameter_source(option.name or "") is not ParameterSource.DEFAULT
    }


def _line(record: Record, view: str, ply: int) -> str:
    """Return a position as an observer sees it, as one line. Raise BadRecord."""
    _check_observer(record, view)
    shown = replays.view_at(record, view, ply)
    if shown["ply"] < ply:
        raise click.UsageError(f"--position {ply}: the game has {shown['ply']} plies")
    return positions.write(shown, recorded_options(find(record.variant), record.options))


def _check_observer(record: Record, view: str) -> None:
    """Raise BadRecord for an unknown variant, and UsageError for nobody who looks at its games."""
    _check_choice("--view", view, (*_seats_of(record), PUBLIC, FULL))


def _check_choice(option: str, given: str, known: Sequence[str]) -> None:
    if given not in known:
        raise click.UsageError(f"{option} cannot be {given!r}; it is one of {', '.join(known)}")


def _seats_of(record: Record) -> Sequence[str]:
    """Return the seats of a game. Raise BadRecord for an unknown variant."""
    try:
        return find(record.variant).seats
    except UnknownVariant as problem:
        raise BadRecord(str(problem)) from problem


def show(record: Record, path: Path) -> None:
    """Write the page of a game and show it in the browser. Raise CommandFailed."""
    try:
        path.write_text(page(record), encoding="utf-8")
    except BadRecord as problem:
        raise CommandFailed(str(problem)) from problem
    except OSError as problem:
        raise CommandFailed(f"{path}: {problem.strerror}") from problem
    click.echo(f"Page: {path}", err=True)
    if not webbrowser.open(path.resolve().as_uri()):
        click.echo("There is no web browser here. Open the page in one yourself.", err=True)


def _cut(line: str) -> str:
    """Return a line without its end if somebody has put too much into the record."""
    return line if len(line) <= LINE_MAX_CHARS else f"{line[:LINE_MAX_CHARS]}..."
