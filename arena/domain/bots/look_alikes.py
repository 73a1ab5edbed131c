"""Names that look like the name of somebody else's bot, by the table of Unicode (UTS 39)."""

import unicodedata
from functools import cache

from arena.models import Bot, User


def look_alike(*, name: str, owner: User) -> Bot | None:
    """Return a bot of somebody else whose name is written in other letters and looks the same."""
    wanted, plain = skeleton(name), name.casefold()
    others = Bot.objects.exclude(owner=owner).values_list("pk", "name")
    for pk, other in others.iterator():
        if other.casefold() != plain and skeleton(other) == wanted:
            return Bot.objects.select_related("owner").get(pk=pk)
    return None


def skeleton(name: str) -> str:
    """Return a text that names have in common if they look the same, also in small letters."""
    shapes = _shapes()
    plain = unicodedata.normalize("NFKC", name).translate(shapes)
    return plain.casefold().translate(shapes)


@cache
def _shapes() -> dict[int, str]:
    """Return one character for each that looks like it, a letter of ASCII where there is one."""
    from confusable_homoglyphs.confusables import confusables_data  # noqa: PLC0415 - reads a table

    alike: dict[str, str] = {}

    def first(char: str) -> str:
        while char != (other := alike.setdefault(char, char)):
            char = other
        return char

    for char, rows in confusables_data.items():
        for other in [row["c"] for row in rows if len(char) == len(row["c"]) == 1]:
            letter, twin = sorted((first(char), first(other)), key=_preference)
            alike[twin] = letter
    return {ord(char): first(char) for char in list(alike)}


def _preference(char: str) -> tuple[bool, bool, str]:
    return not (char.isascii() and char.isalpha()), not char.islower(), char
