"""The command `init`: a folder with a first bot."""

import shlex
from pathlib import Path

import click

from botkit import starters
from botkit.commands import CommandFailed
from botkit.commands.completing import complete_game
from botkit.manifest import BadUpload
from botkit.whole_files import write_folder
from engine.errors import UnknownVariant
from engine.registry import find, variants


@click.command(epilog=f"The games: {', '.join(variants())}.")
@click.argument("game", shell_complete=complete_game)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--lang",
    type=click.Choice(starters.LANGUAGES),
    default=starters.SDK,
    show_default=True,
    help=f"The language. {starters.SDK} is Python with the SDK.",
)
def init(*, game: str, folder: Path, lang: str) -> None:
    """Make a folder with a first bot for a game.

    GAME is a variant such as classic. The bot plays legal games as it is. DIR must be new or empty,
    and its name becomes the name of the bot.
    """
    try:
        slug = find(game).slug
    except UnknownVariant as problem:
        raise click.UsageError(str(problem)) from problem
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise CommandFailed(f"{folder}: it exists and is not an empty folder. Choose another")
        files = starters.starter(slug, lang, name=folder.resolve().name.strip() or "bot")
        write_folder(folder, files)
    except starters.NotInstalled as problem:
        raise CommandFailed(str(problem)) from problem
    except BadUpload as problem:
        raise CommandFailed(f"{folder}: {problem.message}. Choose another name") from problem
    except OSError as problem:
        raise CommandFailed(f"{folder}: cannot be made: {problem.strerror}") from problem
    click.echo(f"{folder}: {', '.join(sorted(files))}")
    words = shlex.join(("drapeau", "play", str(folder), str(folder)))
    click.echo(f"Play it against itself: {words}")
