"""The log of running games, in Redis and in files: both do the same."""

import os
from concurrent.futures import ThreadPoolExecutor

import pytest
import redis

from arena.domain.matches import live_log
from arena.domain.matches.live_log import START, STEPS, FileLog, LiveEntry, LiveLogAway, RedisLog


@pytest.fixture(params=["redis", "files"])
def log(request, tmp_path, settings):
    if request.param == "files":
        yield FileLog(tmp_path / "live")
        return
    url = settings.CELERY_BROKER_URL
    yield RedisLog(url)
    server = redis.Redis.from_url(url)
    server.delete(*server.keys("live:*"), "live:none")
    server.close()


def start(ply=0, run="a"):
    return LiveEntry(START, run, 1, ply, f'{{"from":{ply}}}')


def steps(ply, run="a"):
    return LiveEntry(STEPS, run, 1, ply, f'{{"to":{ply}}}')


def plies(reader, *topics):
    """Return the kinds and plies of what is new."""
    found = reader.read(set(topics))
    return {topic: [(each.kind, each.ply) for each in entries] for topic, entries in found.items()}


def test_each_entry_read_once_keeping_its_fields(log):
    log.watch(["m:public"])
    reader = log.reader()
    assert plies(reader, "m:public") == {}

    log.put("m:public", start())
    log.put("m:public", steps(1))

    (first, second) = reader.read({"m:public"})["m:public"]
    assert (first.run, first.game, first.data) == ("a", 1, '{"from":0}')
    assert (second.kind, second.ply, second.data) == (STEPS, 1, '{"to":1}')
    assert first.id
    assert first.id != second.id
    assert plies(reader, "m:public") == {}
    log.put("m:public", steps(2))
    assert plies(reader, "m:public", "m:bot-0") == {"m:public": [(STEPS, 2)]}


def test_a_start_replaces_what_was_there(log):
    log.watch(["m:public"])
    early, late = log.reader(), log.reader()
    for entry in (start(), steps(1), steps(2)):
        log.put("m:public", entry)
    assert len(plies(early, "m:public")["m:public"]) == 3

    log.put("m:public", start(7, run="b"))
    log.put("m:public", steps(8, run="b"))

    assert plies(early, "m:public") == {"m:public": [(START, 7), (STEPS, 8)]}
    assert plies(late, "m:public") == {"m:public": [(START, 7), (STEPS, 8)]}


def test_who_leaves_a_topic_out_reads_it_anew(log):
    log.watch(["m:public"])
    log.put("m:public", start())
    reader = log.reader()
    assert plies(reader, "m:public") == {"m:public": [(START, 0)]}

    assert plies(reader) == {}

    assert plies(reader, "m:public") == {"m:public": [(START, 0)]}


def test_in_redis_nothing_stays_for_ever(settings):
    url = settings.CELERY_BROKER_URL
    log, server = RedisLog(url), redis.Redis.from_url(url)

    log.watch(["m:public"])
    log.put("m:public", start())

    left_s = [server.ttl(key) for key in ("live:watch:m:public", "live:log:m:public")]
    server.delete("live:watch:m:public", "live:log:m:public")
    server.close()
    assert 0 < left_s[0] <= live_log.WATCHED_S
    assert 0 < left_s[1] <= live_log.KEPT_S


def test_old_files_go_with_the_next_game(tmp_path):
    log = FileLog(tmp_path / "live")
    log.watch(["old:public", "new:public"])
    log.put("old:public", start())
    for path in (tmp_path / "live").glob("old:*"):
        os.utime(path, (0, 0))

    log.put("new:public", start())

    assert {path.name for path in (tmp_path / "live").iterdir()} == {
        "new:public.log",
        "new:public.watch",
    }


def test_half_written_line_is_read_once_whole(tmp_path):
    log = FileLog(tmp_path / "live")
    log.watch(["m:public"])
    log.put("m:public", start())
    reader, path = log.reader(), tmp_path / "live" / "m:public.log"
    log.put("m:public", steps(1))
    whole = path.read_bytes()
    path.write_bytes(whole[:-5])
    assert plies(reader, "m:public") == {"m:public": [(START, 0)]}

    path.write_bytes(whole)

    assert plies(reader, "m:public") == {"m:public": [(STEPS, 1)]}


def test_many_readers_and_writer_work_together(log):
    log.watch(["m:public"])
    log.put("m:public", start())

    def read_all():
        reader, seen = log.reader(), list[LiveEntry]()
        while len(seen) < 101:
            seen += reader.read({"m:public"}).get("m:public", [])
        return [each.ply for each in seen]

    with ThreadPoolExecutor(4) as readers:
        asked = [readers.submit(read_all) for _ in range(4)]
        for ply in range(1, 101):
            log.put("m:public", steps(ply))
        assert [one.result() for one in asked] == [list(range(101))] * 4


def test_server_away_is_reported_as_away():
    log = RedisLog("redis://127.0.0.1:1/0")

    for act in (
        lambda: log.watch(["m:public"]),
        lambda: log.watched(["m:public"]),
        lambda: log.put("m:public", start()),
        lambda: log.reader().read({"m:public"}),
    ):
        with pytest.raises(LiveLogAway):
            act()
