"""What a bot finds of ours beside it: the SDK and the rules of the games, and nothing else."""

import json
import subprocess
import sys

import pytest

from engine import registry
from sandbox.host import kit
from sandbox.host.seating import bot_environment

LOOK_AHEAD = """
import json, random, sys
from importlib.util import find_spec
from botkit import *
plain = [name for name in sys.modules if "_engine" in name]
from botkit.worlds import Knowledge
from botkit._engine import registry
registry.variants()
from botkit import game_modules, position_fields
list(game_modules.game_modules("position_line"))
print(json.dumps({
    "plain": plain,
    "loaded": sorted(name for name in sys.modules if name.startswith("botkit._engine")),
    "others": [name for name in ("engine", "sandbox", "arena", "django") if find_spec(name)],
    "variants": sorted(registry.variants()),
}))
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("library")
    kit.copy_kit(folder)
    return folder


@pytest.fixture(scope="module")
def told(library):
    """Return what a program says that has nothing but the SDK."""
    done = subprocess.run(
        [sys.executable, "-S", "-c", LOOK_AHEAD],
        env=bot_environment(home="/", library=str(library)),
        cwd="/",
        check=True,
        capture_output=True,
    )
    return json.loads(done.stdout)


def test_a_bot_can_look_ahead_in_every_variant(told):
    assert told["variants"] == sorted(registry.variants())
    assert told["others"] == []


def test_the_sdk_alone_loads_no_rules(told):
    loaded = {name.rpartition(".")[2] for name in told["plain"]}

    assert "typed_view" in loaded
    assert loaded.isdisjoint(("registry", "rules", "state", "variant"))


def test_kit_has_only_engine_modules_the_rules_need(told, library):
    """A module beyond them, such as the referee or the signatures, would be in the image unused."""
    root = library / "botkit" / kit.INSIDE
    there = {
        ".".join(("botkit", kit.INSIDE, *file.relative_to(root).with_suffix("").parts))
        for file in root.rglob("*.py")
    }

    learning = {name for name in there if name.endswith(".encoding")}  # needs numpy
    assert {name.removesuffix(".__init__") for name in there - learning} == {*told["loaded"]}
    assert len(there) > 50
