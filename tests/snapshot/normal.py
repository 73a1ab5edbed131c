"""The text of an answer as it is compared: laid out by lines, without what is never the same."""

import json
import re

from arena.models import ApiToken, Match, Pairing, VersionTrial

# What differs from run to run, or with the number of tokens that were drawn before.
NEVER_THE_SAME = (
    (re.compile(r'(name="csrfmiddlewaretoken" value=")[^"]*'), r"\1CSRF"),
    (re.compile(r'("X-CSRFToken": ")[^"]*'), r"\1CSRF"),
    (re.compile(r"(\bnonce[=-]\"?)[\w+/=-]{16,}"), r"\1NONCE"),
    (re.compile(r'("request_id": ")[0-9a-f]{32}'), r"\1REQUEST"),
    (re.compile(r"\bdrp_[0-9a-f]{20,}"), "TOKEN"),
)
PUBLIC_ID = re.compile(r"\b(m|t|vt|p)_[1-9A-HJ-NP-Za-km-z]{12}\b")
NAMED = (Match, ApiToken, VersionTrial, Pairing)

VERBATIM = re.compile(r"(<(pre|textarea|script|style)\b.*?</\2>)", re.DOTALL | re.IGNORECASE)
TAG = re.compile(r"(<!--.*?-->|<(?:\"[^\"]*\"|'[^']*'|[^'\">])+>)", re.DOTALL)
INLINE = re.compile(
    r"</?(a|abbr|b|button|cite|code|em|i|img|input|kbd|label|q|s|select|small|span|strong|sub|sup"
    r"|svg|time|var)\b",
    re.IGNORECASE,
)
SPACE = "\N{OPEN BOX}"  # a space at the end of a line that a reader would see


def known_ids():
    """Map the public ids of all rows to their places in the order in which they were made."""
    names: dict[str, str] = {}
    for model in NAMED:
        rows = model.objects.order_by("created" if model is ApiToken else "pk")
        ids = list(rows.values_list("public_id", flat=True))
        names |= {each: f"{each.partition('_')[0]}_#{n}" for n, each in enumerate(ids, start=1)}
    return names


def steady(text, names):
    """Replace what is never the same; ids of new rows become their order of appearance."""
    for pattern, replacement in NEVER_THE_SAME:
        text = pattern.sub(replacement, text)
    new: dict[str, str] = {}

    def name(found):
        known = names.get(found[0])
        return known or new.setdefault(found[0], f"{found[1]}_#new{len(new) + 1}")

    return PUBLIC_ID.sub(name, text)


def laid_out(content_type, text):
    """Lay out JSON and HTML by lines; other text is left as it is."""
    if "json" in content_type:
        try:
            return json.dumps(json.loads(text), indent=1, ensure_ascii=False)
        except ValueError:
            return text
    return "\n".join(_lines(text)) if "html" in content_type else text


def _lines(html):
    """Put every tag and every text on a line; white space that no browser shows is left out."""
    parts = VERBATIM.split(html)
    for number, part in enumerate(parts):  # a text, what stays as it is, the name of its tag
        if number % 3 == 1:
            yield from part.splitlines()
        elif number % 3 == 0:
            yield from _tags_and_texts(part)


def _tags_and_texts(html):
    pieces = TAG.split(html)  # texts at even places, tags between them
    for number, piece in enumerate(pieces):
        if number % 2:
            yield re.sub(r"\s+(/?>)$", r"\1", " ".join(piece.split()))
        elif piece.strip():
            before, after = ["", *pieces][number], [*pieces, ""][number + 1]
            begins = SPACE if piece[0].isspace() and INLINE.match(before) else ""
            ends = SPACE if piece[-1].isspace() and INLINE.match(after) else ""
            yield begins + " ".join(piece.split()) + ends
