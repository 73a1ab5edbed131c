"""Which variants there are: the folders of `engine/variants` that have a `rules.VARIANT`."""

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
def _found() -> Mapping[str, Variant[Any]]:
    slugs = sorted(module.name for module in pkgutil.iter_modules(folder.__path__) if module.ispkg)
    rules = [f"{folder.__name__}.{slug}.rules" for slug in slugs]
    loaded = (import_module(name).VARIANT for name in rules if find_spec(name) is not None)
    return MappingProxyType({variant.slug: variant for variant in loaded})


def variants() -> dict[str, Variant[Any]]:
    """Return every variant by its slug, in alphabetical order."""
    return dict(_found())


def find(name: str) -> Variant[Any]:
    """Find a variant by `classic` or `classic@1`. Raise UnknownVariant."""
    slug = name.partition("@")[0]
    variant = _found().get(slug)
    if variant is None or name not in (slug, variant.name):
        known = ", ".join(found.name for found in _found().values())
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
            wrong, *allowed = (json.dumps(each, default=repr) for each in (value, *option.allowed))
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
