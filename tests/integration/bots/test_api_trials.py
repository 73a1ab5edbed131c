"""Trials, records of versions and messages through the API."""

import pytest

from arena.domain.accounts import notices
from arena.domain.ratings import refits
from arena.models import Scope, VersionTrial
from tests import factories
from tests.integration.api import rows


@pytest.fixture
def owner(two, signed_in):
    return signed_in(two[0].bot.owner)


def address(version, action=""):
    return f"/bots/{version.bot}/versions/{version.number}{action}"


def test_a_trial_is_started_followed_and_cancelled(two, owner, anyone):
    _older, newer = two

    started = owner.post(address(newer, "/trials"), {"activate": True}, format="json")

    assert started.status_code == 202
    followed = anyone.get(started["Location"])
    assert followed.json() == started.json()
    trial = VersionTrial.objects.get()
    assert started["Location"].endswith(f"/api/v1/trials/{trial.public_id}")
    told = started.json()
    assert (told["version"], told["against"], told["ladder"]) == (2, 1, "classic")
    assert (told["status"], told["activates"], told["games"]) == ("running", True, 0)
    assert told["judgement"] == {
        "better": 0.0,
        "worse": 0.0,
        "lower": pytest.approx(-2.944, abs=0.001),
        "upper": pytest.approx(2.944, abs=0.001),
        "margin": 60.0,
    }
    listed = anyone.get(address(newer, "/trials")).json()["results"]
    assert listed == [told]
    ended = owner.post(f"/trials/{trial.public_id}/cancel")
    assert (ended.json()["status"], ended.json()["detail"]) == (
        "cancelled",
        "Cancelled by its owner.",
    )
    assert owner.post(f"/trials/{trial.public_id}/cancel").json()["code"] == "trial_over"


def test_version_record_has_games_and_elo_span(two, anyone):
    version, opponent = two[1], factories.make_ready()
    for points in ([1.0, 1.0], [0.0, 0.5]):
        factories.play_out(factories.make_match(version, opponent), points)
        refits.refresh(ladder=factories.get_ladder())

    (record,) = anyone.get(address(version, "/record")).json()["results"]

    assert (record["ladder"], record["matches"]) == ("classic", 2)
    assert (record["wins"], record["draws"], record["losses"]) == (2, 1, 1)
    assert record["first"] is None
    assert record["last"] == record["lowest"] < record["highest"]


def test_messages_are_listed_newest_first_and_marked_read(signed_in, anyone):
    user = rows.user()
    notices.tell(user=user, text="one", url="/bots/")
    notices.tell(user=user, text="two")
    notices.tell(user=rows.user(), text="of another")
    caller = signed_in(user)

    listed = caller.get("/notices").json()["results"]
    assert notices.unread(user=user) == 2

    assert [(row["text"], row["url"], row["read_at"]) for row in listed] == [
        ("two", "", None),
        ("one", "/bots/", None),
    ]
    refused = signed_in(user, Scope.READ).post("/notices/read")
    assert (refused.status_code, refused.json()["code"]) == (403, "missing_scope")
    assert caller.post("/notices/read").json() == {"marked": 2}
    assert notices.unread(user=user) == 0
    assert all(row["read_at"] for row in caller.get("/notices").json()["results"])
    assert anyone.get("/notices").status_code == 401
