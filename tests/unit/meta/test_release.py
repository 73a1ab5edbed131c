"""pyproject.toml and the changelog name the same version."""

import re
import tomllib
from datetime import date

from tests.tree import text

SECTION = re.compile(r"^## \[(\d+)\.(\d+)\.(\d+)\] - (\d{4}-\d{2}-\d{2})$", re.MULTILINE)


def sections():
    """Return the released sections as ((major, minor, patch), date), in the order of the page."""
    found = SECTION.findall(text("CHANGELOG.md"))
    return [(tuple(map(int, version)), date.fromisoformat(day)) for *version, day in found]


def test_project_version_is_newest_released_one():
    project = tomllib.loads(text("pyproject.toml"))["project"]
    newest, _ = sections()[0]

    assert project["version"] == ".".join(map(str, newest))
