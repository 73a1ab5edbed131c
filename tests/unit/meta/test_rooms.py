"""The same rooms on every floor: a room is a capability, and has one name everywhere."""

import re

import pytest

from tests.tree import text, tracked

# Folders of the tests that are parts of the tree or kinds of test, not rooms.
PARTS = {
    "api",
    "botkit",
    "embedded",
    "engine",
    "formats",
    "house_bots",
    "meta",
    "runner",
    "sandbox",
    "server",
    "tools",
}
KINDS = {"compose", "faults", "journeys", "web"}
OF_DJANGO = {"account", "allauth", "mfa", "socialaccount"}  # allauth looks for its templates there


def folders(floor: str) -> set[str]:
    inside = (name.removeprefix(f"{floor}/") for name in tracked() if name.startswith(f"{floor}/"))
    return {name.partition("/")[0] for name in inside if "/" in name}


ROOMS = folders("arena/domain") - {"formats"}


def test_the_rooms_are_those_that_the_architecture_names():
    table = text("ARCHITECTURE.md").split("## The rooms")[1].split("The rooms of the sandbox")[0]
    rows = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)

    assert len(ROOMS) >= 9
    assert rows == sorted(ROOMS)


@pytest.mark.parametrize(
    ("floor", "others"),
    [
        ("arena/web", set()),
        ("arena/api", set()),
        ("arena/templates", OF_DJANGO),
        ("tests/unit", PARTS | KINDS),
        ("tests/integration", PARTS | KINDS),
        ("tests/e2e", PARTS | KINDS),
    ],
)
def test_a_floor_has_no_room_of_its_own(floor, others):
    found = folders(floor)

    assert found & ROOMS
    assert found - others <= ROOMS


def test_a_room_has_its_pages_its_endpoints_and_its_tests():
    without_pages = {"ratings"}  # its numbers are on the pages of ladders and matches

    assert folders("arena/templates") >= ROOMS - without_pages
    assert folders("arena/web") == ROOMS
    assert folders("arena/api") >= ROOMS - without_pages
    assert folders("tests/integration") >= ROOMS


def test_the_rooms_of_the_sandbox_are_those_that_the_architecture_names():
    table = text("ARCHITECTURE.md").split("The rooms of the sandbox")[1].split("## Glossary")[0]
    rows = re.findall(r"^\| `sandbox/(\w+)` \|", table, re.MULTILINE)

    assert sorted(rows) == sorted(folders("sandbox"))
