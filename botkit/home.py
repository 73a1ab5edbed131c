"""The bots of an author's own machine: folders, files, house bots and commands."""

import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path, PurePosixPath

from botkit import languages, ucc
from botkit.languages import Language
from botkit.manifest import MANIFEST_NAME, BadUpload
from botkit.package import Package, read_described, read_to_play, single_file
from botkit.whole_files import write_whole

COMMAND = "cmd:"  # begins a command that is given in place of a bot
UCC = "ucc:"  # likewise, of a program that speaks the UCC protocol
BUILD_WAIT_S = 120  # as in the arena
PYTHON = "python3"


class NoBot(Exception):
    """What was named cannot be played as a bot; the text says why and what to do."""


class NotCompiled(NoBot):
    """The sources of a bot cannot be compiled: why, and what the compiler wrote."""

    def __init__(self, source: Path, why: str, log: str = "") -> None:
        super().__init__(f"{source}: {why}\n{log}".rstrip())
        self.why, self.log = why, log


@dataclass(frozen=True, slots=True)
class HomeBot:
    """A bot that can be started: its command, and the folder in which it starts.

    `digest` is that of its files in the arena, or empty for a command and for a folder that no site
    takes. No variants means all.
    """

    name: str
    command: tuple[str, ...]
    folder: Path | None = None
    digest: str = ""
    variants: tuple[str, ...] = ()

    def plays(self, slug: str) -> bool:
        """Return whether its manifest says that it plays a variant."""
        return not self.variants or slug in {variant.partition("@")[0] for variant in self.variants}


def find_bot(given: str) -> HomeBot:
    """Return the bot that a word of the command line names, compiled if necessary.

    The word is a command behind `cmd:` or `ucc:`, a folder, a file, a further manifest in a folder,
    or the name of a house bot. Raise NoBot.
    """
    if given.startswith(COMMAND):
        words = _words(given, COMMAND)
        return HomeBot(PurePosixPath(words[0]).name, tuple(words))
    if given.startswith(UCC):
        words = _words(given, UCC)
        try:
            _, (program, *_) = ucc.parsed(words)
        except ValueError as problem:
            raise NoBot(f"{UCC}{shlex.join(words)}: {problem}") from problem
        if shutil.which(program) is None:
            raise NoBot(f"{program}: there is no such program, or it may not be run")
        # -P: the folder where the author works does not shadow modules of the adapter.
        command = (sys.executable, "-P", "-m", ucc.__name__, *words)
        return HomeBot(PurePosixPath(program).name, command, variants=(ucc.VARIANT,))
    path = path_of(given)
    try:
        if path.suffix == Path(MANIFEST_NAME).suffix and path.is_file():
            return _of_manifest(path)
        return _of_folder(path) if path.is_dir() else _of_file(path)
    except BadUpload as problem:
        raise NoBot(f"{path}: {problem.message}") from problem
    except OSError as problem:
        raise NoBot(f"{path}: {problem.strerror}") from problem


def path_of(given: str) -> Path:
    """Return the path that a word names, which is no command: its own, or that of a house bot."""
    path = Path(given)
    if not path.exists() and "/" not in given:
        path = house_bots().get(given, path)
    return path


def command_of(given: Sequence[str]) -> tuple[tuple[str, ...], Path | None]:
    """Return the command of one word as `find_bot` takes it, or of the words of a command."""
    if len(given) > 1:
        return tuple(given), None
    bot = find_bot(given[0])
    return bot.command, bot.folder


def starters_folders() -> list[Path]:
    """Return the folders of starters: those of an installed kit, then those of a checkout."""
    return [
        Path(__file__).parent / "starters",
        *(folder / "starters" for folder in _bots_folders()),
    ]


def _bots_folders() -> list[Path]:
    """Return the folders of house bots: the distribution `drapeau-bots`, `bots` of a checkout."""
    specs = [importlib.util.find_spec(name) for name in ("drapeau_bots", "bots")]
    return [
        Path(location)
        for spec in specs
        for location in (spec and spec.submodule_search_locations) or ()
    ]


def house_bots() -> dict[str, Path]:
    """Return the folders of the house bots by name, and further manifests in these folders."""
    manifests = [file for folder in _bots_folders() for file in folder.glob(f"*/{MANIFEST_NAME}")]
    folders = {file.parent.name: file.parent for file in sorted(manifests)}
    return folders | {
        further.stem: further
        for folder in folders.values()
        for further in sorted(folder.glob("*.toml"))
        if further.name != MANIFEST_NAME
    }


def _words(given: str, prefix: str) -> list[str]:
    try:
        words = shlex.split(given.removeprefix(prefix))
    except ValueError as problem:
        why = "a quotation mark is not closed, or a backslash ends it"
        raise NoBot(f"{given}: the command cannot be split into words: {why}") from problem
    if not words:
        raise NoBot(f"{prefix} is followed by no command; write '{prefix}./rook --fast'")
    return words


