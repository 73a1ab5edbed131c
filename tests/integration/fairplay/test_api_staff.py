import pytest

from arena.domain.ratings import annulments, recomputation, refits
from arena.models import Annulment, Match, Season, StaffAction, User
from tests import factories
from tests.integration.api import rows


@pytest.fixture
def operator(signed_in):
    return signed_in(User.objects.create_superuser("operator"))


def post(caller, where, what=None):
    return caller.post(where, what or {}, format="json")


def ratings():
    """Return the rating of each bot in a new fit."""
    ladder = factories.get_ladder()
    refits.refresh(ladder=ladder)
    entrants = ladder.entrants.select_related("bot__owner")
    return {str(row.bot): row.rating for row in entrants}


def won(*versions):
    """Return a match that its first bot won, on another ladder than those of `rows`."""
    match = factories.make_match(*versions)
    factories.play_out(match, [1.0, 1.0])
    return Match.objects.get(pk=match.pk)


def test_annulment_is_tried_then_done_as_shown(operator):
    match = won()
    stood = ratings()

    tried = post(operator, "/staff/annulments?dry_run=1", {"match": match.public_id}).json()

    assert tried["done"] is False
    assert ratings() == stood
    assert tried["shown"]["matches"] == [match.public_id]
    after = {row["bot"]: row["after"] for row in tried["shown"]["changes"]}
    said = {"match": match.public_id, "reason": "farmed", "digest": tried["shown"]["digest"]}
    done = post(operator, "/staff/annulments", said)

    assert (done.status_code, done.json()["done"]) == (200, True)
    assert ratings() == after != stood
    assert StaffAction.objects.get().reason == "farmed"
    assert recomputation.rerate(ladder=factories.get_ladder()) == []


def test_stale_annulment_is_refused_with_new_dry_run(operator):
    one, two = factories.make_ready(), factories.make_ready()
    match = won(one, two)
    shown = post(operator, "/staff/annulments?dry_run=1", {"match": match.public_id}).json()[
        "shown"
    ]
    other = won(one, two)
    annulments.annul(matches=[other], by=factories.make_user(), reason="another")

    said = {"match": match.public_id, "reason": "farmed", "digest": shown["digest"]}
    late = post(operator, "/staff/annulments", said)

    assert (late.status_code, late.json()["code"]) == (409, "not_as_previewed")
    assert Annulment.objects.count() == 1
    said["digest"] = late.json()["preview"]["digest"]
    assert post(operator, "/staff/annulments", said).status_code == 200


def test_reason_and_digest_are_needed_except_dry_run(operator):
    match = rows.finished_match()

    answer = post(operator, "/staff/annulments", {"match": match.public_id})

    assert answer.status_code == 400
    assert {row["field"] for row in answer.json()["errors"]} == {"reason", "digest"}


def test_matches_that_are_not_there_are_refused(operator):
    for what, status in (
        ({}, 400),
        ({"bot": "ada/none", "ladder": "general"}, 400),
        ({"bot": "ada", "ladder": "general"}, 400),
        ({"match": "m_none"}, 404),
    ):
        assert post(operator, "/staff/annulments?dry_run=1", what).status_code == status


def test_a_season_is_ended_as_it_was_shown(operator):
    won()
    where = "/staff/ladders/classic/season-end"
    shown = post(operator, f"{where}?dry_run=1").json()["shown"]
    assert not Season.objects.exists()

    done = post(operator, where, {"reason": "new year", "digest": shown["digest"]})

    assert done.json()["done"] is True
    assert shown["changes"] == []
    assert Season.objects.get().number == 1


def test_match_shows_its_effect_on_each_rating(anyone):
    match = rows.finished_match()
    before = anyone.get(f"/matches/{match.public_id}").json()["entrants"]
    refits.refresh(ladder=match.ladder)

    after = anyone.get(f"/matches/{match.public_id}").json()["entrants"]

    for entrant, rated in zip(before, after, strict=True):
        assert (entrant["rating"]["before"], entrant["rating"]["after"]) == (None, None)
        assert (rated["rating"]["expected"], rated["rating"]["score"]) == (
            0.5, entrant["points"] / 2
        )  # fmt: skip
        assert rated["rating"]["after"] == pytest.approx(1500, abs=1000)


def test_an_annulled_match_says_so(anyone, operator):
    match = rows.finished_match()
    assert anyone.get(f"/matches/{match.public_id}").json()["annulled"] is None
    shown = post(operator, "/staff/annulments?dry_run=1", {"match": match.public_id}).json()[
        "shown"
    ]
    said = {"match": match.public_id, "reason": "farmed", "digest": shown["digest"]}
    post(operator, "/staff/annulments", said)

    found = anyone.get(f"/matches/{match.public_id}").json()

    assert (found["annulled"], found["is_rated"]) == ("farmed", False)
