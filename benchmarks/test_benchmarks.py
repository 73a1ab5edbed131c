"""The bench: its arithmetic, what it prints, and our own player for the blink of an eye."""

import runpy

import pytest
from django.utils import timezone

from benchmarks import compiled
from benchmarks.__main__ import show, show_attack, show_pace
from benchmarks.figures import HEAD, Goal, Measured, NotMeasured, blank, line, short, spread
from benchmarks.players import fleet_site
from benchmarks.players.told import story, variant
from benchmarks.programs import Program, last_line, plies_per_second, sample
from benchmarks.rows import DARK_CHESS, ROWS, Row, ours, side_by_side, trips
from tests.sandbox import gvisor
from tests.tree import ROOT
from tests.unit.engine.players import READY, say, scripted
from tests.unit.engine.refereed import referee

pytestmark = pytest.mark.slow

MORE, LESS = Goal(first=0.5, aim=1.5), Goal(first=1.5, aim=1.2, less_is_better=True)


def test_ratios_are_taken_round_by_round():
    """The machine was half as fast in the second round, for both: nothing has changed."""
    measured = Measured("plies/s", ours=[300, 150, 300], theirs=[200, 100, 200])

    assert measured.ratios == [1.5, 1.5, 1.5]


@pytest.mark.parametrize(
    ("goal", "ratio", "reached"),
    [
        (MORE, 0.49, "no"),
        (MORE, 0.5, "first target"),
        (MORE, 1.49, "first target"),
        (MORE, 1.5, "aim"),
        (LESS, 1.51, "no"),
        (LESS, 1.5, "first target"),
        (LESS, 1.2, "aim"),
    ],
)
def test_a_ratio_reaches_a_target_or_not(goal, ratio, reached):
    assert goal.verdict(ratio) == reached


def test_a_row_is_one_line_under_the_head():
    measured = Measured("plies/s", ours=[190_000, 201_000, 195_000], theirs=[300e3, 310e3, 325e3])

    printed = line("ours / theirs", MORE, measured)

    assert printed == (
        "ours / theirs | 195 k (190 k-201 k) plies/s | 310 k (300 k-325 k) plies/s"
        " | 0.63 (0.60-0.65) | ≥ 0.5 | ≥ 1.5 | first target"
    )
    assert len(printed.split(" | ")) == len(HEAD.split(" | "))
    assert len(blank("ours / theirs", MORE).split(" | ")) == len(HEAD.split(" | "))
    assert blank("a", LESS) == "a | - | - | - | ≤ 1.5 | ≤ 1.2 | not measured"


@pytest.mark.parametrize(
    ("value", "words"),
    [(0.8345, "0.835"), (87.25, "87.2"), (999.4, "999"), (8_070, "8.07 k"), (1.234e6, "1.23 M")],
)
def test_figures_have_three_digits(value, words):
    assert short(value) == words


def test_a_spread_is_the_median_with_the_ends():
    assert spread([5, 1, 3]) == "3 (1-5)"


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


def test_told_game_is_accepted_by_referee():
    """Its answers are judged: a bot that does not know the story loses."""
    ended = referee(
        scripted(READY, say(story()[0].legal[0])),
        scripted(READY, b'{"action":"a1a2"}'),
        variant=variant(),
        options={"plies": 3},
    )

    assert [(action.seat, action.action) for action in ended.actions] == [
        ("red", story()[0].legal[0])
    ]
    assert (ended.result.termination, ended.result.fault) == ("illegal_action", "blue")


@pytest.mark.docker
@pytest.mark.parametrize(
    "name", ["start of a match of two bots in Docker", "memory charged", "results flipped"]
)
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


@pytest.mark.docker
def test_a_row_of_gvisor_is_measured_once(monkeypatch):
    (row,) = (row for row in ROWS if row.name.startswith("CPU time charged"))
    with gvisor.engine() as host:
        if host:
            monkeypatch.setenv("DOCKER_HOST", host)
        measured = row.measure(1, 0.1)

    assert (len(measured.ours), len(measured.theirs)) == (1, 1)
    assert measured.ratios[0] > 0


def test_docker_rows_say_no_engine_in_one_line(capsys, monkeypatch):
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    row = next(row for row in ROWS if "Docker players" in row.name)

    assert not show(row, 1, 0.01)
    assert "docker: no engine answers" in capsys.readouterr().err


def test_contender_not_installed_makes_row_without_figures(capsys):
    """The tests' own environment has no contender in it, and must have none."""
    row = Row("ours / theirs", MORE, side_by_side(lambda: ours("general"), DARK_CHESS))

    assert not show(row, 1, 0.01)
    out, err = capsys.readouterr()
    assert out == blank("ours / theirs", MORE) + "\n"
    assert err == (
        "bench: ours / theirs: dark_chess: ModuleNotFoundError: No module named 'pyspiel'\n"
    )


def test_unknown_variant_gives_reason_of_one_line():
    with pytest.raises(NotMeasured, match="no variant 'halma'; there are: ") as reason:
        plies_per_second(ours("halma"), 0.01)

    assert "\n" not in str(reason.value)
    assert not show_pace("halma", 1, 0.01)


def test_variant_pace_shows_plies_and_games(capsys):
    assert show_pace("general", 1, 0.05)

    name, plies, games = capsys.readouterr().out.split(" | ")
    assert name == "general"
    assert plies.split()[1] == "k"
    assert 0 < float(games.split()[0]) < 100_000


def test_a_missing_compiler_is_said_in_one_line(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(NotMeasured, match=r"^no C compiler \(\S+\); on Debian: sudo apt-get"):
        compiled.build(tmp_path, tmp_path / "place")


def test_the_last_line_with_words_is_shown():
    assert last_line("Traceback\n  File\nValueError: no\n\n") == "ValueError: no"
    assert last_line("\n") == "it ended without a word"


def test_compiled_files_exist_and_row_names_differ():
    listed = runpy.run_path(str(ROOT / "setup.py"))["COMPILED"]

    assert [name for name in listed if not (ROOT / name).is_file()] == []
    assert len({row.name for row in ROWS}) == len(ROWS)


@pytest.mark.django_db
def test_a_simulated_fleet_is_kept_busy(monkeypatch):
    """A small case of the row, in which calls take no time."""
    monkeypatch.setattr(fleet_site, "processor_s", lambda: (0.0, 0.0))
    began = timezone.now()
    fleet_site.fill(bots=100, until=began)

    found = fleet_site.play(slots=12, match_s=40.0, lasts_s=10.0, began=began)

    assert found.playing >= 0.95 * 12
