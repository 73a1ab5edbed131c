"""The same rooms on every floor: a room is a capability, and has one name everywhere."""

import pytest

from tests.tree import tracked

OF_DJANGO = {"account", "allauth", "mfa", "socialaccount"}  # allauth looks for its templates there


def folders(floor: str) -> set[str]:
    inside = (name.removeprefix(f"{floor}/") for name in tracked() if name.startswith(f"{floor}/"))
    return {name.partition("/")[0] for name in inside if "/" in name}


ROOMS = folders("arena/domain") - {"formats"}
OVERVIEW = "overview"  # pages that span rooms


@pytest.mark.parametrize("floor", ["arena/web", "arena/api", "arena/templates"])
def test_floor_has_domain_rooms_and_no_others(floor):
    without = set() if floor == "arena/web" else {"ratings"}  # its numbers are on other pages

    assert ROOMS - without <= folders(floor) <= ROOMS | OF_DJANGO | {OVERVIEW}
