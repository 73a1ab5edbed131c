import pytest

from arena.domain.ratings import elo


@pytest.mark.parametrize(
    ("own", "opponent", "share"),
    [
        (1500, 1500, 0.5),
        (1900, 1500, 10 / 11),
        (1500, 1900, 1 / 11),
        # Wikipedia's example of a player of 1613 against five opponents.
        (1613, 1609, 0.5057),
        (1613, 1477, 0.6864),
        (1613, 1388, 0.7850),
        (1613, 1586, 0.5388),
        (1613, 1720, 0.3507),
    ],
)
def test_expected_share_is_that_of_the_published_examples(own, opponent, share):
    assert elo.expected(own, opponent) == pytest.approx(share, abs=0.0005)


@pytest.mark.parametrize(
    ("games", "k"), [(0, 40), (19, 40), (20, 20), (99, 20), (100, 10), (5000, 10)]
)
def test_k_falls_at_20_and_100_games(games, k):
    assert elo.k_factor(games) == k
