"""When waiting jobs begin, as arithmetic."""

from hypothesis import given
from hypothesis import strategies as st

from arena.domain.queue.forecasting import Job, most_at_once, starts

TEN = Job(takes_s=10.0)


def test_free_runners_take_the_first_jobs_and_the_rest_follow_in_order():
    assert starts([TEN] * 5, free_s=[0.0, 0.0], turns={}) == [0.0, 0.0, 10.0, 10.0, 20.0]


def test_a_runner_at_work_takes_the_next_job_when_it_is_free():
    assert starts([TEN] * 3, free_s=[7.0, 3.0], turns={}) == [3.0, 7.0, 13.0]


def test_what_is_put_off_lets_others_go_first_and_then_goes_first():
    late = Job(takes_s=1.0, ready_s=15.0)

    assert starts([TEN, late, TEN, TEN], free_s=[0.0], turns={}) == [0.0, 20.0, 10.0, 21.0]


def test_what_is_put_off_keeps_a_free_runner_waiting_for_nobody_else():
    assert starts([Job(takes_s=1.0, ready_s=15.0)], free_s=[0.0, 2.0], turns={}) == [15.0]


def test_jobs_of_one_turn_are_done_one_after_the_other():
    ada, ben = Job(takes_s=10.0, turn=1), Job(takes_s=10.0, turn=2)

    assert starts([ada, ada, ben, ada], free_s=[0.0] * 4, turns={}) == [0.0, 10.0, 0.0, 20.0]


def test_a_turn_that_is_taken_is_waited_for():
    ada = Job(takes_s=10.0, turn=1)

    assert starts([ada, TEN], free_s=[0.0, 4.0], turns={1: 4.0}) == [4.0, 0.0]


jobs = st.builds(
    Job,
    takes_s=st.floats(0.1, 100),
    ready_s=st.sampled_from([0.0, 0.0, 5.0, 50.0]),
    turn=st.sampled_from([None, None, 1, 2]),
)


@given(st.lists(jobs, max_size=12), st.lists(st.floats(0, 60), min_size=1, max_size=4))
def test_no_more_jobs_run_at_once_than_there_are_runners_and_none_too_early(waiting, free_s):
    begins = starts(waiting, free_s=free_s, turns={})

    spans = [(at, at + job.takes_s) for at, job in zip(begins, waiting, strict=True)]
    assert most_at_once(spans) <= len(free_s)
    assert all(at >= job.ready_s for at, job in zip(begins, waiting, strict=True))
    for turn in (1, 2):
        own = [span for span, job in zip(spans, waiting, strict=True) if job.turn == turn]
        assert most_at_once(own) <= 1


@given(st.lists(st.floats(0.1, 100), max_size=12), st.integers(1, 4))
def test_jobs_that_need_no_turn_begin_in_their_order(takes_s, runners):
    begins = starts([Job(takes_s=each) for each in takes_s], free_s=[0.0] * runners, turns={})

    assert begins == sorted(begins)


def test_a_job_with_a_busy_party_lets_others_pass_but_none_with_its_parties():
    one, other = Job(10.0, parties=frozenset("ab")), Job(10.0, parties=frozenset("bc"))
    free = Job(10.0, parties=frozenset("de"))

    begins = starts([one, other, free], free_s=[0.0], turns={}, busy_s={"a": 5.0})

    assert begins == [10.0, 20.0, 0.0]
    assert starts([one], free_s=[0.0], turns={}, busy_s={"a": 5.0}) == [0.0]  # nobody else waits


def test_spans_that_touch_do_not_overlap():
    assert most_at_once([]) == 0
    assert most_at_once([(0.0, 5.0), (5.0, 9.0)]) == 1
    assert most_at_once([(0.0, 5.0), (4.0, 9.0), (4.5, 4.6), (7.0, 8.0)]) == 3
    assert most_at_once([(3.0, 3.0), (5.0, 4.0)]) == 0
