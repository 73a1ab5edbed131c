"""Challenges through the API."""

import pytest

from arena.models import Match, Scope
from tests import factories
from tests.integration.api import rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def own(db):
    return factories.make_ready(factories.make_bot(rows.user("ada"), "mine")).bot


@pytest.fixture
def opponent(db):
    return factories.make_ready(factories.make_bot(rows.user("grace"), "greedy")).bot


def ask(caller, key="", **changes):
    wanted = {"bot": "ada/mine", "opponents": ["grace/greedy"], "ladder": "general", **changes}
    headers = {"HTTP_IDEMPOTENCY_KEY": key} if key else {}
    return caller.post("/challenges", wanted, format="json", **headers)


def test_challenge_is_accepted_and_points_to_match(signed_in, own, opponent):
    caller = signed_in(own.owner)

    factories.make_ready(own)
    answer = ask(caller, version=1)

    assert answer.status_code == 202
    body = answer.json()
    assert answer["Location"] == f"http://testserver/api/v1/matches/{body['id']}"
    shown = caller.get(answer["Location"]).json()
    assert shown == body
    assert (shown["kind"], shown["is_rated"], shown["requested_by"]) == ("challenge", False, "ada")
    assert [(row["owner"], row["bot"]) for row in shown["entrants"]] == [
        ("ada", "mine"),
        ("grace", "greedy"),
    ]
    assert shown["entrants"][0]["version"] == 1


def test_the_list_has_ones_own_newest_first(signed_in, own, opponent):
    first, second = (ask(signed_in(own.owner)).json()["id"] for _ in range(2))
    rows.match(own.active_version, opponent.active_version)

    listed = signed_in(own.owner, Scope.READ).get("/challenges").json()["results"]

    assert [row["id"] for row in listed] == [second, first]
    assert signed_in(opponent.owner).get("/challenges").json()["results"] == []


@pytest.mark.parametrize(
    ("changes", "refusal", "field"),
    [
        ({"bot": "grace/greedy", "opponents": ["ada/mine"]}, (403, "not_yours"), "bot"),
        ({"opponents": ["grace/none"]}, (400, "unknown_bot"), "opponents"),
        ({"opponents": "grace/greedy"}, (400, "invalid"), "opponents"),
        ({"version": 2**63}, (400, "invalid"), "version"),
        ({"ladder": "\0"}, (400, "invalid"), "ladder"),
    ],
)
def test_impossible_challenge_is_refused_by_field(
    signed_in, own, opponent, changes, refusal, field
):
    answer = ask(signed_in(own.owner), **changes)

    assert (answer.status_code, answer.json()["code"]) == refusal
    assert {row["field"].partition(".")[0] for row in answer.json()["errors"]} <= {field}
    assert Match.objects.count() == 0


def test_refusals_that_time_may_change_are_conflicts(signed_in, own, opponent):
    signed_in(opponent.owner).patch(
        "/bots/grace/greedy", {"accepts_challenges": False}, format="json"
    )

    unwilling = ask(signed_in(own.owner))

    assert (unwilling.status_code, unwilling.json()["code"]) == (409, "unwilling")
