"""The counters that arena_init brings, on hosts whose control groups look different."""

import pytest

pytestmark = pytest.mark.services

V1 = {
    "cpuacct/cpuacct.usage": "cpu",
    "memory/memory.oom_control": "events",
    "memory/memory.max_usage_in_bytes": "peak",
}
V2 = {"cpu.stat": "cpu", "memory.events": "events", "memory.peak": "peak"}


@pytest.mark.parametrize(
    "files",
    [
        V1,
        {"cpu,cpuacct/cpuacct.usage": "cpu", **{k: v for k, v in V1.items() if v != "cpu"}},
        V2,
        {"cpu.stat": "cpu", "memory.events": "events", "memory.current": "peak"},
        {**V2, "memory.current": "not this"},
    ],
    ids=["v1", "v1 joined", "v2", "v2 before 5.19", "v2 with both"],
)
def test_counters_come_with_the_call(start, place, files):
    fake_counters(place, files)
    init = start()
    assert (init.hello, [each.read() for each in init.counters]) == (
        b"counters",
        ["cpu", "events", "peak"],
    )


@pytest.mark.parametrize("missing", ["cpu.stat", "memory.events", "memory.peak"])
def test_counters_come_together_or_not_at_all(start, place, missing):
    fake_counters(place, {name: text for name, text in V2.items() if name != missing})
    init = start()
    assert (init.hello, init.counters) == (b"counters", [])


def fake_counters(place, files):
    for name, text in files.items():
        path = place.root / "cgroup" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
