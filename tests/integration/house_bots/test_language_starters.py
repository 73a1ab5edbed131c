"""A starter in every language is built and seated as an upload is, and plays whole games."""

import dataclasses
from functools import cache

import pytest

from botkit.cli import main
from botkit.languages import LANGUAGES
from botkit.manifest import Manifest
from botkit.package import pack
from botkit.starters import languages_of
from engine import registry
from engine.outcome import FAULTS
from engine.registry import find
from sandbox.compiling import build
from sandbox.levels.admission import Admission
from sandbox.levels.isolation import choose
from sandbox.table import open_table
from sandbox.uploads.unpacking import unpack
from tests.integration.house_bots.house import BOTS
from tests.sandbox.builds import row
from tests.unit.engine.refereed import record_of

FOLDER = BOTS / "starters"
NAMES = [each.name for each in LANGUAGES]
NOBODY = Admission()  # and so nothing is trusted: these bots play because they are contained
EVERY = pytest.mark.parametrize("name", NAMES)


@pytest.fixture(scope="module")
def docker():
    return choose("docker")


@pytest.fixture(scope="module")
def starter(docker, tmp_path_factory):
    """Return what `drapeau init` makes, as after its upload, built where it is compiled."""

    @cache
    def ready(name, slug):
        folder = tmp_path_factory.mktemp(name) / f"starter-{name}"
        assert main(["init", slug, str(folder), "--lang", name]) == 0
        package = unpack(pack(folder), f"{name}.zip")
        if not row(name).compiled:
            return package
        built = build(package, isolation=docker, work_dir=tmp_path_factory.mktemp(name))
        assert built.log == ""
        return dataclasses.replace(package, artefact=built.artefact)

    return ready


def game(slug, seats, docker, folder):
    """Play a whole game and give its record."""
    variant = find(slug)
    with open_table(isolation=docker, seats=seats, work_dir=folder, admission=NOBODY) as table:
        return record_of(variant, 7, table=table)


def test_every_language_has_starter_and_line_to_it():
    assert sorted(path.name for path in FOLDER.iterdir() if path.is_dir()) == sorted(NAMES)
    assert [name for name in NAMES if f"({name}/)" not in (FOLDER / "README.md").read_text()] == []


@EVERY
def test_starter_says_what_it_is_for_all_variants(name):
    manifest = unpack(pack(FOLDER / name), f"{name}.zip").manifest

    assert manifest == Manifest(f"starter-{name}", name, row(name).entry)


@pytest.mark.docker
@EVERY
@pytest.mark.parametrize(
    "slug", [slug for slug in registry.variants() if "c" in languages_of(slug)]
)
@pytest.mark.kept("classic-java", "siege-c", "siege-node", "cards-cpp")
def test_starter_plays_whole_games_against_python_starter(starter, docker, tmp_path, slug, name):
    variant = find(slug)
    two = (starter(name, slug), starter("python", slug))
    seats = {seat: two[index % 2] for index, seat in enumerate(variant.seats)}

    record = game(slug, seats, docker, tmp_path)

    assert record.result.fault is None, record.result.detail
    assert record.result.termination not in FAULTS
    assert record.clock["basis"] == "cpu"
