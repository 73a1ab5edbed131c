"""pyproject.toml and the changelog name the same version, and what is kept of releases stays."""

import re
import tomllib
from datetime import date

import pytest

from tests.tree import text
from tests.upgrades import releases

SECTION = re.compile(r"^## \[(\d+)\.(\d+)\.(\d+)\] - (\d{4}-\d{2}-\d{2})$", re.MULTILINE)


def sections():
    """Return the released sections as ((major, minor, patch), date), in the order of the page."""
    found = SECTION.findall(text("CHANGELOG.md"))
    return [(tuple(map(int, version)), date.fromisoformat(day)) for *version, day in found]


def test_the_version_of_the_project_is_the_newest_released_one():
    project = tomllib.loads(text("pyproject.toml"))["project"]
    newest, _ = sections()[0]

    assert project["version"] == ".".join(map(str, newest))


def test_the_newest_section_is_unreleased_and_the_released_ones_descend():
    headings = re.findall(r"^## .*$", text("CHANGELOG.md"), re.MULTILINE)

    assert headings[0] == "## [Unreleased]"
    assert len(headings) == 1 + len(sections())
    versions, days = zip(*sections(), strict=True)
    assert list(versions) == sorted(set(versions), reverse=True)
    assert list(days) == sorted(days, reverse=True)


@pytest.mark.parametrize("release", releases.kept(), ids=lambda release: release.name)
def test_migrations_that_were_released_are_never_edited(release):
    now = releases.digests_now()

    assert release.migrations().keys() <= now.keys()
    assert {name: now[name] for name in release.migrations()} == release.migrations()


def test_a_release_is_kept_with_all_its_migrations():
    kept = {release.name: release.migrations() for release in releases.kept()}
    now = releases.digests_now()
    released_now = "## [Unreleased]\n\n## [9.0.0] - 2027-01-31\n\n- Something.\n"

    assert not lacks_its_folder(text("CHANGELOG.md"), kept, now)
    assert not lacks_its_folder(released_now, {"9.0.0": now}, now)
    assert lacks_its_folder(released_now, kept, now)
    assert lacks_its_folder(released_now, {"9.0.0": {}}, now)


def lacks_its_folder(changelog, kept, now):
    """Return whether this is the commit of a release, and what is kept of it is not that of now."""
    release = re.search(r"^## \[Unreleased\]\s*^## \[([^]]+)\]", changelog, re.MULTILINE)
    return release is not None and kept.get(release[1]) != now
