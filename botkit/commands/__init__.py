"""The commands of `drapeau`. A command is imported when it runs, so that the help comes at once."""

import errno
import io
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from importlib import import_module
from typing import IO, Any, NoReturn

import click
from click.shell_completion import get_completion_class

from botkit.exit_statuses import FAILED, INTERRUPTED, SIGNALLED, USAGE

COMMANDS = {  # in the order of the help: the module, and the first sentence of the command's help
    "init": ("bots", "Make a folder with a first bot for a game."),
    "play": ("games", "Play games between bots on this machine."),
    "bench": (
        "benching",
        "Find out whether a bot is better than another, or how strong it is against several.",
    ),
    "check": ("checking", "Check a bot as a site checks an upload."),
    "replay": ("records", "Show the set-ups and the moves of a recorded game."),
    "reproduce": ("records", "Ask a bot again what it was asked in a game, and judge it again."),
    "verify": ("records", "Check the seal and the signature of a record, and play it again."),
    "login": ("accounts", "Log in to a site, and make it the usual one."),
    "submit": ("submitting", "Upload a bot, and watch its checks."),
    "bot": ("own_bots", "List your bots, show one, or rename, retire or delete it."),
    "versions": ("reading", "List the versions of a bot, or show one with its checks."),
    "matches": ("reading", "List matches, newest first: those of a bot, or all."),
    "logs": ("reading", "Print what your bot wrote to standard error in a match that is over."),
    "challenge": (
        "reading",
        "Request an unrated match of your bot, or list or cancel those that you requested.",
    ),
    "connect": ("remote", "Let a bot on this machine play against a bot of a site."),
    "leaderboard": ("reading", "Show the leaderboard of a ladder, or list the ladders."),
    "tournament": (
        "reading",
        "List tournaments, show the standings of one, or enter your bot in it.",
    ),
    "data": ("data", "Download the records of all public games of a ladder, by day."),
    "token": ("accounts", "List, make and revoke the tokens of your account."),
    "config": (
        "accounts",
        "Show or choose the usual site, and show where things are kept.",
    ),
    "doctor": ("doctor", "Check this machine, the site and the token."),
    "up": ("server", "Start a whole site on this machine, until Ctrl-C ends it."),
    "completion": ("", "Print the script that completes the commands in a shell."),
}
START_BOTS = ("play", "bench", "check", "reproduce", "connect", "up")  # not on Windows
ENDING = tuple(  # signals that end a command; Windows has one of them
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)
)
Handler = Callable[[int, object], NoReturn]  # of a signal


class CommandFailed(click.ClickException):
    """Ends a command with a sentence on stderr and an exit status."""

    def __init__(self, message: str, status: int = FAILED) -> None:
        super().__init__(message)
        self.status = status

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the sentence alone."""
        click.echo(self.message, file=file, err=file is None)


class _LazyGroup(click.Group):
    """A group that imports a command when somebody asks for it."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - of click
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in self.commands or cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        if sys.platform == "win32" and cmd_name in START_BOTS:
            why = f"drapeau {cmd_name} starts bots, which it can on Linux and macOS"
            raise CommandFailed(f"{why}. On Windows, install and run it in WSL", USAGE)
        with _handling(_leave_at_once, signal.SIGINT):
            module = import_module(f"{__name__}.{COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as problem:
            near = get_close_matches(args[0], COMMANDS, n=1)
            if not near:
                raise
            said = f"No such command {args[0]!r}. Did you mean {near[0]}?"
            raise click.UsageError(said, ctx) from problem

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - of click
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])


class Whole(click.IntRange):
    """A whole number in a range."""

    name = "whole number"


def _print_versions(context: click.Context, _option: click.Parameter, asked: bool) -> None:  # noqa: FBT001 - of click
    if not asked or context.resilient_parsing:
        return
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - slow

    from engine.protocol import PROTOCOL  # noqa: PLC0415 - of no use to other commands' help
    from engine.version import VERSION  # noqa: PLC0415 - likewise

    try:
        release = version("drapeau")
    except PackageNotFoundError:  # run in a checkout, without an installation
        release = "(not installed)"
    click.echo(f"drapeau {release}, engine {VERSION}, protocol {PROTOCOL}")
    context.exit()


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_versions,
    help="Show the version of the release, the engine and the protocol.",
)
def drapeau() -> None:
    """Tools for authors of bots."""


@drapeau.command()
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
def completion(shell: str) -> None:
    """Print the script that completes the commands in a shell.

    For bash, put this line into ~/.bashrc: eval "$(drapeau completion bash)"
    """
    kind = get_completion_class(shell)
    if kind is None:
        raise CommandFailed(f"this version of click knows nothing of {shell}")
    click.echo(kind(drapeau, {}, "drapeau", "_DRAPEAU_COMPLETE").source())


def run(
    arguments: Sequence[str] | None = None,
    *,
    command: click.Command = drapeau,
    name: str | None = "drapeau",
) -> int:
    """Run one command and return its exit status. Without a name, click finds how it was called."""
    words = None if arguments is None else list(arguments)
    if sys.stdout is None:  # it was closed, and the next file that is opened would take its place
        return _told(OSError(errno.EBADF, os.strerror(errno.EBADF)))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a pipe of Windows cannot take every character
            stream.reconfigure(errors="replace")
    try:
        with _handling(_leave, *ENDING):
            status: int | None = command.main(words, prog_name=name, standalone_mode=False)
    except click.Abort:
        return INTERRUPTED
    except click.ClickException as problem:
        with suppress(OSError):  # nobody can be told
            problem.show()
        return problem.status if isinstance(problem, CommandFailed) else problem.exit_code
    except OSError as problem:
        return _told(problem)
    return status or 0


@contextmanager
def _handling(handler: Handler, *signals: signal.Signals) -> Iterator[None]:
    """Create a block with a handler of signals. Those that are ignored stay so."""
    is_main = threading.current_thread() is threading.main_thread()  # others may set none
    heeded = [
        number for number in signals if is_main and signal.getsignal(number) != signal.SIG_IGN
    ]
    before = {number: signal.signal(number, handler) for number in heeded}
    try:
        yield
    finally:
        for number, earlier in before.items():
            if signal.getsignal(number) is handler:  # a command may have chosen another
                signal.signal(number, earlier)


def _leave(number: int, _frame: object) -> NoReturn:
    """Leave by an exception, which ends workers and bots on its way."""
    raise SystemExit(SIGNALLED + number)


def _leave_at_once(_number: int, _frame: object) -> NoReturn:
    """Leave without an exception, which an import would turn into another."""
    os._exit(INTERRUPTED)


def _told(problem: OSError) -> int:
    """Print in a line what cannot be written or read. Return the exit status."""
    why = problem.strerror or "the device has failed"
    place = f"{problem.filename}:" if problem.filename else "the output cannot be written:"
    with suppress(OSError):  # nobody can be told
        click.echo(f"{place} {why}", err=True)
    with suppress(OSError, AttributeError):  # what is left would fail again at the end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return FAILED
