"""What actions look like."""

import re

PASS = "pass"  # noqa: S105 - a move, no password
DEMAND = "!"
_PLACE = r"[a-p](?:1[0-2]|[1-9])|NE|NW|SE|SW|N|E|S|W"
MOVE = re.compile(rf"({_PLACE})-({_PLACE})(?:(!)({_PLACE})?)?", re.ASCII)
SHOWN = 40  # how much of a strange text an error repeats


def quoted(text: str) -> str:
    """Quote a text, shortened where it is long."""
    return repr(text if len(text) <= SHOWN else text[:SHOWN] + "...")
