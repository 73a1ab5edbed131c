"""The table of languages, and the page that tells authors of it."""

import pytest

from botkit import languages
from botkit.languages import LANGUAGES
from engine.clock import ClockSpec
from sandbox import limits
from sandbox.launcher.container_options import command
from sandbox.launcher.order import Order
from tests.tree import text

ARGUMENTS_MAX, ORDER_MAX_BYTES = 16, 4096  # of arena-init
ORDERED = pytest.mark.parametrize(
    ("language", "purpose"),
    [(each, "bot") for each in LANGUAGES]
    + [(each, "build") for each in LANGUAGES if each.compiled],
    ids=lambda part: part if isinstance(part, str) else part.name,
)
PAGE = "\n".join(
    text(f"docs/reference/{name}.md") for name in ("languages", "version-checks", "bot-limits")
)


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
