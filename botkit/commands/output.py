"""What the commands print of a site: tables, JSON and lines.

Texts of a site come from strangers. All of them pass through `clean`, so none reaches the terminal
with a character that steers it, that is invisible, or that turns the direction of writing.
"""

import json
import unicodedata
from collections.abc import Iterable, Sequence

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

JOINER = "\N{ZERO WIDTH JOINER}"  # stays within an emoji, such as one of a person with a computer
REPLACED = "\N{REPLACEMENT CHARACTER}"


def clean(text: object, also: str = "") -> str:
    """Return a text on one line, with all but printable characters replaced.

    `also` are characters that stay.
    """
    given = "" if text is None else str(text)
    return "".join(
        char
        if char.isprintable() or char in also or (char == JOINER and _is_in_emoji(given, place))
        else (" " if char.isspace() else REPLACED)
        for place, char in enumerate(given)
    )


def _is_in_emoji(text: str, place: int) -> bool:
    """Return whether what is at a place stands between two pictures; the first may be modified."""
    before, after = text[:place][-1:], text[place + 1 :][:1]
    return (
        bool(before and after)
        and unicodedata.category(before) in ("So", "Sk", "Mn")
        and unicodedata.category(after) == "So"
    )


def say(text: str) -> None:
    """Print a line of the result."""
    click.echo(clean(text))


def note(text: str) -> None:
    """Print a line about the progress, to standard error."""
    click.echo(clean(text), err=True)


def paragraph(text: str) -> None:
    """Print a text of several lines."""
    click.echo(clean(text, also="\n\t").rstrip("\n"))


def document(content: object) -> None:
    """Print JSON; everything in it that is not printable ASCII is escaped."""
    click.echo(json.dumps(content))


def table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table: with lines on a terminal, otherwise with tabs and a line of headings."""
    cleaned = [[clean(cell) for cell in row] for row in rows]
    console = Console(highlight=False)
    if not console.is_terminal:
        for row in (headings, *cleaned):
            click.echo("\t".join(row))
        return
    drawn = Table()
    for heading in headings:
        drawn.add_column(heading, overflow="fold")
    for row in cleaned:
        drawn.add_row(*map(Text, row))
    console.print(drawn)
