"""Lists of bots in files that spreadsheets save: comma-separated text, read into lines.

A header names the columns: `bot`, as `owner/bot`, and optionally `version` and `seed`. The reader
accepts what programs do to such files: a byte order mark, semicolons or tabs as separators, line
ends of any kind, quoted cells, empty lines, spaces around cells, capitals in the header.
"""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.domain import addresses
from arena.domain.errors import InvalidInput, Refused
from arena.texts import lists

FIELD = "text"  # the input that the errors belong to
COLUMNS = ("bot", "version", "seed")
MOST_BYTES = 256 * 1024
MOST_LINES = 2000
MOST_ERRORS = 50  # in one answer
_SEPARATORS = ",;\t"
_MOST_DIGITS = 6


@dataclass(frozen=True, slots=True)
class EntryLine:
    """A bot in a list. `number` is the number of the line in the file, from 1."""

    number: int
    owner: str
    bot: str
    version: int | None
    seed: int | None

    @property
    def name(self) -> str:
        """The bot as it was written."""
        return f"{self.owner}/{self.bot}"


class Complaints:
    """The errors of a list, line by line."""

    def __init__(self) -> None:
        self._texts: list[tuple[int, str]] = []

    def add(self, line: int, what: str) -> None:
        """Add an error of a line."""
        text = _("Line %(line)d: %(what)s") % {"line": line, "what": what}
        self._texts.append((line, text))

    def raise_any(self) -> None:
        """Raise InvalidInput with all errors in the order of lines, if there are any."""
        if not self._texts:
            return
        texts = [text for _line, text in sorted(self._texts, key=lambda row: row[0])]
        more = len(texts) - MOST_ERRORS
        if more > 0:
            words = ngettext("And %(more)d more line.", "And %(more)d more lines.", more)
            texts[MOST_ERRORS:] = [words % {"more": more}]
        raise InvalidInput({FIELD: texts})


def read(*, text: str | bytes, complaints: Complaints) -> list[EntryLine]:
    """Return the valid lines of a list. Add the errors of the others to the complaints.

    Raise InvalidInput if the text is not such a list.
    """
    decoded = _decoded(text)
    rows = _rows(decoded)
    if not rows:
        raise _wrong(
            _("The list is empty. It begins with a line “bot”, then has one bot per line.")
        )
    (header_number, header), *body = rows
    columns = _columns(header_number, header)
    if not body:
        raise _wrong(_("The list names no bot. Write one bot per line, as owner/bot."))
    if len(body) > MOST_LINES:
        message = _("The list has %(has)d lines. The maximum is %(most)d. Shorten it.")
        raise _wrong(message % {"has": len(body), "most": MOST_LINES})
    lines = [_line(number, cells, columns, complaints) for number, cells in body]
    good = [line for line in lines if line is not None]
    _find_twice(good, complaints)
    return good


def _wrong(what: str) -> InvalidInput:
    return InvalidInput({FIELD: [what]})


def _decoded(text: str | bytes) -> str:
    size = len(text) if isinstance(text, bytes) else len(text.encode(errors="replace"))
    if size > MOST_BYTES:
        message = _("The list has %(has)d bytes. The maximum is %(most)d. Shorten it.")
        raise _wrong(message % {"has": size, "most": MOST_BYTES})
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8-sig")
        except UnicodeDecodeError as exc:
            message = _(
                "The list is not text in UTF-8. Save it as “CSV UTF-8”, then send it again."
            )
            raise _wrong(message) from exc
    if "\0" in text:
        raise _wrong(_("The list is not text: it has null characters. Save it as CSV."))
    return text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")


def _rows(text: str) -> list[tuple[int, list[str]]]:
    """Return the cells of every line that is not empty, with the number of the line."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    separator = max(_SEPARATORS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows: list[tuple[int, list[str]]] = []
    number = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append((number, [cell.strip() for cell in cells]))
            number = reader.line_num + 1
    except csv.Error as exc:
        complaints = Complaints()
        complaints.add(number, _("A quoted cell does not end as it should. Close the quotes."))
        complaints.raise_any()
        raise AssertionError from exc
    return rows


def _columns(number: int, header: Sequence[str]) -> list[str]:
    names = [name.lower() for name in header]
    while names and not names[-1]:  # some spreadsheets keep empty columns at the end
        names.pop()
    complaints = Complaints()
    unknown = [name or _("(no name)") for name in names if name not in COLUMNS]
    if unknown:
        text = _("These columns are unknown: %(unknown)s. Use bot, version and seed only.")
        complaints.add(number, text % {"unknown": lists.all_of(unknown)})
    if "bot" not in names:
        text = _(
            "The column “bot” is missing. The first line names the columns: bot, version, seed."
        )
        complaints.add(number, text)
    if twice := sorted({name for name in names if name in COLUMNS and names.count(name) > 1}):
        text = _("These columns come twice: %(twice)s. Remove one of each.")
        complaints.add(number, text % {"twice": lists.all_of(twice)})
    complaints.raise_any()
    return names


def _line(
    number: int, cells: list[str], columns: list[str], complaints: Complaints
) -> EntryLine | None:
    if any(cells[len(columns) :]):
        text = _("It has %(has)d cells, and the header has %(columns)d. Remove the others.")
        complaints.add(number, text % {"has": len(cells), "columns": len(columns)})
        return None
    cell_of = dict(zip(columns, cells, strict=False))
    try:
        owner, bot = addresses.split(cell_of.get("bot", ""))
    except Refused as refusal:
        complaints.add(number, refusal.message)
        return None
    return EntryLine(
        number=number,
        owner=owner,
        bot=bot,
        version=_number(number, "version", cell_of, complaints),
        seed=_number(number, "seed", cell_of, complaints),
    )


def _number(line: int, column: str, cell_of: dict[str, str], complaints: Complaints) -> int | None:
    text = cell_of.get(column, "")
    if not text:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > _MOST_DIGITS or int(text) == 0:
        message = _(
            "“%(text)s” is not a valid %(column)s. Write a whole number from 1, or nothing."
        )
        complaints.add(line, message % {"text": text[:80], "column": column})
        return None
    return int(text)


def _find_twice(lines: list[EntryLine], complaints: Complaints) -> None:
    """Add complaints about bots and seeds that occur twice."""
    bots: dict[str, int] = {}
    seeds: dict[int, int] = {}
    for line in lines:
        first = bots.setdefault(line.name, line.number)
        if first != line.number:
            text = _("Line %(first)d has %(bot)s already. Remove one of them.")
            complaints.add(line.number, text % {"bot": line.name, "first": first})
        if line.seed is None:
            continue
        first = seeds.setdefault(line.seed, line.number)
        if first != line.number:
            text = _("Line %(first)d has seed %(seed)d already. Use each seed once.")
            complaints.add(line.number, text % {"seed": line.seed, "first": first})
