from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from arena.domain.queue.scheduling import CREDIT_S, Item, ShareUsage, in_order, start_s

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def item(number, *bots, share="a", deferred=False):
    """Return one that came as the `number`-th."""
    return Item(
        key=("match", number),
        share=share,
        since=NOON + timedelta(seconds=number),
        parties=frozenset(("bot", bot) for bot in bots or (100 + number, 200 + number)),
        deferred=deferred,
    )


def order(*items, accounts):
    return [each.key[1] for each in in_order(items, accounts=accounts, busy=[])]


def test_the_lane_that_has_used_least_comes_first():
    accounts = {
        "a": ShareUsage(used_s=20.0, begun_s=10.0),
        "b": ShareUsage(used_s=15.0, begun_s=10.0),
    }

    assert order(item(1), item(2, share="b"), accounts=accounts) == [2, 1]


def test_lanes_take_turns_by_what_their_jobs_take():
    accounts = {"a": ShareUsage(job_s=30.0), "b": ShareUsage(job_s=10.0)}
    items = [*(item(number) for number in (1, 2)), *(item(n, share="b") for n in (3, 4, 5, 6))]

    assert order(*items, accounts=accounts) == [1, 3, 4, 5, 2, 6]


def test_idle_share_saves_up_at_most_credit():
    accounts = {"busy": ShareUsage(used_s=5000.0, begun_s=4990.0), "idle": ShareUsage(used_s=3.0)}

    assert start_s("idle", accounts) == 4990.0 - CREDIT_S
    assert start_s("new", accounts) == 4990.0 - CREDIT_S
    assert start_s("busy", accounts) == 5000.0


def test_deferred_lets_own_share_pass_keeping_nobody():
    accounts = {"b": ShareUsage(used_s=1.0)}
    waiting = [item(1, 7, 8, deferred=True), item(2, 8, 9), item(3, share="b")]

    assert order(*waiting, accounts=accounts) == [2, 3, 1]


def test_share_of_only_deferred_has_its_turn():
    accounts = {"b": ShareUsage(used_s=1.0)}

    assert order(item(1, deferred=True), item(2, share="b"), accounts=accounts) == [1, 2]


ITEMS = st.lists(
    st.builds(
        item,
        st.integers(0, 1000),
        st.integers(0, 6),
        st.integers(0, 6),
        share=st.sampled_from("abc"),
        deferred=st.booleans(),
    ),
    unique_by=lambda each: each.key,
    max_size=15,
)


@given(ITEMS, st.sets(st.integers(0, 6), max_size=3))
def test_all_waiting_placed_once_those_in_work_last(items, busy):
    ordered = list(in_order(items, accounts={}, busy=[("bot", bot) for bot in busy]))
    taken, late = {("bot", bot) for bot in busy}, set()
    for each in sorted(items, key=lambda each: (each.since, each.key)):
        if each.parties & taken:
            late.add(each.key)
            taken |= set() if each.deferred else each.parties

    assert sorted(each.key for each in ordered) == sorted(each.key for each in items)
    assert [each.key in late for each in ordered] == sorted(each.key in late for each in items)
