"""The table of languages, and the page that tells authors of it."""

import re

import pytest

from botkit import languages
from botkit.languages import LANGUAGES
from engine.clock import ClockSpec
from sandbox import limits
from sandbox.images.recipe import runtime_tag
from sandbox.launcher.container_options import command
from sandbox.launcher.order import Order
from tests.sandbox.builds import printed_in
from tests.tree import text

ARGUMENTS_MAX, ORDER_MAX_BYTES = 16, 4096  # of arena-init
EVERY = pytest.mark.parametrize("language", LANGUAGES, ids=[each.name for each in LANGUAGES])
ORDERED = pytest.mark.parametrize(
    ("language", "purpose"),
    [(each, "bot") for each in LANGUAGES]
    + [(each, "build") for each in LANGUAGES if each.compiled],
    ids=lambda part: part if isinstance(part, str) else part.name,
)
PAGE = "\n".join(
    text(f"docs/reference/{name}.md") for name in ("languages", "version-checks", "bot-limits")
)


def test_no_languages_share_name_or_extension():
    names = [each.name for each in LANGUAGES]

    assert len(set(names)) == len(names)
    assert len(set(languages.suffixes())) == len(languages.suffixes())


@EVERY
def test_language_found_by_name_and_by_files(language):
    assert languages.find(language.name) == language
    assert languages.of_file(language.entry) == language
    assert languages.of_file(f"C:\\bots\\Rook{language.suffixes[-1].upper()}") == language


def test_what_is_no_language_is_not_found():
    assert languages.find("cobol") is None
    assert [languages.of_file(name) for name in ("bot.cob", "bot", "py", "bot.zip")] == [None] * 4


def ordered(language, entry, purpose):
    return command(Order(language.name, entry, {entry: b""}, purpose))


@ORDERED
def test_every_command_fits_an_order(language, purpose):
    given = ordered(language, "x" * limits.PATH_MAX_BYTES, purpose)

    assert len(given) <= ARGUMENTS_MAX
    assert sum(len(word.encode()) + 1 for word in given) <= ORDER_MAX_BYTES


@ORDERED
@pytest.mark.parametrize("entry", ["$(id).py", "-c evil.py", "{entry}"])
def test_bot_name_cannot_change_its_command(language, purpose, entry):
    plain = ordered(language, "plain", purpose)

    odd = ordered(language, entry, purpose)

    assert odd == [word.replace("/bot/plain", f"/bot/{entry}") for word in plain]


@EVERY
def test_authors_page_has_row_for_every_language(language):
    files = " ".join(f"`{suffix}`" for suffix in language.suffixes)

    assert f"| {language.title} | `{language.name}` | {files} |" in PAGE


@EVERY
def test_the_page_gives_the_flags_in_force(language):
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| {language.title} | `"))
    shown = re.findall(r"-[-\w][^\s`]*", row)
    in_force = f"{' '.join(language.run)} {language.build}"

    assert [flag for flag in shown if flag not in in_force] == []


def test_the_page_gives_the_limits_in_force():
    mib = limits.MIB
    for words in (
        f"A build has {limits.BUILD_WALL_S} seconds",
        f"{limits.BUILD_CPU_SECONDS} seconds of CPU time per process",
        f"{limits.BUILD_MEMORY_BYTES // mib} MiB of memory",
        f"{limits.BUILD_SCRATCH_BYTES // mib} MiB of disk",
        f"The program may have at most {limits.ARTEFACT_MAX_BYTES // mib} MiB",
        f"{limits.MEMORY_BYTES // mib} MiB for the whole container",
        f"up to {limits.TASKS} tasks",
        f"{limits.UPLOAD_MAX_BYTES // mib} MiB packed, {limits.UNPACKED_MAX_BYTES // mib} MiB",
        f"{limits.SCRATCH_BYTES // mib} MiB in `/tmp`",
        f"{ClockSpec().startup_ms // 1000} seconds, a budget of its own",
    ):
        assert words in " ".join(PAGE.split())


VERSIONS = {
    "python": ("python3 --version", "Python 3.11"),
    "node": ("node --version | sed 's/v/Node.js /'", "Node.js 18"),
    "c": ("gcc -dumpversion | sed 's/^/GCC /'", "GCC 12"),
    "cpp": ("g++ -dumpversion | sed 's/^/GCC /'", "GCC 12"),
    "java": ("/opt/java/bin/java --version | sed 's/openjdk/OpenJDK/'", "OpenJDK 17"),
}


@pytest.mark.docker
@EVERY
def test_the_page_gives_the_version_in_the_image(language):
    ask, version = VERSIONS[language.name]
    image = runtime_tag(language.runtime)
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| {language.title} | `"))

    assert version in row
    assert printed_in(image, ask)[0].startswith(version)


@pytest.mark.docker
def test_page_names_java_modules_that_are_there():
    row = next(line for line in PAGE.splitlines() if line.startswith("| Java | `"))
    named = re.findall(r"`((?:java|jdk)\.\w+)`", row)

    there = printed_in(runtime_tag("java"), "/opt/java/bin/java --list-modules")

    assert named
    assert set(named) <= {line.partition("@")[0] for line in there}
