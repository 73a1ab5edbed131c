"""What a runner publishes of a game that is being played, and for whom."""

import json

import pytest

from arena.domain.matches import live, live_log
from arena.domain.matches.live import Broadcast
from arena.domain.matches.live_log import START, STEPS, FileLog, RedisLog
from arena.models import Game, Ladder, Match
from engine.registry import find
from engine.replay import replay
from tests.unit.engine.refereed import record_of

GENERAL = find("general")
NOWHERE = "redis://127.0.0.1:1/0"  # nothing listens there
SEED = 3


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


def test_only_what_is_watched_is_drawn_and_published(log, match, record, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(live, "Unfolding", None)  # whoever makes a picture fails
        broadcast(log, match).publish(record.actions)
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
