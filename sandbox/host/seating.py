"""The programs of a table, and the folders that hold a bot's files before it starts."""

import secrets
import shutil
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from botkit.package import Package
from sandbox.host.uid_slots import Slot

BOT_FOLDER = "/bot"
SCRATCH_FOLDER = "/tmp"  # noqa: S108 - a contained bot has it for itself
FOLDER_PREFIX = "bot-"  # prefix of the folders in the run directory, one for each running bot
LIBRARY_FOLDER = "/opt/drapeau"  # where a contained bot has the SDK

BotProgram = Package
Scripted = Callable[[bytes], bytes]
"""A player in this process: a function from a request line to an answer without line feed."""
Seating = BotProgram | Scripted


@dataclass(frozen=True, slots=True)
class BotPlace:
    """A folder for one running bot, with a random name, and the slot that the bot runs under."""

    root: Path
    slot: Slot

    @property
    def bot(self) -> Path:
        """The folder with the files of the bot."""
        return self.root / "bot"

    @property
    def arena(self) -> Path:
        """The folder with the socket over which a contained bot's first process calls back."""
        return self.root / "arena"

    def clear(self) -> None:
        """Remove the folder and release the slot. Call it only after the bot is gone."""
        shutil.rmtree(self.root, ignore_errors=True)
        self.slot.write_note("")
        self.slot.release()

    def abandon(self) -> None:
        """Give up a bot that may be alive: its slot stays in use until `reap` has cleared it."""
        self.slot.release()


def make_place(run_dir: Path, slot: Slot) -> BotPlace:
    """Create a folder for a bot and note it in its slot, or leave nothing behind. Raise OSError."""
    with ExitStack() as undo:
        place = BotPlace(run_dir / f"{FOLDER_PREFIX}{secrets.token_hex(8)}", slot)
        undo.callback(place.clear)
        # Noted before it exists: whenever this process is killed, a note leads to the folder.
        slot.write_note(str(place.root))
        place.root.mkdir()
        place.root.chmod(0o711)
        place.bot.mkdir()
        place.bot.chmod(0o755)
        undo.pop_all()
    return place


def place_bot(program: BotProgram, run_dir: Path, slot: Slot) -> BotPlace:
    """Write a bot's files to a new folder of the run directory, or nothing. Raise OSError."""
    with ExitStack() as undo:
        place = make_place(run_dir, slot)
        undo.callback(place.clear)
        place_files(program.files, place.bot)
        undo.pop_all()
    return place


def place_files(files: Mapping[str, bytes], folder: Path) -> None:
    """Write the files of a bot, readable by everyone and writable only by this user."""
    for name, content in files.items():
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts:
            raise ValueError(f"not a path inside a bot: {name!r}")
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        for parent in target.relative_to(folder).parents:
            (folder / parent).chmod(0o755)
        target.write_bytes(content)
        target.chmod(0o644)


def bot_environment(*, home: str, library: str) -> dict[str, str]:
    """Return all environment variables of a bot."""
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": home,
        "TMPDIR": home,
        "LANG": "C.UTF-8",
        "PYTHONPATH": library,
        "PYTHONUNBUFFERED": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
