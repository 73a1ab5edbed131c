"""The longest test of each file, in seconds, and the limit of a test that follows from it.

`durations.json` has the files of which a test takes longer than `LISTED_S`; a test of any other
file has the limit that pyproject.toml sets. `python -m tests.durations` writes the table anew from
the JUnit files that the gate leaves in var/gate. Files whose tests did not run keep their figure.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

from tests.tree import ROOT
from tools.gate import LOGS

TABLE = Path(__file__).with_suffix(".json")
FACTOR = 10  # a machine eight times slower, and a little more
LISTED_S = 12.0


def limit_s(longest_s: float) -> float:
    """Return the limit of tests of a file whose longest took so many seconds."""
    return FACTOR * longest_s


def table() -> dict[str, float]:
    """Return the seconds of the longest test by file, as a path from the root."""
    kept: dict[str, float] = json.loads(TABLE.read_text())
    return kept


def measured(reports: Iterable[Path]) -> dict[str, float]:
    """Return the seconds of the longest test by file, short ones too, from JUnit files."""
    longest: dict[str, float] = {}
    for file, seconds in _cases(reports):
        longest[file] = max(seconds, longest.get(file, 0.0))
    return longest


def _cases(reports: Iterable[Path]) -> Iterator[tuple[str, float]]:
    for report in reports:
        for case in ET.parse(report).iter("testcase"):
            module = Path(*case.attrib["classname"].split("."))
            for path in (module, module.parent):  # a class of tests comes after its module
                if (ROOT / path.with_suffix(".py")).exists():
                    yield f"{path}.py", float(case.attrib["time"])
                    break


def main() -> None:
    """Write the table from what the gate measured last."""
    longest = table() | measured(sorted((ROOT / LOGS).glob("*.xml")))
    listed = {
        file: round(seconds, 1)
        for file, seconds in sorted(longest.items())
        if seconds > LISTED_S and (ROOT / file).exists()
    }
    TABLE.write_text(json.dumps(listed, indent=2) + "\n")


if __name__ == "__main__":
    main()
