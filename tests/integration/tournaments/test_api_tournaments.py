"""Tournaments through the API: made, listed, changed, looked at before there is any of them."""

from datetime import timedelta

import pytest
from django.utils import timezone

from arena.domain.tournaments.setup import terms
from arena.models import Tournament
from tests import factories
from tests.integration.tournaments import making

pytestmark = pytest.mark.django_db

VALUES = {"name": "Spring Cup", "ladder": "classic", "format": "swiss", "min_entrants": 8}


@pytest.fixture
def ada():
    return factories.make_user("ada")


@pytest.fixture
def api(signed_in, ada):
    return signed_in(ada)


def etag(api, slug):
    return api.get(f"/tournaments/{slug}")["ETag"]


def patch(api, slug, values, **headers):
    return api.patch(f"/tournaments/{slug}", values, format="json", headers=headers)


def refusal(answer):
    """Return the status and the code, and see that it is a problem in full."""
    body = answer.json()
    assert answer["Content-Type"] == "application/problem+json"
    assert (body["status"], bool(body["detail"])) == (answer.status_code, True)
    return answer.status_code, body["code"]


def fields(answer):
    assert refusal(answer) == (400, "invalid")
    return {row["field"] for row in answer.json()["errors"]}


def test_tournament_is_made_and_found_at_location(api, anyone, signed_in):
    made = api.post("/tournaments", VALUES, format="json")
    found = api.get(made["Location"])

    assert (made.status_code, made["Location"]) == (
        201, "http://testserver/api/v1/tournaments/spring-cup",
    )  # fmt: skip
    assert found.json() == made.json()
    assert made["ETag"] == found["ETag"] == '"1"'
    told = made.json()
    assert (told["status"], told["revision"]) == ("draft", 1)
    assert (told["commitment"], told["secret"]) == ("", "")
    assert (told["created_by"], told["organizers"]) == ("ada", ["ada"])
    assert (told["variant"], told["format_options"]) == ("classic@1", {"rounds": 5})
    assert told["tie_breaks"]
    for other in (anyone, signed_in(factories.make_user())):
        assert refusal(other.get(made["Location"])) == (404, "not_found")


def test_what_cannot_be_is_named_by_its_field(api):
    for changed, wrong in (
        ({"name": ""}, "name"),
        ({"tie_breaks": ["luck"]}, "tie_breaks.0"),
        ({"format_options": {"rounds": "many"}}, "format_options.rounds"),
        ({"max_entrants": 5}, "max_entrants"),
        ({"rng_seed": 1}, "rng_seed"),
    ):
        assert wrong in fields(api.post("/tournaments", VALUES | changed, format="json"))
    assert fields(api.post("/tournaments", [1, 2], format="json")) == {"request"}
    assert not Tournament.objects.exists()


def test_list_with_filters(api, anyone, signed_in, ada):
    own = making.make_open(ada, slug="own", format="swiss", min_entrants=8)
    other = making.make_open(slug="other", ladder="general")
    making.make_draft(slug="secret")
    mine = making.make_draft(ada, slug="planned")
    bot = factories.make_ready(variants=("general",)).bot
    making.enter(other, bot.active_version)

    def listed(who, query=""):
        return [row["slug"] for row in who.get(f"/tournaments{query}").json()["results"]]

    assert listed(anyone) == ["other", "own"]
    assert listed(api) == [mine.slug, "other", "own"]
    assert listed(api, "?mine=1") == [mine.slug, "own"]
    assert listed(signed_in(bot.owner), "?mine=1") == ["other"]
    assert listed(anyone, "?format=swiss") == [own.slug]
    assert listed(anyone, "?variant=general") == listed(anyone, "?variant=general@1") == ["other"]
    assert listed(anyone, "?variant=gen") == listed(anyone, "?variant=general@9") == []
    assert listed(anyone, "?ladder=classic") == ["own"]
    assert listed(api, "?status=draft") == ["planned"]
    assert listed(anyone, "?status=draft") == []
    assert refusal(anyone.get("/tournaments?mine=1")) == (401, "not_signed_in")
    assert fields(anyone.get("/tournaments?status=lost")) == {"status"}


def test_change_needs_tag_of_what_was_seen(api):
    api.post("/tournaments", VALUES, format="json")
    seen = etag(api, "spring-cup")

    assert refusal(patch(api, "spring-cup", {"name": "A"})) == (428, "precondition_required")
    changed = patch(api, "spring-cup", {"name": "B"}, **{"If-Match": seen})
    late = patch(api, "spring-cup", {"name": "C"}, **{"If-Match": seen})

    assert (changed.status_code, changed.json()["name"], changed["ETag"]) == (200, "B", '"2"')
    assert (refusal(late), late.json()["revision"]) == ((412, "stale"), 2)
    assert Tournament.objects.get().name == "B"


def test_tags_are_read_as_the_rfc_says(api):
    api.post("/tournaments", VALUES, format="json")

    for tag, name, status in (
        ('"7"', "B", 412),
        ('W/"1"', "B", 412),  # a weak tag matches nothing here
        ("1", "B", 412),
        ("", "B", 412),
        ('"7", "1"', "B", 200),
        ("*", "C", 200),
    ):
        answer = patch(api, "spring-cup", {"name": name}, **{"If-Match": tag})
        assert (tag, answer.status_code) == (tag, status)


def test_a_preview_keeps_nothing(api):
    starts_at = (timezone.now() + timedelta(days=1)).isoformat()
    values = VALUES | {"starts_at": starts_at, "entrants": 9}

    told = api.post("/tournament-preview", values, format="json")

    assert told.status_code == 200
    body = told.json()
    assert (body["entrants"], len(body["rounds"])) == (9, 5)
    assert [row["byes"] for row in body["rounds"]] == [1] * 5
    assert (body["matches"], body["games"], body["pairings"], body["byes"]) == (20, 40, 20, 5)
    assert body["estimate"]["matches"] == 20
    assert body["rounds"][0]["name"]
    assert not Tournament.objects.exists()


def test_estimate_refuses_impossible_numbers_of_entrants(api, anyone):
    tournament = making.make_open(format="single_elimination")
    most, address = terms.MOST_ENTRANTS, f"/tournaments/{tournament.slug}/estimate"

    preview = api.post("/tournament-preview", VALUES | {"entrants": most + 1}, format="json")

    assert fields(preview) == {"entrants"}
    for number in (most + 1, "1", "many", "-1"):
        assert fields(anyone.get(f"{address}?entrants={number}")) == {"entrants"}
    assert anyone.get(f"{address}?entrants={most}").json()["matches"] == most - 1
