"""Which interpreter the unit tests run under, and how that of a newer Debian is started."""

import subprocess

import pytest

from tools import pythons
from tools.services.packages import Missing

LOADER = '#!/bin/sh\necho "loader $*"\n'


@pytest.fixture
def unpacked(monkeypatch, tmp_path):
    """The folder of an unpacked Debian, on a machine where uv finds no interpreter."""
    monkeypatch.setattr(pythons, "UV", ("false",))
    monkeypatch.setattr(pythons, "unpacked", lambda *_packages: tmp_path)
    loader = tmp_path / "usr/lib/some-linux-gnu/ld-linux-some.so.2"
    loader.parent.mkdir(parents=True)
    loader.write_text(LOADER)
    loader.chmod(0o755)
    (tmp_path / "usr/bin").mkdir()
    return tmp_path


def test_a_path_is_taken_as_it_is():
    assert pythons.interpreter("/opt/python/bin/python") == "/opt/python/bin/python"


def test_an_interpreter_that_uv_finds_is_taken(monkeypatch):
    monkeypatch.setattr(pythons, "UV", ("echo", "uv:"))

    assert pythons.interpreter("3.12") == (
        "uv: python find --no-python-downloads --no-project --system 3.12"
    )


def test_without_one_that_of_debian_runs_with_its_own_libraries_under_the_name_it_was_called_by(
    unpacked,
):
    program = pythons.interpreter("3.13")

    (unpacked / "link").symlink_to(program)
    said = subprocess.run(
        [unpacked / "link", "-c", "a b"], check=True, capture_output=True, text=True
    )
    assert said.stdout == (
        f"loader --library-path {unpacked}/usr/lib/some-linux-gnu --argv0 {unpacked}/link "
        f"{unpacked}/usr/bin/python3.13 -c a b\n"
    )


def test_a_version_that_nobody_has_is_refused_with_what_to_do(unpacked):
    with pytest.raises(Missing) as missing:
        pythons.interpreter("3.12")

    assert str(missing.value) == (
        "uv finds no Python 3.12 here, and Debian has none to unpack. Install one, or name it by "
        "its path with --python."
    )
