import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from arena.domain.errors import Refused
from arena.domain.matches import lifecycle
from arena.domain.matches.purposes import Purpose
from arena.domain.ratings import annulments, recomputation
from arena.models import Annulment, Entrant, Match, MatchKind, RatingAdjustment, RatingEvent
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff():
    return factories.make_user("referee")


@pytest.fixture
def trio():
    return [factories.make_ready() for _ in range(3)]


def play(one, other, *points):
    match = factories.make_match(one, other)
    factories.play_out(match, points)
    return Match.objects.get(pk=match.pk)


def entrant(version):
    return Entrant.objects.get(version=version, ladder__slug="classic")


def lines(versions):
    return [(row.elo, row.wins, row.draws, row.losses) for row in map(entrant, versions)]


def test_a_ladder_stands_afterwards_as_if_the_matches_had_not_been_played(staff):
    cheated, clean = ([factories.make_ready() for _ in range(3)] for _ in range(2))
    for first, second, third in (cheated,):
        bad = [play(first, second, 1.0, 1.0)]
        play(second, third, 1.0, 0.5)
        bad.append(play(first, third, 1.0, 1.0))
        play(third, second, 0.5, 0.5)
    play(clean[1], clean[2], 1.0, 0.5)
    play(clean[2], clean[1], 0.5, 0.5)

    annulment = annulments.annul(matches=bad, by=staff, reason=" a seed was known ")

    assert lines(cheated) == lines(clean)
    assert lines(cheated)[0] == (1500, 0, 0, 0)
    assert annulment.reason == "a seed was known"
    assert set(annulment.matches.all()) == set(bad)
    assert RatingEvent.objects.count() == 12  # none was touched
    assert recomputation.rerate(ladder=annulment.ladder) == []


def test_adjustments_say_what_became_of_whom_and_have_a_place(trio, staff):
    bad = play(trio[0], trio[1], 1.0, 1.0)

    annulment = annulments.annul(matches=[bad], by=staff, reason="a test")
    later = play(trio[0], trio[1], 0.5, 0.5)

    assert (bad.finish_number, annulment.finish_number, later.finish_number) == (1, 2, 3)
    rows = RatingAdjustment.objects.order_by("version")
    assert [(row.version, row.before, row.after, row.wins, row.losses) for row in rows] == [
        (trio[0], 1520, 1500, 0, 0),
        (trio[1], 1480, 1500, 0, 0),
    ]
    assert {row.annulment for row in rows} == {annulment}
    assert later.rating_events.first().games_before == 0


def test_who_only_met_those_concerned_is_adjusted_too(trio, staff):
    bad = play(trio[0], trio[1], 1.0, 1.0)
    play(trio[2], trio[1], 1.0, 1.0)

    annulments.annul(matches=[bad], by=staff, reason="a test")

    adjusted = RatingAdjustment.objects.get(version=trio[2])
    assert adjusted.after == 1520 == entrant(trio[2]).elo
    assert adjusted.before > adjusted.after - 20
    assert (adjusted.wins, entrant(trio[2]).wins) == (2, 2)


def test_a_preview_shows_the_leaderboard_before_and_after_and_changes_nothing(trio, staff):
    bad = play(trio[0], trio[1], 1.0, 1.0)
    play(trio[1], trio[2], 1.0, 1.0)
    before = lines(trio)

    changes = annulments.preview(matches=[bad])

    assert lines(trio) == before
    assert Annulment.objects.count() == 0
    annulments.annul(matches=[bad], by=staff, reason="a test")
    after = [row[0] for row in lines(trio)]
    found = {change.entrant.version: change for change in changes}
    assert [found[each].before for each in trio] == [row[0] for row in before]
    assert [found[each].after for each in trio] == after
    assert [found[each].rank_before for each in trio] == [1, 2, 3]
    assert [change.rank_after for change in changes] == [1, 2, 3]
    assert changes[0].entrant.version == trio[1]


def unrated(trio):
    match = lifecycle.create_match(
        ladder=factories.get_ladder(), versions=trio[:2], purpose=Purpose(MatchKind.CHALLENGE)
    )
    factories.play_out(match, [1.0, 1.0])
    return [match]


