"""A person plays games at home, through the address that the page in the browser asks."""

import json
import random
from threading import Thread
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from botkit.games import Terms, play_at, schedule, seed_secret
from botkit.home import find_bot
from botkit.person import ME, Desk
from botkit.starters import SDK, starter
from engine import registry
from engine.clock import ClockSpec
from engine.record import verify

VARIANTS = sorted(registry.variants())


class Browser:
    """What the script of the page does, without a page."""

    def __init__(self, address):
        self.address, self.number = address, 0

    def news(self):
        """Wait for something new, and read it."""
        with urlopen(f"{self.address}turn?after={self.number}") as answer:
            turn = json.load(answer)
        self.number = turn["number"]
        return turn

    def until(self, *wanted):
        """Wait until the person is asked for one of these."""
        while (turn := self.news())["wanted"] not in wanted:
            pass
        return turn

    def post(self, what, **body):
        with urlopen(Request(self.address + what, json.dumps(body).encode())) as answer:
            return json.load(answer)

    def answer(self, text):
        return self.post("answer", number=self.number, answer=text)

    def play(self, rng, games):
        """Play whole games at random, and then stop."""
        while games:
            turn = self.news()
            answer = None
            if turn["wanted"] in ("again", "last"):
                games -= 1
                answer = "again" if games else "enough"
            elif turn["wanted"] == "set-up":
                answer = turn["draft"]["codes"]
            elif turn["wanted"] == "move":
                answer = rng.choice(turn["acts"])["action"]
            assert answer is None or self.answer(answer) == {}


def played(variant, play, *, games, folder):
    """Play games against the starter of a variant with a person who does what `play` does."""
    rules = registry.find(variant)
    (folder / "bot").mkdir()
    for name, content in starter(variant, SDK, name="starter").items():
        (folder / "bot" / name).write_bytes(content)
    players = [find_bot(str(folder / "bot")), ME]
    short = {name: 24 for name in ("max_plies", "max_turns") if name in rules.options}
    terms = Terms(variant, short, ClockSpec())
    planned = schedule(variant, bots=2, games=games, swap=True, secret=seed_secret(7))
    with Desk() as desk:
        Thread(target=play, args=(Browser(desk.address),), daemon=True).start()
        return list(play_at(desk, planned, bots=players, terms=terms, folder=folder))


@pytest.mark.parametrize("variant", VARIANTS)
def test_person_plays_whole_games_in_both_places(variant, tmp_path):
    rng = random.Random(variant)

    finished = played(variant, lambda page: page.play(rng, 2), games=2, folder=tmp_path)

    assert [game.record.result.fault for game in finished] == [None, None]
    assert finished[0].game.seats != finished[1].game.seats
    for game in finished:
        verify(game.record)


def test_page_shows_what_the_seat_may_see(tmp_path):
    """The own pieces have faces; those of the bot have none before they are known."""
    seen = []

    def look(page):
        assert "marshal" in page.until("set-up")["likes"]
        page.answer(page.post("draft", like="marshal")["codes"])
        seen.append(page.until("move"))
        page.answer("resign")
        seen.append(page.until("again"))
        page.answer("enough")

    (finished,) = played("general", look, games=9, folder=tmp_path)

    before, end = seen
    assert finished.record.result.termination == "resigned"
    assert before["board"].count("side-blue face") == len(finished.record.actions[1].action)
    assert "side-red face" not in before["board"] + end["board"]
    assert end["title"].startswith("You lost")


def test_wrong_answers_are_said_and_cost_nothing(tmp_path):
    problems = []

    def stumble(page):
        codes = page.until("set-up")["draft"]["codes"]
        problems.append(page.answer(codes.replace("F", "S"))["problem"])
        page.answer(codes)
        problems.append(page.answer(codes)["problem"])
        page.until("move")
        problems.append(page.answer("a1a9")["problem"])
        for path in ("", "turn", "replay"):
            with pytest.raises(HTTPError, match="404"):
                urlopen(f"{page.address[:-9]}/{path}")
        page.answer("resign")
        page.until("last")
        page.answer("enough")

    (finished,) = played("skirmish", stumble, games=1, folder=tmp_path)

    assert finished.record.result.fault is None
    assert problems[1:] == ["The game has gone on: look again.", "a1a9 cannot be played now."]
    assert "F" in problems[0]
