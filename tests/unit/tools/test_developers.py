"""The developers of the demo."""

import json
import stat
import tomllib
from itertools import combinations

import pytest

from tests.tree import ROOT
from tools.demo.developers import accounts
from tools.demo.play import HOUSE_BOTS

DUELS = ("classic", "general")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "developers.json"


def owners(path, plays):
    return {slug: account.username for slug, account in accounts(path, plays).items()}


def test_later_bots_change_no_owner_and_share_accounts(path):
    first = accounts(path, {"m": DUELS, "n": DUELS})
    assert first["m"].password != first["n"].password
    assert stat.S_IMODE(path.stat().st_mode) == 0o600

    later = accounts(path, {"a": ("cards",), "b": DUELS, "m": DUELS, "n": DUELS})

    assert (later["m"], later["n"]) == (first["m"], first["n"])
    assert later["a"] == first["m"]
    assert later["b"].username == "chloe"
    assert set(json.loads(path.read_text())) == {"a", "b", "m", "n"}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_few_house_bot_developers_whose_bots_cannot_meet(path):
    manifests = {slug: ROOT / "bots" / slug / "drapeau.toml" for slug in HOUSE_BOTS}
    plays = {
        slug: tomllib.loads(file.read_text())["bot"]["variants"] for slug, file in manifests.items()
    }

    found = owners(path, plays)

    for one, other in combinations(plays, 2):
        assert found[one] != found[other] or not set(plays[one]) & set(plays[other])
    assert len(set(found.values())) <= 6
