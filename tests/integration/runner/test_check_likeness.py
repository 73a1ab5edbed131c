"""What a bot can see in a check game is what it sees in a game of a match."""

import json
import re
from difflib import unified_diff
from pathlib import Path

import pytest

from arena.models import GameLog
from engine.protocol import INT_CAP
from tests import factories

pytestmark = [pytest.mark.docker, pytest.mark.django_db(transaction=True)]

SPY = Path(__file__).with_name("spying_bot.py").read_text()
PLIES = 24
FIRST = 12  # messages that are compared; a game of random moves may be over before
FEWEST = 4
RANDOM = (  # what differs between any two containers
    (re.compile(r"\b[0-9a-f]{64}\b"), "ID"),
    (re.compile(r"overlay2/l/[A-Z0-9]{26}"), "LAYER"),
)


def test_bot_sees_same_in_check_and_match(settings):
    settings.ISOLATION = "docker"
    factories.shorten_games(PLIES)
    general = factories.get_ladder("general")
    spy = factories.admit(source=SPY, variants=["general"])
    assert spy.reason == "", spy.checks.get(state="failed").log
    match = factories.make_match(
        spy, factories.make_ready_with(variants=["general"]), ladder=general
    )

    assert factories.play_match(match_pk=match.pk) is True

    logs = GameLog.objects.filter(position=0, game__match=match).order_by("game__number")
    in_match = {game["seat"]: game for log in logs for game in games_in(log.stderr)}
    assert sorted(in_match) == ["blue", "red"]
    steps = {step: games_in(spy.checks.get(step=step).log) for step in ("protocol", "smoke")}
    assert [len(games) for games in steps.values()] == [1, 2]
    for game in steps["smoke"]:
        other = in_match[game["seat"]]
        assert list(unified_diff(game["seen"], other["seen"], n=0)) == []
        both = min(len(game["said"]), len(other["said"]))
        assert both >= FEWEST
        assert {**game, "said": game["said"][:both]} == {**other, "said": other["said"][:both]}
    (begun,) = steps["protocol"]
    whole = in_match[begun["seat"]]
    assert begun == {**whole, "said": whole["said"][: len(begun["said"])]}
    assert 1 < len(begun["said"]) < FIRST


@pytest.mark.parametrize("other", ["9f86d081884c7d65", "m_7gXk2RtQbn4P/1", "g_7gXk2RtQbn4"])
def test_an_id_of_another_form_is_seen(other):
    start = json.dumps({"game": "g_7gXk2RtQbn4P", "rng_seed": 5})

    assert told(start) == told(start.replace("2RtQ", "RtQ2"))
    assert told(start) != told(start.replace("g_7gXk2RtQbn4P", other))


def games_in(log):
    """Return what the spy saw and was told in each game of a log."""
    games = []
    for line in log.splitlines():
        words = json.loads(line) if line.startswith('{"') else {}
        if "seen" in words:
            own = str(words["seen"]["ids"][0][0])
            told_then = told(words["start"])
            seat = json.loads(words["start"])["seat"]
            games.append({"seat": seat, "start": told_then, "seen": steady(words["seen"], own)})
            games[-1]["said"] = []
        elif words.get("type") == "act" and len(games[-1]["said"]) < FIRST:
            games[-1]["said"].append(words["shape"])
    return games


def told(start):
    """Return the first line of a game with the form of its id, and without the value of its dice.

    The line stays text, so that the order of its keys and its spaces are compared too.
    """
    words = json.loads(start)
    assert 0 <= words["rng_seed"] <= INT_CAP
    form = words["game"][:2] + re.sub(r"\w", "x", words["game"][2:])
    return start.replace(str(words["rng_seed"]), "DICE").replace(words["game"], form)


def steady(seen, own_id):
    """Return what was seen as lines of text, without ids of containers and the user id."""
    text = json.dumps(seen, indent=1)
    for pattern, word in RANDOM:
        text = pattern.sub(word, text)
    return text.replace(own_id, "UID").splitlines()
