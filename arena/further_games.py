"""What is wrong with the games that an installation has brought in folders of its own."""

import re
from collections.abc import Iterator
from pathlib import Path

from botkit.game_modules import game_module
from engine import registry, variants
from engine.variant import Variant

WORD = re.compile(r"[\w-]+", re.ASCII)
NEEDED = {
    "__init__.py": "which may be empty",
    "README.md": "the rule page",
    "ledger.toml": "the sentences of the rules",
    "starter/bot.py": "a first bot",
    "starter/drapeau.toml": "the manifest of the first bot",
}


def problems() -> list[str]:
    """Return what is wrong, a sentence each that says what to do; nothing where all is well."""
    return [text for folder, named in variants.FURTHER.items() for text in _in(Path(folder), named)]


def _in(folder: Path, named: str) -> Iterator[str]:
    if not folder.is_dir():
        yield f"{folder} is no folder. Correct {named}, or make the folder."
        return
    games = sorted(rules.parent for rules in folder.glob("*/rules.py"))
    if not games:
        yield f"{folder} has no game: a game is a folder with a rules.py. Correct {named}."
    for game in games:
        yield from _of(game)


def _of(game: Path) -> Iterator[str]:
    own = Path(variants.HERE) / game.name
    if own.is_dir():
        yield f"{game}: there is a game {game.name} already. Give the folder another name."
        return
    for name, what in NEEDED.items():
        if not (game / name).is_file():
            yield f"{game} needs {name}, {what}."
    if game.name in registry.refused():
        yield f"{game}/rules.py cannot be used: {registry.refused()[game.name]}"
    elif game.name in registry.variants():
        yield from _modules(game)
        yield from (f"{game}: {text}" for text in _clashes(registry.find(game.name)))


def _modules(game: Path) -> Iterator[str]:
    """Yield what is wrong with the modules that the site uses, of the game or of its family."""
    for name in ("position_line", "typed_view"):
        try:
            module = game_module(game.name, name)
        except Exception as problem:  # noqa: BLE001 - somebody else's code raises anything
            yield f"{game}/{name}.py cannot be used: {type(problem).__name__}: {problem}"
        else:
            if module is None and name == "position_line":
                yield f"{game} needs position_line.py, what changes in a game, as fields of a line."


def _clashes(variant: Variant[object]) -> Iterator[str]:
    """Yield the words of a game that mean something else in another game, or cannot be used."""
    for name in (*variant.pictures.faces, *variant.pictures.bodies):
        if not WORD.fullmatch(name):
            yield f"the name {name!r} of a drawing is no word. Use letters, digits and hyphens."
    for other in registry.variants().values():
        if other is variant:
            continue
        for word, ending in variant.endings.items():
            if other.endings.get(word, ending) != ending:
                yield f"the ending {word} says something else in {other.slug}. Rename it."
        for kind in ("faces", "bodies"):
            drawn = getattr(other.pictures, kind)
            for name, drawing in getattr(variant.pictures, kind).items():
                if drawn.get(name, drawing) != drawing:
                    yield f"{name} of its {kind} is another drawing in {other.slug}. Rename it."
