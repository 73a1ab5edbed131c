"""pyproject.toml and the changelog name the same version."""

import re
import tomllib

from tests.tree import text


def test_project_version_is_newest_released_one():
    project = tomllib.loads(text("pyproject.toml"))["project"]
    released = re.findall(r"^## \[([\d.]+)\] - [\d-]{10}$", text("CHANGELOG.md"), re.MULTILINE)

    assert project["version"] == released[0]
