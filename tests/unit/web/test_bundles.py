"""All pages share one style sheet and one script, and each change of them is a new address."""

import gzip
import shutil

import pytest
from django.contrib.staticfiles import finders
from django.templatetags.static import static

from arena import bundles
from botkit import replay_page

SHEET_MAX_BYTES = 20_000
SCRIPT_MAX_BYTES = 40_000


@pytest.fixture
def sources(tmp_path, settings, monkeypatch):
    """Return a copy of the static files, of a site in debug mode that has made no bundle."""
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir()
    settings.DEBUG = True
    copy = shutil.copytree(bundles.SOURCES, tmp_path / "static")
    monkeypatch.setattr(bundles, "SOURCES", copy)
    return copy


def test_every_sheet_and_module_is_in_bundle():
    sheets = {path.stem for path in bundles.SOURCES.glob("css/*.css")}
    modules = {
        str(path.relative_to(bundles.SOURCES)) for path in bundles.SOURCES.glob("js/**/*.js")
    }

    assert set(bundles.SHEETS) == sheets
    # Only the page of a person's game needs the script of it, and only who shares that for sharing.
    assert set(bundles.MODULES) == modules - {replay_page.PERSON_SCRIPT, "js/share.js"}


def test_a_module_comes_after_those_that_it_imports():
    before: set[str] = set()
    for module in bundles.MODULES:
        text = (bundles.SOURCES / module).read_text(encoding="utf-8")
        assert {name for _, name in replay_page.IMPORT.findall(text)} <= before
        assert text.count("import ") == len(replay_page.IMPORT.findall(text))
        before.add(module.rpartition("/")[2].removesuffix(".js"))


@pytest.mark.parametrize(
    ("name", "most_bytes"), [("site.css", SHEET_MAX_BYTES), ("site.js", SCRIPT_MAX_BYTES)]
)
def test_a_bundle_keeps_its_budget(name, most_bytes):
    made = bundles.BUNDLES[name]()

    assert len(gzip.compress(made.encode())) <= most_bytes


def test_the_address_changes_with_the_file(sources, settings):
    before = static("site.css"), static("site.js"), static("img/flag.svg")

    with (sources / "css/base.css").open("a", encoding="utf-8") as file:
        file.write("/* changed */\n")

    after = static("site.css"), static("site.js"), static("img/flag.svg")
    assert before[0] != after[0]
    assert before[1:] == after[1:]
    assert "/* changed */" in (settings.DATA_DIR / "bundles/site.css").read_text(encoding="utf-8")


@pytest.mark.usefixtures("sources")
def test_unchanged_bundle_is_not_written_again(settings):
    static("site.css")
    path = settings.DATA_DIR / "bundles" / "site.css"
    before = path.stat().st_ino

    static("site.css")

    assert path.stat().st_ino == before
    assert finders.find("site.css", find_all=True) == [str(path)]
    assert finders.find("elsewhere.css") is None
