"""What the folder of a game has for the bot kit: a typed view, an encoding, the line of a position.

A site needs the line of a position; the other two are optional. Games of one family share these
modules: the package of such a game has the family's package as `FAMILY`.
"""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType

from engine import variants


@cache
def game_module(variant: str, name: str) -> ModuleType | None:
    """Return a module of a game's folder or of its family, or None where there is none.

    `variant` is a slug such as `classic`, or has a version too.
    """
    slug = variant.partition("@")[0]
    if slug not in _slugs():
        return None
    game = import_module(f"{variants.__name__}.{slug}")
    path = f"{getattr(game, 'FAMILY', game).__name__}.{name}"
    return None if find_spec(path) is None else import_module(path)


def game_modules(name: str) -> Iterator[ModuleType]:
    """Yield the modules of that name of all games."""
    modules = (game_module(slug, name) for slug in _slugs())
    return (module for module in modules if module is not None)


def _slugs() -> list[str]:
    return [module.name for module in iter_modules(variants.__path__) if module.ispkg]
