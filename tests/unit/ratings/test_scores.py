"""A duel is the simple case of the ratings of sides, to the last bit."""

from hypothesis import given
from hypothesis import strategies as st

from arena.domain.ratings import elo
from arena.domain.ratings.scores import EntrantScore, RatedGame

numbers = st.floats(0, 4000)
points = st.sampled_from([0.0, 0.5, 1.0])


@given(own=numbers, other=numbers, won=st.lists(points, min_size=2, max_size=2))
def test_duel_expected_and_score_follow_plain_formula(own, other, won):
    games = [RatedGame(number, each, own=(1,), others=(2,)) for number, each in enumerate(won, 1)]
    share = EntrantScore(position=0, version_id=7, bot_id=1, points=sum(won), games=games)

    assert share.expected({1: own, 2: other}) == elo.expected(own, other)
    assert share.score == sum(won) / 2


@given(
    beside=st.lists(st.tuples(points, st.integers(1, 4)), min_size=1, max_size=6),
    table=st.lists(numbers, min_size=5, max_size=5),
)
def test_shares_are_between_nothing_and_all(beside, table):
    games = [RatedGame(1, won, own=tuple(range(size)), others=(4,)) for won, size in beside]
    share = EntrantScore(position=0, version_id=7, bot_id=0, points=0.0, games=games)

    assert 0 <= share.score <= 1
    assert 0 <= share.expected(dict(enumerate(table))) <= 1
