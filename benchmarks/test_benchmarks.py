"""The bench: its arithmetic, what it prints, and our own player for the blink of an eye."""

import runpy

import pytest
from django.utils import timezone

from benchmarks.__main__ import show, show_attack, show_pace
from benchmarks.figures import Goal, blank
from benchmarks.players import fleet_site
from benchmarks.programs import Program, sample
from benchmarks.rows import DARK_CHESS, ROWS, Row, ours, side_by_side, trips
from tests.tree import ROOT

pytestmark = pytest.mark.slow

MORE = Goal(first=0.5, aim=1.5)


def test_our_player_plays_whole_games_counting_plies():
    told = sample(Program("ours", ("general",)), seconds=0.01)

    assert sorted(told) == ["games", "plies", "python", "seconds", "who"]
    assert told["who"].startswith("drapeau ")
    assert told["who"].endswith(" general@1")
    assert told["plies"] > told["games"] >= 1
    assert told["seconds"] >= 0.01


def test_environment_plays_whole_games_counting_steps():
    told = sample(Program("environment", ("general",)), seconds=0.01)

    assert told["who"] == "environment of general"
    assert told["plies"] > 40 * told["games"] > 0


def test_two_players_of_row_measured_in_turn():
    measured = side_by_side(lambda: ours("general"), ours("general"))(2, 0.01)

    assert (measured.unit, len(measured.ours), len(measured.theirs)) == ("plies/s", 2, 2)
    assert min(*measured.ours, *measured.theirs) > 1000


@pytest.mark.parametrize("what", ["referee", "channel"])
def test_trips_to_bots_are_measured_in_rounds(what):
    measured = trips(what, "process", 1)(2, 0.05)

    assert (measured.unit, len(measured.ours), len(measured.theirs)) == ("us/ply", 2, 2)
    assert min(*measured.ours, *measured.theirs) > 1


def test_games_at_home_are_measured_in_rounds():
    (row,) = (row for row in ROWS if row.name.startswith("a game at home"))
    measured = row.measure(2, 0.01)

    assert (measured.unit, len(measured.ours), len(measured.theirs)) == ("ms", 2, 2)
    assert min(*measured.ours, *measured.theirs) > 1


@pytest.mark.docker
@pytest.mark.parametrize("name", ["start of a match of two bots in Docker", "memory charged"])
def test_rows_of_docker_are_measured_once(name):
    (row,) = (row for row in ROWS if row.name.startswith(name))
    measured = row.measure(1, 0.1)

    # How large the ratio is depends on how busy the machine is, so `make bench` shows it.
    assert (len(measured.ours), len(measured.theirs)) == (1, 1)
    assert measured.ratios[0] >= 0


@pytest.mark.docker
def test_attack_row_shows_time_used_and_charged(capsys):
    assert show_attack("forks", 1, 0.2)

    name, used, charged, rest = capsys.readouterr().out.strip().split(" | ")
    assert (name, {words.split()[-1] for words in (used, charged, rest)}) == ("forks", {"ms"})
    assert float(charged.split()[0]) > 0


def test_contender_not_installed_makes_row_without_figures(capsys):
    """The tests' own environment has no contender in it, and must have none."""
    row = Row("ours / theirs", MORE, side_by_side(lambda: ours("general"), DARK_CHESS))

    assert not show(row, 1, 0.01)
    out, err = capsys.readouterr()
    assert out == blank("ours / theirs", MORE) + "\n"
    assert err == (
        "bench: ours / theirs: dark_chess: ModuleNotFoundError: No module named 'pyspiel'\n"
    )


def test_variant_pace_shows_plies_and_games(capsys):
    assert show_pace("general", 1, 0.05)

    name, plies, games = capsys.readouterr().out.split(" | ")
    assert name == "general"
    assert plies.split()[1] == "k"
    assert 0 < float(games.split()[0]) < 100_000


def test_compiled_files_exist_and_row_names_differ():
    listed = runpy.run_path(str(ROOT / "setup.py"))["COMPILED"]

    assert [name for name in listed if not (ROOT / name).is_file()] == []
    assert len({row.name for row in ROWS}) == len(ROWS)


@pytest.mark.django_db
def test_a_simulated_fleet_is_kept_busy(monkeypatch):
    """A small case of the row, in which calls take no time."""
    monkeypatch.setattr(fleet_site, "processor_s", lambda: (0.0, 0.0))
    began = timezone.now()
    fleet_site.fill(bots=40, until=began)

    found = fleet_site.play(slots=5, match_s=40.0, lasts_s=10.0, began=began)

    assert found.playing >= 0.95 * 5
