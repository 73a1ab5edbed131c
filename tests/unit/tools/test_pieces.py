"""The smaller parts of the tools, each by itself."""

import io
import re

import pytest
from rich.console import Console

from tools.demo import play
from tools.demo.screen import Bars, table
from tools.services.packages import Missing, Need, path_of

ABSENT = Need(("no-such-program",), "no-such-package")


def screen(width=100, *, terminal=False):
    return Console(file=io.StringIO(), width=width, force_terminal=terminal)


def shown(console):
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", console.file.getvalue())


def test_a_missing_program_is_named_with_the_line_that_installs_it():
    with pytest.raises(Missing) as missing:
        path_of(ABSENT)

    assert str(missing.value) == (
        "no-such-program is missing; "
        "on Debian: sudo apt-get install --no-install-recommends no-such-package"
    )


def test_a_program_is_found_under_any_of_its_names():
    assert path_of(Need(("no-such-program", "sh"), "dash")).name == "sh"


def test_a_program_outside_the_path_is_found_in_its_folders(monkeypatch, tmp_path):
    program = tmp_path / "12" / "bin" / "private-server"
    program.parent.mkdir(parents=True)
    program.touch(mode=0o755)
    monkeypatch.setenv("PATH", "/nowhere")

    need = Need(("private-server",), "private", f"{tmp_path.relative_to('/')}/*/bin")

    assert path_of(need) == program


def test_bars_are_lines_where_nothing_moves():
    console = screen()

    with Bars(console, "Games") as bars:
        bars.update({"classic": (0, 10)}, {})
        bars.update({"classic": (5, 10)}, {})
        bars.update({"classic": (12, 10)}, {})

    assert shown(console).splitlines() == [
        "Games",
        "  classic                    [--------------------] 0/10",
        "  classic                    [####################] 10/10",
    ]


def test_bars_on_a_terminal_show_count_and_note():
    console = screen(terminal=True)

    with Bars(console, "Games") as bars:
        bars.update({"classic": (5, 10)}, {"classic": "1512"})

    last = shown(console).splitlines()[-1]
    assert re.search(r"classic +━+.* +5/10 1512", last)


def test_a_name_with_brackets_is_shown_as_it_is():
    console = screen()

    table(console, "Board", ("#", "bot"), [("1", "[red]ann[/red]")])

    assert "[red]ann[/red]" in shown(console)


def test_bots_of_one_tie_band_show_all_its_ranks_and_a_line_ends_a_band():
    bands = ((1, 1), (2, 1), (3, 2), (None, None))
    board = [{"rank": rank, "rating": {"tie_band": band}} for rank, band in bands]
    console = screen()

    found = [play.ranks(row, board) for row in board]
    table(console, "Leaderboard", ["#"], [[each] for each in found], ends=[1, 2])

    assert found == ["1\N{EN DASH}2", "1\N{EN DASH}2", "3", "\N{EN DASH}"]
    lines = [line for line in shown(console).splitlines() if line[0] in "│├"]
    assert [line[0] for line in lines] == list("││├│├│")
