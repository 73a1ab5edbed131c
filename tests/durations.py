"""How long a test may take: a multiple of what the longest test of its file took.

`python -m tests.durations var/gate/*.xml` writes the table anew from the reports of `make test-all`
on an idle machine. A file that is not in it has no test of more than `SHORT_S`.
"""

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from xml.etree import ElementTree as ET

TABLE = Path(__file__).with_suffix(".txt")
SHORT_S = 3.0
TIMES = 20  # a machine that is eight times slower, with others at work on it


def limits_s() -> Mapping[str, float]:
    """Return the limit of every file of the table in seconds."""
    rows = (line.split() for line in TABLE.read_text(encoding="ascii").splitlines())
    return {path: TIMES * float(longest_s) for longest_s, path in rows}


def limit_s(limits: Mapping[str, float], path: str) -> float:
    """Return the limit of the tests of a file in seconds."""
    return limits.get(path, TIMES * SHORT_S)


def longest_s(reports: Iterable[str]) -> Mapping[str, float]:
    """Return how long the longest test of each file took, from reports in the format of JUnit."""
    found: dict[str, float] = {}
    for report in reports:
        for case in ET.parse(report).iter("testcase"):
            path = case.attrib["classname"].replace(".", "/") + ".py"
            found[path] = max(found.get(path, 0.0), float(case.attrib["time"]))
    return found


def main() -> None:
    found = longest_s(sys.argv[1:])
    rows = [f"{took_s:.0f} {path}" for path, took_s in sorted(found.items()) if took_s > SHORT_S]
    TABLE.write_text("\n".join(rows) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
