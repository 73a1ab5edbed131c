"""The formats, by the names under which tournaments keep them: each is a class of this folder."""

import pkgutil
from collections.abc import Mapping
from importlib import import_module

from arena.domain import formats
from arena.domain.formats.base import REGISTRY, Format
from arena.domain.formats.types import Unplayable

for _module in pkgutil.iter_modules(formats.__path__):
    import_module(f"{formats.__name__}.{_module.name}")

FORMATS: Mapping[str, Format] = {
    kind.slug: kind() for kind in sorted(REGISTRY.values(), key=lambda kind: kind.position)
}


def find(slug: str) -> Format:
    """Return a format. Raise Unplayable("unknown_format") where there is none of this name."""
    if slug not in FORMATS:
        raise Unplayable("unknown_format", slug=slug, known=sorted(FORMATS))
    return FORMATS[slug]
