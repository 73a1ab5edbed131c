"""Versions of your bots that a site has, named as bots of the command line: `zoe/mine@3`."""

import io
import os
import re
import tempfile
import zipfile
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from botkit.commands import CommandFailed
from botkit.commands.connecting import SITE, connect, refusals_told, whole_name
from botkit.home import HomeBot, cache, find_bot
from botkit.site import SiteClient

NAMED = re.compile(r"(?:[\w-]+/)?[\w-]+@[1-9]\d*")
UNPACKED_MAX_BYTES = 64 * 2**20


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
    return str(refusals_told(lambda: _fetched(connect(os.environ.get(SITE)), word)))


def _fetched(site: SiteClient, word: str) -> Path:
    bot, _, number = word.partition("@")
    owner, slug = whole_name(site, bot)
    address = ("bots", owner, slug, "versions", number)
    host = urlsplit(site.address).netloc
    folder = cache() / "archives" / host / owner / slug / number
    if not folder.is_dir():
        name = Path(str(site.get(*address)["filename"])).name
        try:
            _unpack(site.download(*address, "archive"), name, folder)
        except (OSError, zipfile.BadZipFile) as problem:
            raise CommandFailed(f"{word}: its files cannot be kept: {problem}") from problem
    (first, *others) = folder.iterdir()
    return folder if others else first  # a single file, or the one folder at the top of a zip


def _unpack(data: bytes, name: str, folder: Path) -> None:
    """Write the files of an upload into a folder, all or none. Raise OSError and BadZipFile."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        unfinished = Path(scratch) / "bot"
        unfinished.mkdir()
        if name.endswith(".zip"):
            with zipfile.ZipFile(io.BytesIO(data)) as packed:
                if sum(each.file_size for each in packed.infolist()) > UNPACKED_MAX_BYTES:
                    raise zipfile.BadZipFile("the archive is too large when it is unpacked")
                packed.extractall(unfinished)
        else:
            (unfinished / name).write_bytes(data)
        unfinished.rename(folder)
