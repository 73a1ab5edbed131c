"""The table as people read it: `matrix.txt`, a line for every address and method."""

import re
from dataclasses import dataclass, field, replace
from pathlib import Path

FILE = Path(__file__).with_name("matrix.txt")
WRITE = "DRAPEAU_WRITE_PERMISSIONS"  # the variable with which the test writes the table anew
WIDTH = 68  # of an address: fixed, so that a longer one changes no other line
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
BOTH = "BOTH"  # of GET and POST, where everybody gets the same
LINE = re.compile(r"(?P<method>[A-Z]+) +(?P<address>/\S*) *(?P<cells>[^{]*?) *(?P<sent>{.*})?")


@dataclass
class Row:
    """What each column of a section gets for a method of an address; `sent` is JSON."""

    method: str
    address: str
    sent: str = ""
    cells: list[str] = field(default_factory=list)


def head_of(text):
    """Return the words at the top of a table: all before its first section."""
    return text.partition("\n\n")[0]


def rows_of(text):
    """Return the rows of a table. Raise ValueError for a line that is none."""
    found = []
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        said = LINE.fullmatch(line)
        if said is None or said["method"] not in {*METHODS, BOTH}:
            raise ValueError(f"This is no row of the table: {line}")
        cells = said["cells"].split()
        methods = METHODS[:2] if said["method"] == BOTH else [said["method"]]
        found += [Row(each, said["address"], said["sent"] or "", cells) for each in methods]
    return found


def text_of(head, sections):
    """Return the text: the words at the top, then each section under the names of its columns."""
    parts = [head]
    for title, columns, rows in sections:
        widths = [max(len("sign-in"), len(name)) for name in columns]
        lines = [_line("#", title, columns, widths)]
        lines += [
            f"{_line(row.method, row.address, row.cells, widths)}  {row.sent}"
            for row in _folded(rows)
        ]
        parts.append("\n".join(line.rstrip() for line in lines))
    return "\n\n".join(parts) + "\n"


def _folded(rows):
    """Return rows in which GET and POST of an address are one where everybody gets the same."""
    found: list[Row] = []
    for row in rows:
        if found and row.method == "POST" and found[-1] == replace(row, method="GET"):
            found[-1] = replace(row, method=BOTH)
        else:
            found.append(row)
    return found


def _line(method, address, cells, widths):
    shown = " ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
    return f"{method:6} {address.ljust(WIDTH)}  {shown}"