def annulled(trio):
    match = play(*trio[:2], 1.0, 1.0)
    annulments.annul(matches=[match], by=factories.make_user(), reason="a test")
    return [match]


def of_two_ladders(trio):
    other = factories.make_match(*trio[:2], ladder=factories.get_ladder("general"))
    factories.play_out(other, [1.0, 1.0])
    return [play(*trio[:2], 1.0, 1.0), other]


@pytest.mark.parametrize(
    ("chosen", "code"),
    [
        (lambda trio: [], "one_ladder"),
        (of_two_ladders, "one_ladder"),
        (lambda trio: [factories.make_match(*trio[:2])], "not_annullable"),
        (unrated, "not_annullable"),
        (annulled, "not_annullable"),
    ],
    ids=["none", "two ladders", "not finished", "unrated", "annulled before"],
)
def test_what_cannot_be_annulled_is_refused_by_code(trio, staff, chosen, code):
    chosen = chosen(trio)
    before = Annulment.objects.count()

    with pytest.raises(Refused) as by_annul:
        annulments.annul(matches=chosen, by=staff, reason="a test")
    with pytest.raises(Refused) as by_preview:
        annulments.preview(matches=chosen)

    assert (by_annul.value.code, by_preview.value.code) == (code, code)
    assert Annulment.objects.count() == before


def test_a_reason_is_needed_because_it_is_public(trio, staff):
    with pytest.raises(Refused) as refused:
        annulments.annul(matches=[play(*trio[:2], 1.0, 1.0)], by=staff, reason=" ")

    assert (refused.value.code, refused.value.field) == ("no_reason", "reason")


def test_a_correction_at_the_same_moment_is_refused(trio, staff, monkeypatch):
    first, second = (play(*trio[:2], 1.0, 1.0) for _ in range(2))
    play_on = annulments._play_on
    others = [second]

    def play_on_and_let_somebody_annul(*args):
        play_on(*args)
        if others:
            annulments.annul(matches=[others.pop()], by=staff, reason="at the same moment")

    monkeypatch.setattr(annulments, "_play_on", play_on_and_let_somebody_annul)

    with pytest.raises(Refused) as refused:
        annulments.annul(matches=[first], by=staff, reason="a test")

    assert refused.value.code == "ladder_moved_on"
    assert Annulment.objects.count() == 1


def test_a_match_that_finishes_meanwhile_counts(trio, staff, monkeypatch):
    bad = play(*trio[:2], 1.0, 1.0)
    play_on = annulments._play_on
    late = [(trio[1], trio[2])]

    def play_on_and_let_one_finish(*args):
        play_on(*args)
        if late:
            play(*late.pop(), 1.0, 1.0)

    monkeypatch.setattr(annulments, "_play_on", play_on_and_let_one_finish)

    annulment = annulments.annul(matches=[bad], by=staff, reason="a test")

    assert [row[0] for row in lines(trio)] == [1500, 1520, 1480]
    assert recomputation.rerate(ladder=annulment.ladder) == []


def test_matches_of_a_bot_are_those_that_can_be_annulled_in_order(trio, staff):
    ladder = factories.get_ladder()
    kept, bad = play(*trio[:2], 1.0, 1.0), play(*trio[:2], 1.0, 1.0)
    play(trio[1], trio[2], 1.0, 1.0)
    last = play(trio[2], trio[0], 1.0, 1.0)
    annulments.annul(matches=[bad], by=staff, reason="a test")

    assert annulments.matches_of(ladder=ladder, bot=trio[0].bot) == [kept, last]


def test_a_longer_season_takes_no_more_queries(trio, django_assert_num_queries):
    first = play(trio[0], trio[1], 1.0, 1.0)
    with CaptureQueriesContext(connection) as few:
        annulments.preview(matches=[first])
    for _ in range(3):
        play(trio[1], trio[2], 1.0, 0.0)

    with django_assert_num_queries(len(few)):
        annulments.preview(matches=[first])
