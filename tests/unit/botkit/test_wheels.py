"""What `pip install drapeau` lays down, in an empty environment and without a network."""

import ast
import json
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from importlib import import_module
from pathlib import Path

import pytest

from arena import wheels
from botkit.starters import LANGUAGES
from engine import registry
from tests.tree import ROOT

pytestmark = pytest.mark.slow  # each test waits for environments that are made and wheels

PLAY = """
import json
from {engine} import registry
from {engine}.rng import Rng

def played(variant):
    rng, state = Rng(1, "wheel"), variant.begin(registry.resolve_options(variant, {{}}), 1)
    while variant.result(state) is None:
        for seat in variant.asked(state):
            variant.apply(state, seat, variant.sample(state, seat, rng))
    result = variant.result(state)
    return [variant.ply(state), dict(result.points), str(result.termination)]

print(json.dumps({{slug: played(variant) for slug, variant in registry.variants().items()}}))
"""
INIT = """
import sys
from botkit.cli import main
from botkit.starters import LANGUAGES

for lang in LANGUAGES:
    assert main(["init", "general", f"{sys.argv[1]}/{lang}", "--lang", lang]) == 0
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", "1790000000")
        return wheels.build(tmp_path_factory.mktemp("wheels"))


@pytest.fixture(scope="module")
def environment(built, tmp_path_factory):
    """Return the folder of an environment with the wheels and nothing else."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", folder)
    install = ("install", "--quiet", "--no-index", *built)
    subprocess.run([*pip, *install], check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def with_command(environment):
    """Return the command there, which finds the extra `cli` in a folder beside."""
    extra = environment / "extra"
    for name in ("click", "rich", "pygments", "markdown_it", "mdurl"):
        shutil.copytree(Path(import_module(name).__path__[0]), extra / name)
    return environment / "bin/drapeau", {**os.environ, "PYTHONPATH": str(extra)}


def told(*command, env=None):
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=env)
    return done.stdout


def test_the_wheels_add_two_names_and_one_command(environment):
    (packages,) = environment.glob("lib/python*/site-packages")
    commands = {path.name for path in (environment / "bin").iterdir()}

    names = {path.name.partition("-")[0] for path in packages.iterdir()}
    assert names == {"botkit", "drapeau", "drapeau_bots"}  # `drapeau-….dist-info` is pip's
    assert {name for name in commands if "python" not in name.lower()} >= {"drapeau"}


def test_the_installed_engine_plays_what_the_tree_plays(environment):
    here = told(sys.executable, "-c", PLAY.format(engine="engine"))
    there = told(environment / "bin/python", "-I", "-c", PLAY.format(engine="botkit._engine"))

    assert json.loads(there) == json.loads(here)
    assert json.loads(there).keys() == registry.variants().keys()


def test_installed_command_makes_bots_and_plays_one(environment, with_command, tmp_path):
    drapeau, env = with_command
    told(environment / "bin/python", "-c", INIT, tmp_path, env=env)

    made = {path.name: {file.name for file in path.iterdir()} for path in tmp_path.iterdir()}
    assert made.keys() == set(LANGUAGES)
    assert all({"README.md", "drapeau.toml"} < names for names in made.values())
    words = ("play", tmp_path / "python-kit", "drunkard", "--seed", "1", "--json")
    result = json.loads(told(drapeau, *words, env={**env, "HOME": str(tmp_path)}))
    assert [game["fault"] for game in result["games"]] == [None]


def test_learning_names_missing_packages_and_plays_with_them(environment):
    python = environment / "bin/python"
    learn = "from botkit.learning.environments import env; world = env('general'); world.reset(); "
    learn += "print(world.observe('red')['observation'].shape)"

    done = subprocess.run([python, "-I", "-c", learn], check=False, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "ModuleNotFoundError: botkit.learning needs numpy, which the bot kit does not install by "
        'itself. Install the kit with its extra, such as "drapeau[learn]", or: '
        "pip install gymnasium numpy pettingzoo"
    )
    packages = str(Path(import_module("numpy").__path__[0]).parent)
    assert told(python, "-c", learn, env={"PYTHONPATH": packages}) == "(36, 8, 8)\n"


def test_kit_imports_nothing_that_is_not_installed(built):
    kit = next(path for path in built if path.name.startswith("drapeau-"))
    with zipfile.ZipFile(kit) as archive:
        modules = {name: archive.read(name) for name in archive.namelist() if name.endswith(".py")}

    for name, code in modules.items():
        if "/starter/" not in name and "/starters/" not in name:
            assert not roots(code) & {"arena", "bots", "engine", "sandbox", "tests", "tools"}, name
    assert len(modules) > 50


def roots(code):
    """Return the first words of what a module imports."""
    found = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add((node.module or "").partition(".")[0])
    return found


def test_every_house_bot_is_there_as_uploaded(built):
    bots = next(path for path in built if path.name.startswith("drapeau_bots-"))
    manifests = sorted((ROOT / "bots").glob("*/drapeau.toml"))
    assert manifests

    with zipfile.ZipFile(bots) as archive:
        for manifest in manifests:
            for file in manifest.parent.rglob("*"):
                if file.is_file() and "__pycache__" not in file.parts:
                    inside = f"drapeau_bots/{file.relative_to(ROOT / 'bots')}"
                    assert archive.read(inside) == file.read_bytes()


def test_same_source_gives_same_bytes_replacing_older_wheels(built, tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    (tmp_path / "drapeau-0.0.1-py3-none-any.whl").touch()

    wheels.build(tmp_path)

    again = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert again == {path.name: path.read_bytes() for path in built}
