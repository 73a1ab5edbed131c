"""Points, measures and group letters of tournaments as text."""

from django.template.defaultfilters import floatformat

from arena.domain.tournaments.wording import group_letter, halves

__all__ = ["average", "group_letter", "halves", "measure"]


def average(value: float) -> str:
    """Return the absolute value of an average with two decimals, rounded half up."""
    return str(floatformat(abs(value), 2))


def measure(value: float) -> str:
    """Return a tie-break as points if it is a multiple of ½, else with at most two decimals.

    Tie-breaks that count against an entrant are negative; show their absolute value.
    """
    counted = abs(value)
    return halves(counted) if (2 * counted).is_integer() else f"{round(counted, 2):g}"
