"""Which variants there are: the folders of `engine.variants` that have a `rules.VARIANT`."""

import json
import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType
from typing import Any

from engine import variants as folder
from engine.errors import UnknownOption, UnknownVariant
from engine.outcome import RESIGNED, Ending, Termination, by_word
from engine.variant import Variant


@cache
def _loaded() -> tuple[Mapping[str, Variant[Any]], Mapping[str, str]]:
    """Return the variants, and for further games that are none what is wrong."""
    loaded: dict[str, Variant[Any]] = {}
    broken: dict[str, str] = {}
    games = [module for module in pkgutil.iter_modules(folder.__path__) if module.ispkg]
    for game in sorted(games, key=lambda module: module.name):
        name = f"{folder.__name__}.{game.name}.rules"
        is_own = getattr(game.module_finder, "path", "") == folder.HERE
        if is_own and find_spec(name) is None:
            continue
        try:
            loaded[game.name] = _variant(name, game.name)
        except Exception as problem:  # whatever the code of somebody else raises
            if is_own:
                raise
            broken[game.name] = f"{type(problem).__name__}: {problem}"
    return MappingProxyType(loaded), MappingProxyType(broken)


def _variant(module: str, slug: str) -> Variant[Any]:
    variant = import_module(module).VARIANT
    if not isinstance(variant, Variant):
        raise TypeError(f"VARIANT is {type(variant).__name__} and not engine.variant.Variant")
    if variant.slug != slug:
        raise ValueError(f"the folder is {slug}, and the slug of VARIANT is {variant.slug}")
    return variant


def _found() -> Mapping[str, Variant[Any]]:
    return _loaded()[0]


def refused() -> Mapping[str, str]:
    """Return the games of further folders that could not be loaded, each with the reason."""
    return _loaded()[1]


def variants() -> dict[str, Variant[Any]]:
    """Return every variant by its slug, in alphabetical order."""
    return dict(_found())


def find(name: str) -> Variant[Any]:
    """Find a variant by `classic` or `classic@1`. Raise UnknownVariant."""
    slug = name.partition("@")[0]
    variant = _found().get(slug)
    if slug in refused():
        raise UnknownVariant(f"the game {slug} cannot be used: {refused()[slug]}")
    if variant is None or name not in (slug, variant.name):
        known = ", ".join(game.name for game in _found().values())
        raise UnknownVariant(f"no variant {name!r}; there are: {known}")
    return variant


def endings() -> dict[str, Ending]:
    """Return the endings of all variants by their words: what rules can decide."""
    known = (*(variant.endings for variant in _found().values()), by_word(RESIGNED))
    return {word: ending for own in known for word, ending in own.items()}


def terminations() -> tuple[str, ...]:
    """Return all words for the end of a game: the endings of all variants, then the faults."""
    return tuple(map(str, dict.fromkeys((*endings(), *Termination))))


def resolve_options(variant: Variant[Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Fill the options given up to the full set.

    Raise UnknownOption, which shows values as JSON.
    """
    for key, value in given.items():
        option = variant.options.get(key)
        if option is None:
            known = ", ".join(sorted(variant.options))
            raise UnknownOption(f"{variant.name} has no option {key!r}; it has: {known}")
        if not option.allows(value):
            least = "" if option.least is None else f" or a whole number from {option.least}"
            wrong, *allowed = (
                json.dumps(choice, default=repr) for choice in (value, *option.allowed)
            )
            known = ", ".join(allowed)
            raise UnknownOption(f"{variant.name}: {key} cannot be {wrong}; it is {known}{least}")
    return {key: given.get(key, option.default) for key, option in variant.options.items()}


def recorded_options(variant: Variant[Any], recorded: Mapping[str, Any]) -> dict[str, Any]:
    """Return all options of a game from its record.

    Raise UnknownOption, also where an option is missing: every record has all of them.
    """
    missing = ", ".join(sorted(variant.options.keys() - recorded.keys()))
    if missing:
        raise UnknownOption(f"{variant.name}: the record does not tell {missing}")
    return resolve_options(variant, recorded)
