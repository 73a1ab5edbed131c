import pytest

from arena.domain.errors import Refused
from arena.domain.matches import lifecycle
from arena.domain.matches.purposes import Purpose
from arena.domain.ratings import annulments, recomputation, refits
from arena.models import Annulment, Entrant, Ladder, MatchKind, RatingEvent
from tests import factories
from tests.factories import play_duel as play

pytestmark = pytest.mark.django_db


def entrant(version):
    return Entrant.objects.get(version=version, ladder__slug="classic")


def lines(versions):
    refits.refresh(ladder=factories.get_ladder())
    return [
        (row.rating, row.rating_low, row.worst_rank, row.wins, row.draws, row.losses)
        for row in map(entrant, versions)
    ]


def test_annulled_ladder_is_as_if_matches_never_played(trio, staff):
    play(trio[1], trio[2], 1.0, 0.5)
    play(trio[2], trio[1], 0.5, 0.5)
    clean = lines(trio)
    bad = [play(trio[0], trio[1], 1.0, 1.0), play(trio[0], trio[2], 1.0, 1.0)]
    assert lines(trio) != clean

    annulment = annulments.annul(matches=bad, by=staff, reason=" a seed was known ")

    Ladder.objects.update(fitted_in_s=0.0)
    assert refits.is_due(ladder=Ladder.objects.get(slug="classic"))
    assert lines(trio) == clean
    assert lines(trio)[0] == (None, None, None, 0, 0, 0)
    assert annulment.reason == "a seed was known"
    assert set(annulment.matches.all()) == set(bad)
    assert RatingEvent.objects.count() == 8  # none was touched
    assert recomputation.rerate(ladder=annulment.ladder) == []


def test_preview_shows_leaderboard_before_and_after_changing_nothing(trio, staff):
    bad = play(trio[0], trio[1], 1.0, 1.0)
    play(trio[1], trio[2], 1.0, 1.0)
    before = lines(trio)

    changes = annulments.preview(matches=[bad])

    assert lines(trio) == before
    assert Annulment.objects.count() == 0
    annulments.annul(matches=[bad], by=staff, reason="a test")
    after = [row[0] for row in lines(trio)]
    assert [row[0] for row in before] != after
    found = {change.entrant.version: change for change in changes}
    assert [found[each].before for each in trio] == [row[0] for row in before]
    assert [found[each].after for each in trio] == after
    assert [found[each].rank_before for each in trio] == [1, 2, 3]
    assert [change.rank_after for change in changes] == [1, 2, 3]
    assert [change.entrant.version for change in changes] == [trio[1], trio[2], trio[0]]


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


@pytest.mark.parametrize(
    ("chosen", "code"),
    [
        (lambda trio: [], "one_ladder"),
        (
            lambda trio: [play(*trio[:2], 1.0, 1.0, ladder=slug) for slug in factories.DUELS],
            "one_ladder",
        ),
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


def test_bot_matches_lists_annullable_ones_in_order(trio, staff):
    ladder = factories.get_ladder()
    kept, bad = play(*trio[:2], 1.0, 1.0), play(*trio[:2], 1.0, 1.0)
    play(trio[1], trio[2], 1.0, 1.0)
    last = play(trio[2], trio[0], 1.0, 1.0)
    annulments.annul(matches=[bad], by=staff, reason="a test")

    assert annulments.matches_of(ladder=ladder, bot=trio[0].bot) == [kept, last]
