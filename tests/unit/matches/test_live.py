"""What a runner publishes of a game that is being played, and for whom."""

import json

import pytest

from arena.domain.matches import live, live_log
from arena.domain.matches.live import Broadcast
from arena.domain.matches.live_log import START, STEPS, FileLog, RedisLog
from arena.models import Game, Ladder, Match
from engine.errors import EngineError
from engine.record import Played
from engine.registry import find, resolve_options
from engine.replay import replay
from engine.rng import Rng
from tests.unit.engine.refereed import record_of

GENERAL = find("general")
NOWHERE = "redis://127.0.0.1:1/0"  # nothing listens there
SEED = 3
TELLING = ("fight", "reveal")


class Unreachable(RedisLog):
    """A log in a Redis that is away. It counts how often it is asked."""

    def __init__(self):
        super().__init__(NOWHERE)
        self.asked = 0

    def watched(self, topics):
        self.asked += 1
        return super().watched(topics)


@pytest.fixture(scope="module")
def record():
    return record_of(GENERAL, SEED)


@pytest.fixture
def match():
    return Match(ladder=Ladder(variant="general", options={}))


@pytest.fixture
def log(tmp_path):
    return FileLog(tmp_path / "live")


def topic(match, perspective):
    return live.topic(match_id=match.public_id, perspective=perspective)


def published(log, match, perspective, reader=None):
    """Return what there is to read of a perspective."""
    name = topic(match, perspective)
    return (reader or log.reader()).read({name}).get(name, [])


def joined(entries):
    """Return the document that the entries make."""
    first, *others = [json.loads(entry.data) for entry in entries]
    for other in others:
        first["steps"] += other["steps"]
    first["plies"] = len(first["steps"])
    return first


def broadcast(log, match, **seats):
    game = Game(match=match, number=1, seats=seats or {"red": 0, "blue": 1})
    return Broadcast(log=log, game=game, rng_seed=SEED)


def watch(log, match, *perspectives):
    log.watch([topic(match, each) for each in perspectives])


def test_published_game_is_replay_without_result(log, match, record):
    watch(log, match, "public", "bot-0", "bot-1")
    tell = broadcast(log, match)

    for known in range(0, len(record.actions) + 5, 5):
        tell.publish(record.actions[:known])

    for perspective, observer in (("public", "public"), ("bot-0", "red"), ("bot-1", "blue")):
        whole = replay(record, observer)
        del whole["result"]
        entries = published(log, match, perspective)
        assert joined(entries) == {"game": 1, **whole}
        assert [entry.kind for entry in entries][:2] == [START, STEPS]
        assert entries[-1].ply == whole["plies"]


def test_unwatched_game_makes_no_picture(log, match, record, monkeypatch):
    tell = broadcast(log, match)
    monkeypatch.setattr(live, "Unfolding", None)  # whoever makes a picture fails

    tell.publish(record.actions)

    assert published(log, match, "public") == []


def test_only_what_is_watched_is_published(log, match, record):
    watch(log, match, "bot-1")

    broadcast(log, match).publish(record.actions)

    assert [len(published(log, match, each)) for each in ("public", "bot-0", "bot-1")] == [0, 0, 1]


def test_nothing_is_told_before_all_have_set_up(log, match, record):
    watch(log, match, "public", "bot-0")
    tell = broadcast(log, match)

    tell.publish(record.actions[:1])
    assert published(log, match, "public") == published(log, match, "bot-0") == []
    tell.publish(record.actions[:2])
    assert [entry.ply for entry in published(log, match, "public")] == [0]


def test_entrant_is_shown_its_seat_in_any_game(log, match, record):
    watch(log, match, "bot-0")

    broadcast(log, match, red=1, blue=0).publish(record.actions)

    assert joined(published(log, match, "bot-0"))["observer"] == "blue"


def test_entrant_with_two_seats_is_shown_first():
    seats = {"garrison": 0, "white": 1, "black": 1}

    shown = live.observers(seats=seats, in_turn=find("siege").seats)

    assert shown == {"public": "public", "bot-0": "garrison", "bot-1": "white"}


def test_viewer_after_pause_finds_game_from_beginning(log, match, record, monkeypatch):
    tell, reader = broadcast(log, match), log.reader()
    for known in (5, 12):
        watch(log, match, "public")
        tell.publish(record.actions[:known])
        monkeypatch.setattr(live_log, "WATCHED_S", -1)
        tell.publish(record.actions[:known])  # nobody watches
        monkeypatch.undo()

    (start,) = published(log, match, "public", reader)
    assert (start.kind, start.ply) == (START, 10)


def test_unreachable_log_costs_no_match_and_rests(match, record):
    log = Unreachable()
    tell = broadcast(log, match)

    for known in range(10):
        tell(record.actions[:known])

    assert log.asked == 1


def test_game_is_told_from_beginning_after_outage(log, match, record, monkeypatch):
    watch(log, match, "public")
    tell = broadcast(log, match)
    tell.publish(record.actions[:10])
    with monkeypatch.context() as broken:
        broken.setattr(tell, "_log", Unreachable())
        tell.publish(record.actions[:12])

    tell.publish(record.actions[:14])

    assert [(entry.kind, entry.ply) for entry in published(log, match, "public")] == [(START, 12)]


def test_hidden_ranks_make_no_difference_for_other_viewers(tmp_path, match):
    """A twin has two of blue's ranks exchanged, and the same actions until one tells more."""
    told_apart = 0
    for rng_seed in range(8):
        for twin in twins(record_of(GENERAL, rng_seed)):
            here, there = (
                told(FileLog(tmp_path / f"{rng_seed}-{name}"), match, actions)
                for name, actions in twin.items()
            )
            assert here["public"] == there["public"]
            assert here["bot-0"] == there["bot-0"]
            told_apart += here["bot-1"] != there["bot-1"]
    assert told_apart >= 8


def told(log, match, actions):
    """Return what the whole stream of each perspective is, byte by byte."""
    perspectives = ("public", "bot-0", "bot-1")
    watch(log, match, *perspectives)
    tell = broadcast(log, match)
    for known in range(len(actions) + 1):
        tell.publish(actions[:known])
    return {each: [entry.data for entry in published(log, match, each)] for each in perspectives}


def twins(record):
    """Yield pairs of games that look the same to red until the first action that tells more."""
    quiet = next(
        number
        for number, step in enumerate(replay(record, "full")["steps"])
        if step["event"] in TELLING
    )
    actions = record.actions[: 2 + quiet]
    army = next(played.action for played in actions[:2] if played.seat == "blue")
    rng = Rng(record.rng_seed, "twins")
    for _ in range(40):
        one, other = rng.below(len(army)), rng.below(len(army))
        letters = list(army)
        letters[one], letters[other] = letters[other], letters[one]
        changed = tuple(
            Played("blue", "".join(letters), played.charged_ms)
            if number < 2 and played.seat == "blue"
            else played
            for number, played in enumerate(actions)
        )
        if "".join(letters) != army and all_are_legal(changed):
            yield {"here": actions, "there": changed}
            return


def all_are_legal(actions):
    state = GENERAL.begin(resolve_options(GENERAL, {}), SEED)
    try:
        for played in actions:
            GENERAL.apply(state, played.seat, played.action)
    except EngineError:
        return False
    return True
