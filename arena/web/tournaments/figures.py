"""Points, measures and letters of tournaments as people write them."""

from django.template.defaultfilters import floatformat

from arena.domain.tournaments.writing import group_letter, halves

__all__ = ["average", "group_letter", "halves", "measure"]


def average(value: float) -> str:
    """Show an average with two digits, rounded as one is taught to; whichever way it counts."""
    return str(floatformat(abs(value), 2))


def measure(value: float) -> str:
    """Show a tie-break as points where it is whole or half, else with two digits at most.

    One that counts against somebody is negative: it is shown as what it counts.
    """
    counted = abs(value)
    return halves(counted) if (2 * counted).is_integer() else f"{round(counted, 2):g}"
