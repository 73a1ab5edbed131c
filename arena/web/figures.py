"""Points and measures of tournaments as people write them."""


def halves(value: float) -> str:
    """Show points as 2, 1½ or ½."""
    whole, half = divmod(round(value * 2), 2)
    if not half:
        return str(whole)
    return f"{whole}½" if whole else "½"


def measure(value: float) -> str:
    """Show a tie-break with as few digits as it needs, two behind the point at most.

    One that counts against somebody is negative: it is shown as what it counts.
    """
    return f"{round(abs(value), 2):g}"
