"""Starters: a first bot for a game in a language, to begin with."""

from collections.abc import Mapping
from pathlib import Path

from botkit import languages, wiretypes
from botkit.home import starters_folders
from botkit.manifest import MANIFEST_NAME, Manifest, read_manifest, written
from botkit.package import Package, read_folder
from engine import variants as games
from engine.registry import find, resolve_options

SDK = "python-kit"  # Python with the SDK
LANGUAGES = (SDK, *(language.name for language in languages.LANGUAGES))


def languages_of(slug: str) -> tuple[str, ...]:
    """Return the languages in which there is a starter for a game.

    All but that with the SDK are for any game whose set-up lays out an army or a hand in any order.
    """
    variant = find(slug)
    seat = variant.seats[0]
    state = variant.begin(resolve_options(variant, {}), 0)
    view = variant.view(state, seat)
    is_laid_out = "army" in view or "hand" in view.get("seats", {}).get(seat, {})
    is_listed = variant.legal(state, seat) is not None
    return LANGUAGES if is_laid_out or is_listed else (SDK,)


class NotInstalled(Exception):
    """There is no starter for a game in a language in this installation."""


def starter(slug: str, lang: str, *, name: str) -> Mapping[str, bytes]:
    """Return the files of a bot with this name that plays a game, by relative path.

    If the language has types, those of the lines of the game are among them. Raise NotInstalled, or
    BadUpload for a name that the arena refuses.
    """
    package = _find(slug, lang)
    old = package.manifest
    content = written(Manifest(name, old.language, old.entry, (slug,))).encode()
    files = {**package.files, MANIFEST_NAME: content, **wiretypes.files(slug, old.language)}
    read_manifest(files)  # refuses names that the arena refuses
    return files


def _find(slug: str, lang: str) -> Package:
    if lang == SDK:
        places = [Path(folder) / slug / "starter" for folder in games.__path__]
    elif lang not in languages_of(slug):
        raise NotInstalled(f"the starter in {lang} cannot set up {slug}. Take --lang {SDK}")
    else:
        places = [folder / lang for folder in starters_folders()]
    for place in places:
        if (place / MANIFEST_NAME).is_file():
            return read_folder(place)
    raise NotInstalled(f"the starter for {slug} in {lang} is not installed")
