"""A bot at home in a seat of a site: what it is told, and what a site that errs makes of it."""

import json
import os
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread

import pytest

from botkit import remote
from botkit import site as sites
from botkit.cli import main
from botkit.exit_statuses import FAILED, INTERRUPTED
from tests.tree import ROOT
from tests.unit.botkit.homes import make_bot, refusal
from tests.unit.botkit.small_site import LOST, problem
from tests.waiting import until

MATCH = {"id": "m_1", "url": "/matches/m_1/"}
MESSAGES, ANSWERS = "GET /api/v1/seats/m_1/messages", "POST /api/v1/seats/m_1/answers"
GONE_ON = problem(409, "gone_on", "The request was refused", "The game has gone on: look again.")
AT_WORK = problem(409, "idempotency_key_at_work", "The request was refused", "It is at work.")
VIEW = {"ply": 0, "phase": "play"}
# It tells on stderr what it is sent, and ends by itself in its second turn.
BOT = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    print(message["type"], sorted(message), file=sys.stderr, flush=True)
    if message["type"] == "start":
        print('{"type": "ready", "wants": {"view": "first", "legal": false}}', flush=True)
    elif message["type"] == "act" and message["ply"] < 9:
        print('{"action": "a1a2"}', flush=True)
    else:
        break
"""


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(sites, "REOPEN_S", 0.01)
    monkeypatch.setattr(remote, "AGAIN_S", 0.01)


@pytest.fixture
def asked(site):
    """Return the site, which has a ladder and takes whoever asks for a seat."""
    site.tell(
        "GET /api/v1/ladders",
        {"results": [{"slug": "general", "variant": "general"}], "next": None},
    )
    site.tell("POST /api/v1/seats", (202, MATCH))
    site.tell(ANSWERS, None)
    return site


def event(number, message, *, game="one", ended=None):
    """Return a question as the stream has it, or the end."""
    content = {
        "number": number,
        "answer_by": (datetime.now(UTC) + timedelta(minutes=5)).isoformat(),
        "start": {"type": "start", "seat": "red", "game": game, "rng_seed": 1},
        "message": message,
        "ended": ended,
    }
    return f"id: {number}\nevent: message\ndata: {json.dumps(content)}\n\n".encode()


def act(ply=0):
    return {"type": "act", "ply": ply, "view": VIEW, "events": [], "legal": ["a1a2"], "clock": {}}


END = {"type": "end", "outcome": {"red": 1, "blue": 0}, "termination": "flag_captured"}
QUIET = b": still here\n\n"
OVER = b'event: over\ndata: {"spread_ms": 0}\n\n'


def connect(tmp_path):
    bot = make_bot(tmp_path, "mine")
    (tmp_path / "mine" / "bot.py").write_text(BOT)
    return main(["connect", bot, "eve/raider", "--ladder", "general", "--side", "red"])


def answered(site, times, stream):
    """Stream something else once so many answers have come."""
    before = site.next_answer

    def next_answer(request):
        said = before(request)
        if request.path.endswith("answers") and len(answers(site)) == times:
            site.tell(MESSAGES, stream, QUIET)
        return said

    site.next_answer = next_answer


def answers(site):
    return [json.loads(asked.body) for asked in site.asked if asked.path.endswith("answers")]


def test_bot_is_told_what_it_wants(asked, tmp_path, capfd):
    answered(asked, 1, event(4, act(1)))
    answered(asked, 2, event(5, END) + OVER)
    asked.tell(MESSAGES, QUIET + event(2, act()), QUIET)

    assert connect(tmp_path) == 0

    said = capfd.readouterr()
    assert said.out == f"won, flag captured: {asked.url}/matches/m_1/\n"
    told = [line.partition(" ")[::2] for line in said.err.splitlines() if "[" in line]
    kinds = [kind for kind, _ in told]
    assert kinds == ["start", "act", "act", "end"]
    assert ["view" in keys for _, keys in told] == [False, True, False, False]
    assert not any("legal" in keys for _, keys in told)
    assert answers(asked) == [{"number": 2, "action": "a1a2"}, {"number": 4, "action": "a1a2"}]


def test_lost_streams_and_answers_are_made_good(asked, tmp_path, capfd):
    asked.tell(MESSAGES, LOST, event(2, act()), (503, b""), QUIET)
    asked.tell(ANSWERS, GONE_ON, LOST, AT_WORK, (204, b""))
    answered(asked, 4, event(5, END) + OVER)  # what is lost is sent again at once

    assert connect(tmp_path) == 0

    assert [answer["number"] for answer in answers(asked)] == [2] * 4
    again = [each.headers.get("Last-Event-Id") for each in asked.asked if "messages" in each.path]
    assert again[:2] == [None, None]
    assert "2" in again
    assert capfd.readouterr().out.startswith("won, ")


def test_game_begun_anew_has_new_program(asked, tmp_path, capfd):
    answered(asked, 1, event(6, END) + event(7, act(), game="two"))
    answered(asked, 2, event(8, {**END, "outcome": {"red": 0, "blue": 1}}, game="two") + OVER)
    asked.tell(MESSAGES, event(2, act()), QUIET)

    assert connect(tmp_path) == 0

    said = capfd.readouterr()
    assert "begins anew" in said.err
    assert said.err.count("start [") == 2
    assert said.out.startswith("lost, ")


@pytest.mark.parametrize(
    ("ply", "refused", "why"),
    [(9, None, "ended with exit status 0"), (0, "not_playable", "This cannot be played now.")],
)
def test_bot_that_errs_resigns(asked, tmp_path, capfd, ply, refused, why):
    lost = event(3, {**END, "outcome": {"red": 0, "blue": 1}}) + OVER
    answered(asked, 2 if refused else 1, lost)
    asked.tell(MESSAGES, event(2, act(ply)), QUIET)
    if refused:
        asked.tell(ANSWERS, problem(400, refused, "The request was refused", why), (204, b""))

    assert connect(tmp_path) == FAILED

    said = capfd.readouterr()
    assert "mine resigned: " in said.err
    assert why in said.err
    assert answers(asked)[-1]["action"] == "resign"
    assert said.out.startswith("lost, ")


def test_game_without_result_is_said(asked, tmp_path, capfd):
    asked.tell(MESSAGES, OVER)

    assert connect(tmp_path) == 0

    assert capfd.readouterr().out == f"cancelled or void: {asked.url}/matches/m_1/\n"


@pytest.mark.parametrize("ends", [KeyboardInterrupt(), SystemExit(143)])
def test_ended_command_cancels_the_game(asked, tmp_path, monkeypatch, ends):
    def interrupted(_game):
        raise ends

    monkeypatch.setattr(remote.RemoteGame, "play", interrupted)
    asked.tell("DELETE /api/v1/seats/m_1", problem(409, "match_over", "No", "The game is over."))

    if isinstance(ends, KeyboardInterrupt):
        assert connect(tmp_path) == INTERRUPTED
    else:
        with pytest.raises(SystemExit, match="143"):
            connect(tmp_path)

    assert ("DELETE", "/api/v1/seats/m_1") in [(each.method, each.path) for each in asked.asked]


@pytest.fixture
def two(asked):
    """Return the site, which has room for two games and gives them out."""
    asked.tell("GET /api/v1/seats", {"limit": 2, "results": []})
    matches = [{"id": f"m_{number}", "url": f"/matches/m_{number}/"} for number in (1, 2)]
    asked.tell("POST /api/v1/seats", *((202, match) for match in matches))
    for match in matches:
        asked.tell(f"GET /api/v1/seats/{match['id']}/messages", event(2, act()), QUIET)
        asked.tell(f"POST /api/v1/seats/{match['id']}/answers", None)
        asked.tell(f"DELETE /api/v1/seats/{match['id']}", (204, b""))
    return asked


def when(site, word, times, do):
    """Do something once so many requests have this word in their path."""
    before = site.next_answer

    def next_answer(request):
        said = before(request)
        if word in request.path and sum(word in each.path for each in site.asked) == times:
            do()
        return said

    site.next_answer = next_answer


def test_games_are_played_at_same_time(two, tmp_path, capfd):
    def end_both():
        for number in (1, 2):
            two.tell(f"GET /api/v1/seats/m_{number}/messages", event(5, END) + OVER, QUIET)

    when(two, "answers", 2, end_both)  # neither game ends before the bot has played in both
    bot = make_bot(tmp_path, "mine", does="print('a thought', file=sys.stderr, flush=True)")
    words = ("connect", bot, "eve/raider", "--ladder", "general", "--side", "red")

    assert main([*words, "-n", "2", "-j", "2"]) == 0

    said = capfd.readouterr()
    pages = {f"won, flag captured: {two.url}/matches/m_{number}/" for number in (1, 2)}
    assert {*said.out.splitlines()} == {*pages, "2 won"}
    assert {"m_1: a thought", "m_2: a thought"} <= {*said.err.splitlines()}


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, INTERRUPTED), (signal.SIGTERM, 143)]
)
def test_signal_cancels_all_games(two, tmp_path, number, status):
    note = tmp_path / "pids"
    does = f"open({str(note)!r}, 'a').write(f'{{__import__(\"os\").getpid()}}\\n'); time.sleep(600)"
    bot = make_bot(tmp_path, "mine", does=does)

    def interrupt():
        until(lambda: note.exists() and note.read_text().count("\n") == 2, within_s=60)
        os.kill(os.getpid(), number)

    when(two, "messages", 2, Thread(target=interrupt).start)
    words = ["connect", bot, "eve/raider", "--ladder", "general", "-n", "5", "-j", "2"]

    assert ended(words) == status

    assert {each.path[-3:] for each in two.asked if each.method == "DELETE"} == {"m_1", "m_2"}
    assert not [pid for pid in note.read_text().split() if Path(f"/proc/{pid}").exists()]
    assert sum(each.method == "POST" for each in two.asked) == 2


def test_more_games_than_site_allows(asked, tmp_path, capfd):
    asked.tell("GET /api/v1/seats", {"limit": 2, "results": [{"match": "m_9"}]})
    words = ("connect", make_bot(tmp_path, "mine"), "eve/raider", "--ladder", "general")

    assert "2 of these games open, and 1 are" in refusal(capfd, *words, "-n2", "-j2", status=2)
    assert not [each for each in asked.asked if each.method == "POST"]


def test_failed_game_lets_others_end(two, tmp_path, capfd):
    def end():
        two.tell("GET /api/v1/seats/m_1/messages", event(5, END) + OVER)

    two.tell("POST /api/v1/seats", (202, MATCH), problem(400, "unwilling", "No", "Not now."))
    when(two, "answers", 1, end)
    words = ["connect", make_bot(tmp_path, "mine"), "eve/raider", "--ladder", "general"]

    assert main([*words, "--side", "red", "-n", "4", "-j", "2"]) == FAILED

    said = capfd.readouterr()
    assert said.out == f"won, flag captured: {two.url}/matches/m_1/\n"
    assert "Not now." in said.err


def ended(words):
    """Return the exit status of a command, however it ends."""
    try:
        return main(words)
    except SystemExit as end:
        return end.code


def test_bot_that_cannot_start_asks_for_no_game(asked, capfd):
    words = ("connect", "cmd:/nowhere/rook", "eve/raider", "--ladder", "general")

    assert "/nowhere/rook" in refusal(capfd, *words, status=2)
    assert not [each for each in asked.asked if each.method == "POST"]


def test_a_ladder_that_is_not_there(asked, tmp_path, capfd):
    words = ("connect", make_bot(tmp_path, "mine"), "eve/raider", "--ladder", "chess")

    assert "it has general" in refusal(capfd, *words, status=2)


@pytest.fixture
def remote_bot(asked):
    """Return the site, on which ada has a remote bot that plays one match."""
    asked.tell("GET /api/v1/bots/ada/giant", {"active_version": 1, "url": "/bots/ada/giant/"})
    asked.tell("GET /api/v1/seats/stream", b'event: matches\ndata: ["m_1"]\n\n', QUIET)
    points = {"giant": 0.5, "raider": 1.5}
    entrants = [{"owner": "ada", "bot": bot, "points": points[bot]} for bot in points]
    asked.tell("GET /api/v1/matches/m_1", {"status": "finished", "entrants": entrants})
    return asked


def test_remote_bot_hears_end_before_next_game(remote_bot, tmp_path, capfd):
    ended = {"game": "one", "seat": "red", "message": END}
    following = event(6, act(), game="two", ended=ended)
    answered(remote_bot, 1, following)
    answered(remote_bot, 2, event(8, END, game="two") + OVER)
    remote_bot.tell(MESSAGES, event(2, act()), QUIET)
    make_bot(tmp_path, "mine")
    (tmp_path / "mine" / "bot.py").write_text(BOT)

    assert main(["connect", str(tmp_path / "mine"), "--as", "ada/giant", "-n", "1"]) == 0

    said = capfd.readouterr()
    assert said.out == f"lost: {remote_bot.url}/matches/m_1/\n"
    kinds = [line.partition(" ")[0] for line in said.err.splitlines() if "[" in line]
    assert kinds == ["start", "act", "end"] * 2
    assert "anew" not in said.err
    (asked_for,) = {each.path for each in remote_bot.asked if "stream" in each.path}
    assert asked_for.endswith("?bot=ada%2Fgiant&games=1")


def test_first_interrupt_plays_on(remote_bot, tmp_path):
    def interrupt():
        running.send_signal(signal.SIGINT)
        remote_bot.tell(MESSAGES, event(5, END) + OVER, QUIET)

    when(remote_bot, "answers", 1, interrupt)
    remote_bot.tell(MESSAGES, event(2, act()), QUIET)
    words = ["connect", make_bot(tmp_path, "mine"), "--as", "ada/giant"]

    running = subprocess.Popen(
        [sys.executable, "-m", "botkit.cli", *words],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    out, err = running.communicate()

    assert running.returncode == INTERRUPTED
    assert "No other match begins." in err
    assert out.startswith("lost: ")


def test_remote_bot_is_made_on_request(asked, tmp_path, capfd):
    words = ("connect", make_bot(tmp_path, "mine"), "--as", "ada/giant")
    new = {"owner": "ada", "slug": "giant", "active_version": None, "url": "/bots/ada/giant/"}
    asked.tell("POST /api/v1/bots", (201, new))
    asked.tell("POST /api/v1/bots/ada/giant/versions/remote", (201, {"number": 1}))

    assert "add --create --ladder" in refusal(capfd, *words, status=2)
    assert "for which ladder" in refusal(capfd, *words, "--create", status=2)
    refusal(capfd, *words, "--create", "--ladder", "general", status=2)  # no stream

    (made,) = [each for each in asked.asked if each.path.endswith("remote")]
    assert json.loads(made.body) == {"variants": ["general"]}


@pytest.mark.parametrize(
    ("words", "why"),
    [((), "--as"), (("eve/raider", "--as", "x"), "--as"), (("--as", "x", "-j9"), "at most 8")],
)
def test_words_that_do_not_fit_together(asked, tmp_path, capfd, words, why):
    assert why in refusal(capfd, "connect", make_bot(tmp_path, "mine"), *words, status=2)
