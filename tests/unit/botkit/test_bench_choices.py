"""What `drapeau bench` lets its user choose: another test, openings, and more games than cores."""

import json
from dataclasses import replace

import pytest

from botkit.bench import Bench, read_plan, results
from botkit.commands.sprt_options import told_of_test
from botkit.exit_statuses import UNDECIDED
from botkit.home import find_bot
from botkit.sprt import Verdict
from engine.outcome import Termination
from engine.record import Record, verify
from tests.unit.botkit.homes import drapeau, make_bot, refusal

SHORT = ("--option", "max_plies=24")
RED, BLUE = "FB32S26M", "BF2M3S26"
OPENINGS = f"""# two openings
{RED} {BLUE}

{BLUE} {RED}  # the other way round
"""


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """Make two bots and work in their folder."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    make_bot(tmp_path, "first", variant="skirmish")
    make_bot(tmp_path, "broken", variant="skirmish", does="sys.exit(3)")
    return tmp_path


def benched(capfd, *words, status=0):
    return json.loads(drapeau(capfd, "bench", *words, "--json", status=status))


BOUNDS = ("--elo0", "-50", "--elo1", "150")


@pytest.mark.parametrize(
    ("names", "status", "verdict", "said"),
    [
        (("first", "broken"), 0, "better", "H1 is accepted: first is ahead by 150 normalized"),
        (("broken", "first"), 1, "worse", "H0 is accepted: broken is ahead by -50 normalized"),
    ],
)
def test_a_test_of_two_hypotheses_ends_the_games(names, status, verdict, said, capfd, tmp_path):
    words = (*names, *BOUNDS, "--alpha", "0.1", "--record-dir", tmp_path / "games")
    told = benched(capfd, *words, status=status)["sprt"]

    assert told["rests_on_time"] is False
    assert (told["verdict"], told["elo0"], told["margin"]) == (verdict, -50.0, 150.0)
    assert (told["alpha"], told["beta"]) == (0.1, 0.05)
    assert said in drapeau(capfd, "bench", "--resume", tmp_path / "games", status=status)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--elo0", "0"], "--elo0 and --elo1 belong together"),
        (["--elo0", "5", "--elo1", "5"], "--elo0 must be below --elo1"),
        (["--elo0", "0", "--elo1", "5", "--margin", "9"], "--margin does not go with --elo0"),
        (["--elo0", "0", "--elo1", "5", "--all"], "name one opponent, without --all"),
        (["--alpha", "0.1", "--all"], "name one opponent, without --all"),
        (["--alpha", "0.5"], "--alpha"),
        (["--elo0", "0", "--elo1", "201"], "--elo1"),
    ],
)
def test_a_test_that_is_none_is_refused(words, said, capfd):
    assert said in refusal(capfd, "bench", "first", "broken", *words, status=2)


def test_verdict_resting_on_time_losses_is_marked(capfd, tmp_path):
    """One pair of games is played, and counted until the test ends: all lost on time."""
    folder = tmp_path / "games"
    words = ("-n", 2, "--margin", 200, "--record-dir", folder)
    benched(capfd, "first", "broken", *words, status=UNDECIDED)
    plan = read_plan(folder)
    pair = list(results(plan, bots=[find_bot(word) for word in plan.words], folder=folder, jobs=1))
    late = Bench(replace(plan, pairs=200), ["first", "broken"])
    for number in range(1, 401):
        played = pair[(number - 1) % 2]
        result = replace(played.record.result, termination=Termination.TIMEOUT)
        record = replace(played.record, result=result)
        late.add(replace(played, game=replace(played.game, number=number), record=record))

    assert late.test
    assert late.test.verdict is Verdict.BETTER
    assert late.rests_on_time
    assert any("rests on losses on time" in text for text in told_of_test(late, late.test))


def test_both_games_of_pair_begin_with_same_opening(capfd, tmp_path):
    (tmp_path / "openings").write_text(OPENINGS)
    words = ("--all", "-n", 6, "--openings", "openings", *SHORT)
    folder = tmp_path / "games"
    benched(capfd, "first", "first", *words, "--seed", 3, "--record-dir", folder)

    records = [Record.from_json(path.read_bytes()) for path in sorted(folder.glob("game-*.json"))]
    begun = [tuple(played.action for played in each.actions[:2]) for each in records]

    assert begun == [(RED, BLUE)] * 2 + [(BLUE, RED)] * 2 + [(RED, BLUE)] * 2
    for record in records:
        verify(record)
    (folder / "game-0004.json").unlink()
    (tmp_path / "openings").unlink()
    benched(capfd, "--resume", folder)
    again = Record.from_json((folder / "game-0004.json").read_bytes())
    assert [each.action for each in again.actions] == [each.action for each in records[3].actions]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "openings: cannot be read: No such file or directory"),
        ("# nothing\n", "openings: there is no line with set-ups"),
        (RED, f"the opening '{RED}': skirmish needs 2 (red, blue), not 1"),
        (f"{RED} {RED[:-1]}F", "the set-up of blue is "),
    ],
)
def test_openings_that_cannot_be_played_are_refused(text, said, capfd, tmp_path):
    if text is not None:
        (tmp_path / "openings").write_text(text)

    refused = refusal(capfd, "bench", "first", "broken", "--openings", "openings", status=2)

    assert said in refused
    assert refused.count("\n") == 1
    assert not (tmp_path / "state").exists()


@pytest.mark.parametrize("command", ["bench", "play"])
def test_more_games_than_cores_are_told_before_start(command, capfd, monkeypatch):
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0})
    words = ("first", "nobody", "-j", 2)

    said = refusal(capfd, command, *words, status=2).splitlines()

    assert said[0].startswith("-j 2 plays more games at a time than there are cores (1): ")
    assert said[1].startswith("nobody: ")
