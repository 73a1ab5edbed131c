"""Two bots head to head: what is counted, and what it foretells."""

import pytest
from statsmodels.stats.proportion import proportion_confint

from arena.domain.bots import head_to_head
from arena.domain.bots.head_to_head import Tally
from arena.domain.errors import Refused
from arena.domain.matches import lifecycle
from arena.domain.matches.lifecycle import create_match
from arena.domain.matches.purposes import Purpose
from arena.domain.ratings import annulments, elo
from arena.models import Entrant, MatchKind
from tests import factories
from tests.integration.api import rows

pytestmark = pytest.mark.django_db


def play(first, second, *points, kind=MatchKind.LADDER, ladder="classic"):
    """Finish a match of two versions with these points of the first one in each game."""
    match = create_match(
        ladder=factories.get_ladder(ladder), versions=[first, second], purpose=Purpose(kind)
    )
    assert factories.play_out(match, points)
    match.refresh_from_db()
    return match


def counts(tally):
    return tally.wins, tally.draws, tally.losses


@pytest.fixture
def pair(db):
    return factories.make_ready(), factories.make_ready()


def test_games_are_counted_by_ladder_side_and_versions(pair):
    first, second = pair
    play(first, second, 1.0, 0.5)
    play(second, first, 1.0, 0.0)
    newer = factories.make_ready(first.bot)
    play(newer, second, 1.0, 1.0)
    play(first, second, 0.0, 0.0, ladder="general")
    play(first, factories.make_ready(), 1.0, 1.0)

    found = head_to_head.between(bot=first.bot, opponent=second.bot, viewer=None)

    classic, general = found.rated
    assert (classic.ladder.slug, counts(classic.tally)) == ("classic", (4, 1, 1))
    assert (general.ladder.slug, counts(general.tally)) == ("general", (0, 0, 2))
    assert {pair: counts(tally) for pair, tally in classic.versions.items()} == {
        (1, 1): (2, 1, 1),
        (2, 1): (2, 0, 0),
    }
    assert sum(tally.games for tally in classic.sides.values()) == 6
    assert {tally.games for tally in classic.sides.values()} == {3}
    assert (classic.tally.points, classic.tally.score) == (4.5, 0.75)
    assert classic.form == ["W", "D", "W"]
    assert (found.challenges, found.is_cut) == ([], False)


def test_the_other_side_sees_the_mirror_image(pair):
    first, second = pair
    play(first, second, 1.0, 0.5)

    def both():
        return [
            head_to_head.between(bot=one.bot, opponent=other.bot, viewer=None).rated[0]
            for one, other in (pair, pair[::-1])
        ]

    own, other = both()
    assert (counts(own.tally), counts(other.tally)) == ((1, 1, 0), (0, 1, 1))
    assert (own.form, other.form) == (["W"], ["L"])
    assert (own.expected, other.expected) == (None, None)  # there is no fit yet
    low, high = own.tally.interval
    assert other.tally.interval == pytest.approx((1 - high, 1 - low))

    Entrant.objects.filter(bot=first.bot).update(rating=1700, best_rank=1)
    Entrant.objects.filter(bot=second.bot).update(rating=1500, best_rank=1)
    own, other = both()
    assert own.expected == elo.expected(1700, 1500)
    assert other.expected == pytest.approx(1 - own.expected)


def test_challenges_stand_apart_annulled_and_unfinished_count_nowhere(pair):
    first, second = pair
    play(first, second, 1.0, 1.0)
    play(first, second, 0.0, 0.0, kind=MatchKind.CHALLENGE)
    farmed = play(first, second, 1.0, 1.0)
    annulments.annul(matches=[farmed], by=factories.make_user(), reason="a farm")
    waiting, gone = (factories.make_begun_match(first, second) for _ in range(2))
    assert lifecycle.cancel(match=gone, reason="by hand")

    found = head_to_head.between(bot=first.bot, opponent=second.bot, viewer=None)

    assert [counts(on.tally) for on in found.rated] == [(2, 0, 0)]
    assert [counts(on.tally) for on in found.challenges] == [(0, 0, 2)]
    listed = head_to_head.matches_between(bot=first.bot, opponent=second.bot, viewer=None)
    assert {waiting, gone} & set(listed) == {waiting}


def test_besiegers_of_one_side_have_not_met(db):
    """Three meet in a siege; each pair is on two sides in some games and on one in others."""
    ladder = factories.get_ladder("siege")
    ladder.entrants_per_match = 3
    ladder.save()
    versions = [factories.make_ready(variants=["siege"]) for _ in range(3)]
    match = create_match(ladder=ladder, versions=versions)
    games = list(match.games.order_by("number"))
    factories.finish_with(match, *(({"garrison": 1.0, "besiegers": 0.0}, "") for _ in games))
    apart = [game for game in games if game.seats["garrison"] in (0, 1)]

    found = head_to_head.between(bot=versions[0].bot, opponent=versions[1].bot, viewer=None).rated[
        0
    ]

    assert 0 < len(apart) < len(games)
    assert found.tally.games == len(apart)
    assert found.sides.keys() == {"garrison", "besiegers"}
    assert counts(found.sides["garrison"])[1:] == counts(found.sides["besiegers"])[:2] == (0, 0)


def test_only_the_latest_matches_are_counted(pair, monkeypatch):
    monkeypatch.setattr(head_to_head, "LATEST_MATCHES", 2)
    first, second = pair
    play(first, second, 0.0, 0.0)
    play(first, second, 1.0, 1.0)
    assert not head_to_head.between(bot=first.bot, opponent=second.bot, viewer=None).is_cut
    play(first, second, 1.0, 0.5)

    found = head_to_head.between(bot=first.bot, opponent=second.bot, viewer=None)

    assert found.is_cut
    assert counts(found.rated[0].tally) == (3, 1, 0)


def test_a_bot_does_not_play_against_itself(pair):
    with pytest.raises(Refused) as refused:
        head_to_head.between(bot=pair[0].bot, opponent=pair[0].bot, viewer=None)

    assert (refused.value.code, refused.value.field) == ("same_bot", "opponent")


@pytest.mark.parametrize(
    ("wins", "games"), [(0, 1), (1, 1), (0, 2), (3, 7), (50, 100), (199, 200), (700, 2000)]
)
def test_the_interval_is_that_of_an_independent_library(wins, games):
    expected = proportion_confint(wins, games, alpha=0.05, method="wilson")

    assert Tally(wins=wins, losses=games - wins).interval == pytest.approx(expected, abs=1e-9)


def test_api_has_two_bots_head_to_head(anyone):
    red, blue = factories.make_ready(), factories.make_ready()
    match = rows.finished_match(red, blue)
    points = match.entrants.get(position=0).points

    told = anyone.get(f"/bots/{red.bot}/vs/{blue.bot}").json()

    assert (told["bot"], told["opponent"]) == (str(red.bot), str(blue.bot))
    assert (told["challenges"], told["is_cut"]) == ([], False)
    (on,) = told["rated"]
    assert on["ladder"] == "general"
    assert (on["record"]["games"], on["record"]["points"]) == (2, points)
    assert on["score"] == points / 2
    low, high = on["interval"]
    assert 0 <= low <= on["score"] <= high <= 1
    assert sorted(row["side"] for row in on["sides"]) == ["blue", "red"]
    (versions,) = on["versions"]
    assert (versions["version"], versions["opponent_version"]) == (1, 1)
    assert {key: versions[key] for key in on["record"]} == on["record"]
    assert len(on["form"]) == 1
