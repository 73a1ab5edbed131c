"""How the log and all pages write points and groups."""

from string import ascii_uppercase


def halves(value: float) -> str:
    """Return points as text: 2, 1½ or ½."""
    whole, half = divmod(round(value * 2), 2)
    if not half:
        return str(whole)
    return f"{whole}½" if whole else "½"


def group_letter(number: int) -> str:
    """Return the letter of a group, or its number beyond the alphabet."""
    return ascii_uppercase[number - 1] if number <= len(ascii_uppercase) else str(number)
