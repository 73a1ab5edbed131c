"""`dry_run=1`: every write of tournaments shows what it would do, and none does it."""

from typing import Any

import pytest
from django.apps import apps
from django.db.models import QuerySet
from django.urls import URLPattern

from arena.api import urls
from arena.domain.tournaments import organizers, stages
from arena.domain.tournaments.entry import entries
from arena.domain.tournaments.rehearsal import rehearsals
from arena.models import Tournament, TournamentRound
from tests import factories
from tests.integration.tournaments import making
from tests.integration.tournaments.test_api_tournaments import VALUES, fields, refusal

pytestmark = pytest.mark.django_db

WRITES = {"POST", "PUT", "PATCH", "DELETE"}
BOT = "ada/bold"
ACT = {"act": "withdraw", "entrant": BOT, "reason": "a test"}
ABOVE = {"api-tournament-list": "/tournaments", "api-tournament-preview": "/tournament-preview"}
# By name of the address and method: where the tournament stands, what is below it, what is sent.
CASES: dict[tuple[str, str], tuple[Any, ...]] = {
    ("api-tournament-list", "POST"): ("draft", None, VALUES),
    ("api-tournament-preview", "POST"): ("draft", None, {**VALUES, "entrants": 8}),
    ("api-tournament-detail", "PATCH"): ("draft", "", {"description": "new"}),
    ("api-tournament-detail", "DELETE"): ("rehearsed", "", None),
    ("api-tournament-open", "POST"): ("draft", "/open", {}),
    ("api-tournament-freeze", "POST"): ("full", "/freeze", {}),
    ("api-tournament-start", "POST"): ("frozen", "/start", {}),
    ("api-tournament-pause", "POST"): ("running", "/pause", {"reason": "why"}),
    ("api-tournament-resume", "POST"): ("paused", "/resume", {}),
    ("api-tournament-release", "POST"): ("completed", "/release", {}),
    ("api-tournament-cancel", "POST"): ("running", "/cancel", {"reason": "why"}),
    ("api-tournament-rehearse", "POST"): ("draft", "/rehearse", {}),
    ("api-tournament-entrants", "POST"): ("draft", "/entrants", {"bot": BOT}),
    ("api-tournament-entrant", "PATCH"): ("full", f"/entrants/{BOT}", {"version": 1}),
    ("api-tournament-entrant", "DELETE"): ("full", f"/entrants/{BOT}", {}),
    ("api-tournament-answer", "POST"): ("invited", f"/entrants/{BOT}/answer", {"accept": True}),
    ("api-tournament-take-top", "POST"): ("draft", "/take-top", {"top_n": 1}),
    ("api-tournament-take-list", "POST"): ("draft", "/take-list", {"text": f"bot\n{BOT}\n"}),
    ("api-tournament-organizers", "POST"): ("draft", "/organizers", {"username": "dora"}),
    ("api-tournament-organizer", "DELETE"): ("draft", "/organizers/cleo", {}),
    ("api-tournament-round-release", "POST"): (
        "running", "/rounds/1/release", {"release": "hidden"},
    ),
    ("api-tournament-acts", "POST"): ("running", "/acts", ACT),
}  # fmt: skip


def writes():
    """Yield every write of the API that is about tournaments, by name of its address and method."""
    for pattern in urls.urlpatterns:
        if isinstance(pattern, URLPattern) and str(pattern.pattern).startswith("tournament"):
            methods = {method.upper() for method in pattern.callback.actions}  # type: ignore[attr-defined]  # of every viewset
            yield from ((pattern.name, method) for method in WRITES & methods)


@pytest.fixture
def ada():
    factories.make_user("cleo")
    factories.make_user("dora")
    return factories.make_user("ada")


@pytest.fixture
def api(signed_in, ada):
    return signed_in(ada)


def fill(row, by, bot):
    for _ in range(2):
        making.enter(row)
    entries.enter(tournament=row, bot=bot, by=by)


def begin(row, by, bot):
    stages.start(tournament=row, by=by)
    TournamentRound.objects.create(tournament=row, number=1, release="public")


