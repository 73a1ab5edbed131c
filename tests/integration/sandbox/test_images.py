"""The images in which bots run."""

import io
import shutil
import tarfile

import pytest

from botkit.languages import RUNTIMES
from sandbox.host import kit
from sandbox.images import recipe
from sandbox.launcher import image_build
from sandbox.refusal import IsolationUnavailable
from tests.sandbox.builds import printed_in


def names_in(image):
    with tarfile.open(fileobj=io.BytesIO(recipe.context(image))) as archive:
        return archive.getnames()


@pytest.mark.parametrize(
    ("image", "holds"),
    [
        ("init", {"Dockerfile", "arena_init"}),
        ("python", {"Dockerfile", "strip.sh", "botkit"}),
        ("node", {"Dockerfile", "strip.sh"}),
        ("native", {"Dockerfile", "strip.sh"}),
        ("java", {"Dockerfile", "strip.sh"}),
    ],
)
def test_build_context_holds_only_what_dockerfile_copies(image, holds):
    assert {name.partition("/")[0] for name in names_in(image)} == holds
    assert not [name for name in names_in(image) if "__pycache__" in name]


@pytest.fixture
def sources(monkeypatch, tmp_path):
    """Copy what images are made of, to be changed."""
    for name in ("arena_init", "images"):
        shutil.copytree(recipe.SANDBOX / name, tmp_path / name)
    for package in ("botkit", "engine"):
        shutil.copytree(kit.package_folder(package), tmp_path / package)
    monkeypatch.setattr(recipe, "SANDBOX", tmp_path)
    monkeypatch.setattr(kit, "package_folder", lambda package: tmp_path / package)
    forget_tags()
    yield tmp_path
    forget_tags()


def forget_tags():
    recipe.init_tag.cache_clear()
    recipe.runtime_tag.cache_clear()


def tags():
    forget_tags()
    return {runtime: recipe.runtime_tag(runtime) for runtime in RUNTIMES}


@pytest.mark.parametrize(
    ("source", "made_anew"),
    [
        ("arena_init/arena_init.c", set(RUNTIMES)),
        ("images/init/Dockerfile", set(RUNTIMES)),
        ("images/strip.sh", set(RUNTIMES)),
        ("images/java/Dockerfile", {"java"}),
        ("botkit/bot.py", {"python"}),
        ("engine/duel/play.py", {"python"}),
        ("engine/variants/classic/test_rules.py", set()),
    ],
)
def test_image_is_named_after_its_ingredients(sources, source, made_anew):
    before = tags()
    (sources / source).write_text((sources / source).read_text() + "\n")
    after = tags()

    assert {runtime for runtime in RUNTIMES if before[runtime] != after[runtime]} == made_anew


def test_runtime_tag_refuses_unknown_runtime():
    with pytest.raises(ValueError, match="there are python, node, native, java"):
        recipe.runtime_tag("cobol")


def test_one_image_for_all_runtimes_is_refused(monkeypatch):
    monkeypatch.setenv("DRAPEAU_RUNTIME_IMAGE", "registry.example/bots:7")

    with pytest.raises(IsolationUnavailable, match=r"must hold \{runtime\}"):
        recipe.runtime_image("python")


@pytest.mark.parametrize("tag", ["python:3.11-slim-bookworm", "debian"])
def test_base_that_debootstrap_cannot_make_is_refused(tag):
    with pytest.raises(IsolationUnavailable, match="only an image called debian"):
        image_build.suite_of(tag)


SETUID = "find / -xdev -type f -perm /6000"
TOOLS = "for each in apt apt-get dpkg perl npm pip; do command -v $each; done; true"
PLACES = "find /arena /arena-init /bot"


@pytest.mark.docker
@pytest.mark.parametrize("runtime", RUNTIMES)
def test_image_holds_mount_points_and_no_setuid(runtime):
    image = recipe.runtime_tag(runtime)

    assert printed_in(image, f"{SETUID}; {TOOLS}") == []
    assert printed_in(image, PLACES) == ["/arena", "/arena-init", "/bot"]
