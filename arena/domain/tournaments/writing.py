"""How points and groups are written, in the log and on every page alike."""

from string import ascii_uppercase


def halves(value: float) -> str:
    """Write points as 2, 1½ or ½."""
    whole, half = divmod(round(value * 2), 2)
    if not half:
        return str(whole)
    return f"{whole}½" if whole else "½"


def group_letter(number: int) -> str:
    """Name a group by a letter; beyond the alphabet by its number."""
    return ascii_uppercase[number - 1] if number <= len(ascii_uppercase) else str(number)
