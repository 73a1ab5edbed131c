"""Points, measures and letters of tournaments as people write them."""

from string import ascii_uppercase


def halves(value: float) -> str:
    """Show points as 2, 1½ or ½."""
    whole, half = divmod(round(value * 2), 2)
    if not half:
        return str(whole)
    return f"{whole}½" if whole else "½"


def measure(value: float) -> str:
    """Show a tie-break as points where it is whole or half, else with two digits at most.

    One that counts against somebody is negative: it is shown as what it counts.
    """
    counted = abs(value)
    return halves(counted) if (2 * counted).is_integer() else f"{round(counted, 2):g}"


def group_letter(number: int) -> str:
    """Name a group by a letter; beyond the alphabet by its number."""
    return ascii_uppercase[number - 1] if number <= len(ascii_uppercase) else str(number)
