"""Versions of your bots that a site has, named as bots of the command line: `zoe/mine@3`."""

import errno
import io
import os
import re
import tempfile
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from botkit.commands import CommandFailed
from botkit.commands.connecting import NO_SITE, SITE, chosen, connect, refusals_told, whole_name
from botkit.exit_statuses import USAGE
from botkit.home import HomeBot, cache, find_bot
from botkit.package import without_top_folder
from botkit.site import SiteClient

NAMED = re.compile(r"(?:[\w-]+/)?[\w-]+@[1-9]\d*")
ZIP = ".zip"
UNPACKED_MAX_BYTES = 64 * 2**20
# What zipfile raises for damaged, encrypted and unknown archives.
BAD_ZIP = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)


def bot_named(word: str) -> HomeBot:
    """Return the bot that a word of the command line names. Raise NoBot and CommandFailed."""
    place = local(word)
    return find_bot(word) if place == word else replace(find_bot(place), name=word)


def local(word: str) -> str:
    """Return a word that names a bot; in place of an archived version, where its files are.

    They come from the usual site, once: a version never changes. Raise CommandFailed.
    """
    if not NAMED.fullmatch(word) or Path(word).exists():
        return word
    address = os.environ.get(SITE)
    if not refusals_told(lambda: chosen(address)):
        raise CommandFailed(f"{word} is a version of a bot on a site, and {NO_SITE}", USAGE)
    return str(refusals_told(lambda: _fetched(connect(address), word)))


def _fetched(site: SiteClient, word: str) -> Path:
    bot, _, number = word.partition("@")
    owner, slug = whole_name(site, bot)
    address = ("bots", owner, slug, "versions", number)
    host = urlsplit(site.address).netloc
    folder = cache() / "archives" / host / owner / slug / number
    if not folder.is_dir():
        name = PurePosixPath(str(site.get(*address)["filename"])).name
        try:
            _write(unpacked(site.download(*address, "archive"), name), folder)
        except BAD_ZIP as problem:
            why = "the archive of the site cannot be unpacked"
            raise CommandFailed(f"{word}: its files cannot be kept: {why}") from problem
        except OSError as problem:
            raise CommandFailed(
                f"{word}: its files cannot be kept: {problem.strerror}"
            ) from problem
    (first, *others) = folder.iterdir()
    return folder if others else first


def unpacked(data: bytes, name: str) -> dict[str, bytes]:
    """Return the files of an upload by path, as the arena reads them.

    Raise OSError if they are too large, and one of BAD_ZIP.
    """
    if not name.lower().endswith(ZIP):
        return {name: data}
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        if sum(entry.file_size for entry in packed.infolist()) > UNPACKED_MAX_BYTES:
            raise OSError(errno.EFBIG, "the archive is too large when it is unpacked")
        names = [entry.filename for entry in packed.infolist() if not entry.is_dir()]
        return without_top_folder({name: packed.read(name) for name in names})


def _write(files: Mapping[str, bytes], folder: Path) -> None:
    """Write files into a folder, all or none. Raise OSError."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        unfinished = Path(scratch) / "bot"
        for name, content in files.items():
            path = unfinished / name
            if not path.resolve().is_relative_to(unfinished.resolve()):
                raise OSError(f"a name in the archive leaves its folder: {name!r}")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        if not folder.is_dir():  # another command may have been faster
            unfinished.rename(folder)
