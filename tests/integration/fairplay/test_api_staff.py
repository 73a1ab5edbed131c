import pytest

from arena.domain.ratings import recomputation
from arena.models import Annulment, Match, Season, StaffAction, User
from tests import factories
from tests.integration.api import rows


@pytest.fixture
def operator(signed_in):
    return signed_in(User.objects.create_superuser("operator"))


def post(caller, where, what=None):
    return caller.post(where, what or {}, format="json")


def numbers():
    entrants = factories.get_ladder().entrants.select_related("bot__owner")
    return {str(row.bot): row.elo for row in entrants}


def won(*versions):
    """Return a match that its first bot won, on another ladder than those of `rows`."""
    match = factories.make_match(*versions)
    factories.play_out(match, [1.0, 1.0])
    return Match.objects.get(pk=match.pk)


def test_an_annulment_is_tried_and_then_done_as_it_was_shown(operator):
    match = won()
    stood = numbers()

    tried = post(operator, "/staff/annulments?dry_run=1", {"match": match.public_id}).json()

    assert tried["done"] is False
    assert numbers() == stood
    assert tried["shown"]["matches"] == [match.public_id]
    after = {row["bot"]: row["after"] for row in tried["shown"]["changes"]}
    said = {"match": match.public_id, "reason": "farmed", "digest": tried["shown"]["digest"]}
    done = post(operator, "/staff/annulments", said)

    assert (done.status_code, done.json()["done"]) == (200, True)
    assert numbers() == after != stood
    assert StaffAction.objects.get().reason == "farmed"
    assert recomputation.rerate(ladder=factories.get_ladder()) == []


def test_a_bots_matches_are_annulled_up_to_where_the_dry_run_went(operator):
    first = won(one := factories.make_ready(), factories.make_ready())
    what = {"bot": str(one.bot), "ladder": "classic"}
    shown = post(operator, "/staff/annulments?dry_run=1", what).json()["shown"]

    said = {**what, "until": shown["until"], "digest": shown["digest"], "reason": "farmed"}
    done = post(operator, "/staff/annulments", said)

    assert done.status_code == 200
    assert list(Match.objects.filter(annulment__isnull=False)) == [first]


def test_what_is_not_as_shown_is_refused_with_a_new_dry_run(operator):
    one, two = factories.make_ready(), factories.make_ready()
    match = won(one, two)
    shown = post(operator, "/staff/annulments?dry_run=1", {"match": match.public_id}).json()[
        "shown"
    ]
    won(one, two)

    said = {"match": match.public_id, "reason": "farmed", "digest": shown["digest"]}
    late = post(operator, "/staff/annulments", said)

    assert (late.status_code, late.json()["code"]) == (409, "not_as_previewed")
    assert not Annulment.objects.exists()
    said["digest"] = late.json()["preview"]["digest"]
    assert post(operator, "/staff/annulments", said).status_code == 200


def test_reason_and_digest_are_needed_but_for_a_dry_run(operator):
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
    assert {row["bot"]: row["after"] for row in shown["changes"]} == numbers()
    assert Season.objects.get().number == 1


def test_a_match_explains_every_change_of_a_number(anyone):
    match = rows.finished_match()

    told = anyone.get(f"/matches/{match.public_id}/explanations").json()["results"]

    events = match.rating_events.order_by("pk")
    assert [row["change"] for row in told] == [event.change for event in events]
    for row in told:
        assert row["k"] * (row["score"] - row["expected"]) == pytest.approx(row["change"])
        assert [line["number"] for line in row["games"]] == [1, 2]
        assert row["games"][0]["own"] == [{"bot": row["bot"], "rating": row["before"]}]
        assert "K is 40" in row["k_reason"]


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
