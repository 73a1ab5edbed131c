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


def test_newest_section_unreleased_and_released_ones_descend():
    headings = re.findall(r"^## .*$", text("CHANGELOG.md"), re.MULTILINE)

    assert headings[0] == "## [Unreleased]"
    assert len(headings) == 1 + len(sections())
    versions, days = zip(*sections(), strict=True)
    assert list(versions) == sorted(set(versions), reverse=True)
    assert list(days) == sorted(days, reverse=True)
