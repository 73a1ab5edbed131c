"""Starters: a first bot for a game in a language, to begin with."""

from collections.abc import Mapping
from pathlib import Path

from botkit import languages, wiretypes
from botkit.home import starters_folders
from botkit.manifest import MANIFEST_NAME, Manifest, read_manifest, written
from botkit.package import Package, read_folder
from engine import variants as games

SDK = "python-kit"  # Python with the SDK
LANGUAGES = (SDK, *(language.name for language in languages.LANGUAGES))


class NotInstalled(Exception):
    """There is no starter for a game in a language in this installation."""


def starter(slug: str, lang: str, *, name: str) -> Mapping[str, bytes]:
    """Return the files of a bot with this name that plays a game, by relative path.

    If the language has types, those of the lines of the game are among them. Raise NotInstalled, or
    BadUpload for a name that the arena refuses.
    """
    found = _find(slug, lang)
    old = found.manifest
    content = written(Manifest(name, old.language, old.entry, (slug,))).encode()
    files = {**found.files, MANIFEST_NAME: content, **wiretypes.files(slug, old.language)}
    read_manifest(files)  # refuses names that the arena refuses
    return files


def _find(slug: str, lang: str) -> Package:
    if lang == SDK:
        places = [Path(each) / slug / "starter" for each in games.__path__]
    else:
        places = [each / lang for each in starters_folders()]
    for place in places:
        if (place / MANIFEST_NAME).is_file():
            return read_folder(place)
    raise NotInstalled(f"the starter for {slug} in {lang} is not installed")
