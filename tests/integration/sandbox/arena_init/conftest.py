"""arena_init compiled in three ways, started, and given bots."""

from contextlib import ExitStack

import pytest

from tests.sandbox.arena_init.first_process import (
    SANITIZED,
    SH,
    STATIC,
    FirstProcess,
    Place,
    compile_init,
)


@pytest.fixture(scope="session")
def programs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("programs")
    folder.chmod(0o755)
    compile_init(folder / "arena-init", *SANITIZED)
    compile_init(folder / "arena-init-static", *STATIC)
    # Valgrind takes the start of a static libc for errors, so it looks at one that is not.
    compile_init(folder / "arena-init-dynamic", "-g")
    (folder / "no-program").write_text("neither binary nor script")
    (folder / "no-program").chmod(0o755)
    return folder


@pytest.fixture
def place(programs, tmp_path):
    return Place(programs, tmp_path)


@pytest.fixture
def start(place):
    """Start an arena_init; all that are still there afterwards must end when hung up on."""
    with ExitStack() as started:

        def start(wait_s="20", lifetime_s="20", *, call=True, **options):
            init = started.enter_context(FirstProcess(place, wait_s, lifetime_s, **options))
            if call:
                init.answer()
            return init

        yield start
    assert place.complaints() == ""


@pytest.fixture
def run(start):
    """Start an arena_init that has started a bot."""

    def run(script, **options):
        init = start(**options)
        init.order(*SH, script)
        assert init.report() == "start"
        return init

    return run