STEPS = {
    "draft": lambda row, by, bot: organizers.add(tournament=row, by=by, username="cleo"),
    "open": lambda row, by, bot: stages.open_registration(tournament=row, by=by),
    "full": fill,
    "frozen": lambda row, by, bot: stages.freeze(tournament=row, by=by),
    "running": begin,
}
LAST = {
    "invited": ("open", lambda row, by, bot: entries.invite(tournament=row, bot=bot, by=by)),
    "paused": ("running", lambda row, by, bot: stages.pause(tournament=row, by=by, reason="why")),
    "completed": ("running", lambda row, by, bot: finish(row)),
    "rehearsed": ("draft", lambda row, by, bot: rehearse(row, by)),
}


def finish(row):
    Tournament.objects.filter(pk=row.pk).update(status="completed")


def rehearse(row, by):
    rehearsal = rehearsals.start(tournament=row, by=by)
    stages.cancel(tournament=rehearsal, by=by, reason="seen")


def make(state, by):
    """Return a tournament that stands there, with a second organizer, and the user's bot in it."""
    bot = factories.make_ready(factories.make_bot(by, slug="bold")).bot
    row = making.make_draft(by)
    last, extra = LAST.get(state, (state, None))
    for name, step in STEPS.items():
        step(row, by, bot)
        if name == last:
            break
    if extra:
        extra(row, by, bot)
    return row.rehearsals.first() or row


def address_of(case, row):
    return ABOVE.get(case[0], f"/tournaments/{row.slug}{CASES[case][1]}")


def send(api, case, row, query="", **headers):
    call = getattr(api, case[1].lower())
    return call(address_of(case, row) + query, CASES[case][2], format="json", headers=headers)


def rows():
    """Return all that the database holds, but when a token was used last."""
    tables = [model for model in apps.get_models() if model.__name__ != "ApiToken"]
    return {model.__name__: list(QuerySet(model).order_by("pk").values()) for model in tables}


def test_every_write_is_among_the_cases():
    assert set(writes()) == set(CASES)


@pytest.mark.parametrize("case", CASES, ids=" ".join)
def test_dry_run_keeps_nothing_and_real_run_matches(
    api, ada, case, django_capture_on_commit_callbacks
):
    row = make(CASES[case][0], ada)
    before = rows()
    if sent := CASES[case][2]:  # a typing error in a body is no field that was left out
        call = getattr(api, case[1].lower())
        wrong = {**sent, "dryrun": 1}
        refused = call(address_of(case, row), wrong, format="json", headers={"If-Match": "*"})
        assert (refused.status_code, fields(refused)) == (400, {"dryrun"})
        assert "there are: " in refused.json()["detail"]

    with django_capture_on_commit_callbacks() as messages:
        tried = send(api, case, row, "?dry_run=1", **{"Idempotency-Key": "a-key"})

    assert tried.status_code in {200, 204}, tried.json()
    assert {"Location", "ETag"} & set(tried.headers) <= ({"ETag"} if "acts" in case[0] else set())
    assert (rows(), messages) == (before, [])

    done = send(api, case, row, "?dry_run=0", **{"If-Match": "*"})

    assert done.status_code in {200, 201, 202, 204}, done.json()
    assert "Dry-Run" not in done
    assert (rows() == before) is (case[0] == "api-tournament-preview")


def test_a_dry_run_answers_with_what_would_come(api, ada):
    row = make("draft", ada)
    before = rows()

    tried = send(api, ("api-tournament-open", "POST"), row, "?dry_run=1")
    made = send(api, ("api-tournament-list", "POST"), row, "?dry_run=true")
    refused = send(api, ("api-tournament-pause", "POST"), row, "?dry_run=1")
    unclear = send(api, ("api-tournament-open", "POST"), row, "?dry_run=maybe")

    assert (tried["Dry-Run"], tried.json()["status"]) == ("1", "registration")
    assert (made.status_code, made.json()["slug"]) == (200, "spring-cup")
    assert refusal(api.get("/tournaments/spring-cup")) == (404, "not_found")
    assert refusal(refused)[0] == 409
    assert fields(unclear) == {"dry_run"}
    assert rows() == before


def test_write_without_dry_run_refuses_one(api):
    before = rows()

    asked = api.post("/bots?dry_run=1", {"name": "New"}, format="json")

    assert refusal(asked) == (400, "no_dry_run")
    assert rows() == before
