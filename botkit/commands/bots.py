"""The command `init`: a folder with a first bot."""

from pathlib import Path

import click

from botkit import languages
from botkit.commands import CommandFailed
from botkit.commands.completing import complete_game
from botkit.home import starters_folders
from botkit.manifest import MANIFEST_NAME, BadUpload, Manifest, read_manifest, written
from botkit.package import Package, read_folder
from engine import variants as games
from engine.errors import UnknownVariant
from engine.registry import find

SDK = "python-kit"
LANGUAGES = (SDK, *(each.name for each in languages.LANGUAGES))


@click.command()
@click.argument("game", shell_complete=complete_game)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    default=SDK,
    show_default=True,
    help=f"The language. {SDK} is Python with the SDK.",
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
        starter = _starter(slug, lang)
        files = {**starter.files, MANIFEST_NAME: _manifest(folder, starter, slug)}
        for name, content in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
    except BadUpload as problem:
        raise CommandFailed(f"{folder}: {problem.message}. Choose another name") from problem
    except OSError as problem:
        raise CommandFailed(f"{problem.filename}: {problem.strerror}") from problem
    click.echo(f"{folder}: {', '.join(sorted(files))}")
    click.echo(f"Play it against itself: drapeau play {folder} {folder}")


def _starter(slug: str, lang: str) -> Package:
    """Return the starter of a game in a language. Raise CommandFailed if it is not installed."""
    if lang == SDK:
        places = [Path(each) / slug / "starter" for each in games.__path__]
    else:
        places = [each / lang for each in starters_folders()]
    for place in places:
        if (place / MANIFEST_NAME).is_file():
            return read_folder(place)
    raise CommandFailed(f"the starter for {slug} in {lang} is not installed")


def _manifest(folder: Path, starter: Package, slug: str) -> bytes:
    """Return the manifest of the new bot, which has the name of its folder."""
    old = starter.manifest
    name = folder.resolve().name.strip() or "bot"
    content = written(Manifest(name, old.language, old.entry, (slug,))).encode()
    read_manifest({**starter.files, MANIFEST_NAME: content})  # refuses names that the arena refuses
    return content
