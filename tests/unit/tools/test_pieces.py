"""The smaller parts of the tools, each by itself."""

import pytest

from tools.services.packages import Missing, Need, path_of

ABSENT = Need(("no-such-program",), "no-such-package")


def test_missing_program_is_named_with_install_line():
    with pytest.raises(Missing) as missing:
        path_of(ABSENT)

    assert str(missing.value) == (
        "no-such-program is missing; "
        "on Debian: sudo apt-get install --no-install-recommends no-such-package"
    )


def test_program_is_found_under_any_name():
    assert path_of(Need(("no-such-program", "sh"), "dash")).name == "sh"


def test_program_outside_path_is_found_in_its_folders(monkeypatch, tmp_path):
    program = tmp_path / "12" / "bin" / "private-server"
    program.parent.mkdir(parents=True)
    program.touch(mode=0o755)
    monkeypatch.setenv("PATH", "/nowhere")

    need = Need(("private-server",), "private", f"{tmp_path.relative_to('/')}/*/bin")

    assert path_of(need) == program
