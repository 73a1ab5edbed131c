import pytest

from arena.domain.ratings import annulments, elo, explanations
from arena.models import Entrant, RatingEvent
from tests import factories

pytestmark = pytest.mark.django_db

LIFTED = {"garrison": 1.0, "besiegers": 0.0}
DRAWN = {"garrison": 0.5, "besiegers": 0.5}


def give(version, rating):
    Entrant.objects.filter(version=version).update(elo=rating)


def test_of_a_duel_it_has_every_number_that_went_in():
    one, other = factories.make_ready(), factories.make_ready()
    give(one, 1600.0)
    match = factories.make_match(one, other)
    factories.play_out(match, [1.0, 0.5])
    event = RatingEvent.objects.get(version=other)

    why = explanations.explain(event=event)

    expected = elo.expected(1500, 1600)
    assert (why.before, why.after, why.change) == (1500, event.after, event.change)
    assert (why.k, why.score) == (40, 0.25)
    assert why.expected == pytest.approx(expected)
    assert why.k_reason == (
        "K is 40 until a version has 20 rated games in a season; this one had 0."
    )
    assert [(game.number, game.points, game.weight) for game in why.games] == [
        (1, 0, 1),
        (2, 0.5, 1),
    ]
    assert why.games[0].own == [(other.bot, 1500)]
    assert why.games[0].others == [(one.bot, 1600)]
    assert [game.expected for game in why.games] == [expected, expected]
    assert why.change == pytest.approx(why.k * (why.score - why.expected))


@pytest.mark.parametrize(
    ("games", "words"),
    [
        (
            19,
            "K is 40 until a version has 20 rated games in a season; this one had 19.",
        ),
        (
            20,
            ("K is 20 until a version has 100 rated games in a season; this one had 20."),
        ),
        (
            100,
            "K is 10: the version had 100 rated games in this season, and its rating has settled.",
        ),
    ],
)
def test_k_is_explained_in_words(games, words):
    assert explanations.k_reason(games_before=games) == words


def test_of_sides_it_shows_who_was_where_and_the_weights_add_up():
    versions = [factories.make_ready(variants=["siege"]) for _ in range(3)]
    for version, rating in zip(versions, (1600.0, 1500.0, 1300.0), strict=True):
        give(version, rating)
    match = factories.make_match(*versions, ladder=factories.get_ladder("siege-3"))
    factories.finish_with(match, (LIFTED, ""), (DRAWN, ""), (LIFTED, ""))

    why = explanations.explain(event=RatingEvent.objects.get(version=versions[0]))

    garrison, *besieger = why.games
    assert (garrison.own_rating, garrison.others_rating, garrison.weight) == (1600, 1400, 1)
    assert [bot for bot, _number in garrison.others] == [versions[1].bot, versions[2].bot]
    assert [(game.own_rating, game.weight) for game in besieger] == [(1450, 0.5), (1550, 0.5)]
    weights = sum(game.weight for game in why.games)
    assert why.score == sum(game.weight * game.points for game in why.games) / weights
    assert why.expected == pytest.approx(
        sum(game.weight * game.expected for game in why.games) / weights
    )


def test_a_bot_without_an_event_of_the_match_has_the_number_it_had_then():
    versions = [factories.make_ready(variants=["siege"]) for _ in range(3)]
    ladder = factories.get_ladder("siege-3")
    factories.finish_with(
        factories.make_match(*versions, ladder=ladder), (LIFTED, ""), (LIFTED, ""), (DRAWN, "")
    )
    then = Entrant.objects.get(version=versions[2], ladder=ladder).elo
    assert then != 1500
    # Entrant 0 fails whenever it besieges, and entrant 1 beside entrant 2, who is rated for none.
    match = factories.make_match(*versions, ladder=ladder)
    factories.finish_with(match, (LIFTED, "white"), (LIFTED, "black"), (LIFTED, "white"))
    factories.finish_with(
        factories.make_match(*versions, ladder=ladder), (DRAWN, ""), (LIFTED, ""), (LIFTED, "")
    )

    why = explanations.explain(event=match.rating_events.get(version=versions[1]))

    assert dict(number for game in why.games for number in game.own)[versions[2].bot] == then


def test_an_event_of_an_annulled_match_says_so():
    match = factories.make_match()
    factories.play_out(match, [1.0, 1.0])
    event = match.rating_events.first()
    assert explanations.explain(event=event).annulled is False

    annulments.annul(matches=[match], by=factories.make_user(), reason="a test")

    assert explanations.explain(event=event).annulled is True
