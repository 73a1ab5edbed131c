"""The smaller parts of the tools, each by itself."""

import io
import re
import socket

import pytest
from rich.console import Console

from tools import tcp
from tools.demo import play, site
from tools.demo.refusal import DemoFailed
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


def test_a_taken_port_is_refused_with_a_free_one_named():
    with tcp.listening_socket(0) as other:
        port = other.getsockname()[1]
        assert tcp.listens(port)

        with pytest.raises(DemoFailed, match=f"port {port} cannot be used: Address already in use"):
            site.take_port(port)


def test_a_port_is_free_again_after_use():
    with tcp.listening_socket(0) as other:
        port = other.getsockname()[1]

    with site.take_port(port) as mine:
        assert mine.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) == 1


def test_a_folder_is_held_by_one_demo_at_a_time(tmp_path):
    with (
        site.only_one(tmp_path, "http://one"),
        pytest.raises(DemoFailed, match="http://one"),
        site.only_one(tmp_path, "http://two"),
    ):
        pytest.fail("two demos on one folder")

    with site.only_one(tmp_path, "http://three"):
        assert (tmp_path / "demo.lock").read_text().endswith("http://three")


def test_foreign_settings_do_not_reach_the_demo(monkeypatch, tmp_path):
    monkeypatch.setenv("DATABASE_URL", "postgres://precious")
    monkeypatch.setenv("DRAPEAU_BROKER_URL", "redis://precious")

    env = site.environment(tmp_path, isolation="process", trust_bots=False)

    assert "precious" not in " ".join(env.values())
    assert env["DRAPEAU_DATA_DIR"] == str(tmp_path)
    assert env["DRAPEAU_TRUST_BOTS"] == "0"


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
