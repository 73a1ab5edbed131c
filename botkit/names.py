"""The names of bots: one rule for manifests, for the command line and for sites.

A site translates the refusals: it collects the texts that `_` marks (`python -m tools.messages`).
"""

import unicodedata
from itertools import pairwise

NAME_MAX_CHARS = 60
MARKS_MAX = 3  # on one letter; texts of real languages have two, and rarely three
JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"  # of letters, and of parts of an emoji
FILLERS = "\u115f\u1160\u2800\u3164\uffa0"  # signs and letters by their category, and blank


def _(text: str) -> str:
    """Mark a text for translation."""
    return text


EMPTY = _("A name needs a letter, a digit or a sign that can be seen.")
TOO_LONG = _("A name has at most 60 characters.")
SLASH = _("A name has no slash: “owner/bot” is the address of a bot.")
INVISIBLE = _("A name has no invisible characters. Type it anew.")
MARKS = _("A name has at most three marks on one letter.")


def problem_with(name: str) -> str:
    """Return why a text cannot be the name of a bot, in a sentence, or nothing."""
    if len(name) > NAME_MAX_CHARS:
        return TOO_LONG
    if "/" in name:
        return SLASH
    return problem_of_signs(name)


def problem_of_signs(name: str) -> str:
    """Return why a text cannot be read as a name, whatever it names, or nothing."""
    if any(map(_is_invisible, name)) or not _joins_well(name):
        return INVISIBLE
    if not any(unicodedata.category(char)[0] in "LNPS" for char in name):
        return EMPTY
    marks = 0
    for char in name:
        marks = marks + 1 if unicodedata.category(char) in {"Mn", "Me"} else 0
        if marks > MARKS_MAX:
            return MARKS
    return ""


def _is_invisible(char: str) -> bool:
    """Return whether a character takes no room, steers the text, or is unknown to Unicode."""
    if char == " " or char in JOINERS:
        return False
    return char in FILLERS or unicodedata.category(char)[0] in "CZ"


def _joins_well(name: str) -> bool:
    """Return whether joiners stand between two characters that can be joined."""
    padded = f" {name} "
    return not any(
        (left in JOINERS and (right in JOINERS or right == " "))
        or (right in JOINERS and left == " ")
        for left, right in pairwise(padded)
    )