def _of_folder(folder: Path) -> HomeBot:
    package = read_to_play(folder)
    return _bot(package, folder.resolve(), package.manifest.entry)


def _of_manifest(path: Path) -> HomeBot:
    """Return the bot of a manifest. A copy of its folder in the cache has it as `drapeau.toml`."""
    if path.name == MANIFEST_NAME:
        return _of_folder(path.parent)
    package = read_described(path)
    folder = cache() / "bots" / package.digest
    try:
        for name, content in package.files.items():
            copy = folder / name
            if not copy.is_file():
                copy.parent.mkdir(parents=True, exist_ok=True)
                write_whole(copy, content)
    except OSError as problem:
        raise NoBot(f"{path}: it cannot be copied: {problem.strerror} in {cache()}") from problem
    return _bot(package, folder, package.manifest.entry)


def _of_file(path: Path) -> HomeBot:
    if not path.is_file():
        known = ", ".join(sorted(house_bots())) or "not installed (drapeau-bots)"
        near = get_close_matches(path.name, house_bots(), n=1)
        meant = f". Did you mean {near[0]}?" if near else ""
        why = f"there is no such file or folder. The house bots are: {known}{meant}"
        raise NoBot(f"{path}: {why}")
    language = languages.of_file(path.name)
    if language is not None:
        return _bot(single_file(path.read_bytes(), path.name, language), path.parent, path.name)
    if not os.access(path, os.X_OK):
        raise NoBot(
            f"{path}: not a program. Give a source file, a folder with a {MANIFEST_NAME}, or the "
            f"whole command behind {COMMAND}"
        )
    return HomeBot(path.name, (str(path.resolve()),))


def _bot(package: Package, folder: Path, entry: str) -> HomeBot:
    manifest = package.manifest
    for library in manifest.libraries:
        if importlib.util.find_spec(library) is None:
            raise NoBot(f"{folder}: it needs {library}. Install it here: pip install {library}")
    language = languages.find(manifest.language)
    if language is None:  # the manifest was checked
        raise NoBot(f"{folder}: unknown language {manifest.language!r}")
    path = folder.resolve() / entry
    if language.compiled:
        # The compiled file of a bot, from the cache if these sources were compiled before.
        source = folder if entry == package.manifest.entry else folder / entry
        path = cache() / "builds" / package.digest / language.artefact
        if not path.is_file():
            try:
                artefact = _compile(package, language, source)
                path.parent.mkdir(parents=True, exist_ok=True)
                write_whole(path, artefact, executable=True)
            except OSError as problem:
                why = f"{problem.strerror} in {cache()} or {tempfile.gettempdir()}"
                raise NoBot(f"{source}: it cannot be compiled: {why}") from problem
    command = languages.run_command(language, str(path))
    if language.run[0] != languages.PLACE:
        name = PurePosixPath(command[0]).name
        program = sys.executable if name == PYTHON else shutil.which(name)
        if program is None:
            raise NoBot(f"{language.title} is not installed here: there is no program {name!r}")
        command[0] = program
    return HomeBot(
        name=manifest.name,
        command=tuple(command),
        folder=folder.resolve(),
        digest=package.digest,
        variants=manifest.variants,
    )


def cache() -> Path:
    """Return the folder for what can be made or fetched again."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "drapeau"


def _compile(package: Package, language: Language, source: Path) -> bytes:
    """Compile the files of a bot as the arena does. Raise NoBot with the compiler's messages.

    `source` is the folder of the bot, or its single file.
    """
    with tempfile.TemporaryDirectory(prefix="drapeau-") as place:
        folder, scratch = Path(place) / "bot", Path(place) / "tmp"
        scratch.mkdir()
        for name, content in package.files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        command = languages.build_command(
            language, package.manifest.entry, folder=str(folder), scratch=str(scratch)
        )
        try:
            done = subprocess.run(  # noqa: S603 - the compiler of the table
                command, capture_output=True, check=False, timeout=BUILD_WAIT_S
            )
        except subprocess.TimeoutExpired as problem:
            why = f"compiling took longer than {BUILD_WAIT_S} seconds"
            raise NotCompiled(source, why) from problem
    place_of_source = folder / package.manifest.entry if source.is_file() else folder
    log = done.stderr.decode(errors="replace").replace(str(place_of_source), str(source)).rstrip()
    if done.returncode != 0:
        raise NotCompiled(source, languages.REFUSED, log)
    if not done.stdout.startswith(language.magic):
        raise NotCompiled(source, languages.MADE_NOTHING, log)
    return done.stdout
