"""What actions look like."""

import re

PASS = "pass"  # noqa: S105 - a move, no password
DEMAND = "!"
_PLACE = r"[a-p](?:1[0-2]|[1-9])|NE|NW|SE|SW|N|E|S|W"
MOVE = re.compile(rf"({_PLACE})-({_PLACE})(?:(!)({_PLACE})?)?", re.ASCII)
