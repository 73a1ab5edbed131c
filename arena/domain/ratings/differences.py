"""What a recomputation finds other than it is stored."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Model

FIT_TOLERANCE = 0.01  # on the Elo scale; a fit is a limit, and no machine rounds like another


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that a recomputation finds other than it is stored; `where` names the row."""

    where: str
    stored: str
    computed: str

    def __str__(self) -> str:
        return f"{self.where}: stored {self.stored}, computed {self.computed}"


def of_rows(
    where: str, stored: Mapping[int, Model], computed: Mapping[int, Model], names: Sequence[str]
) -> Iterator[Difference]:
    """Compare rows by a key that is an id; a missing row and one too many are differences."""
    for key in sorted(stored.keys() | computed.keys()):
        here = f"{where} {key}"
        if key not in stored:
            yield Difference(here, "nothing", str(computed[key]))
        elif key not in computed:
            yield Difference(here, str(stored[key]), "nothing")
        else:
            values = {name: getattr(computed[key], name) for name in names}
            yield from of_values(here, stored[key], values)


def of_values(where: str, stored: Model, computed: Mapping[str, Any]) -> Iterator[Difference]:
    """Compare the columns of a row, to the last bit."""
    for name, value in computed.items():
        have = getattr(stored, name)
        if have != value:
            yield Difference(f"{where}, {name}", str(have), str(value))


def of_fits(
    where: str, stored: Model, computed: Mapping[str, float | None]
) -> Iterator[Difference]:
    """Compare what a fit gave, to within `FIT_TOLERANCE`."""
    for name, value in computed.items():
        have = getattr(stored, name)
        is_missing = have is None or value is None
        if have is not value if is_missing else abs(have - value) > FIT_TOLERANCE:
            yield Difference(f"{where}, {name}", str(have), str(value))
