"""Whatever the API is sent, it answers as its schema says, and never with a server error."""

import os
from collections import defaultdict
from types import SimpleNamespace

import pytest
from rest_framework.response import Response

from arena.api.matches.views import RecordKeyViewSet
from arena.models import User
from tests.fuzzing.asking import Asking, Examples
from tests.fuzzing.places import Places
from tests.integration.api import rows
from tests.snapshot import apiwrites
from tests.snapshot.asking import Question
from tests.soak.jobs import SEED

# schemathesis draws from `random` within its own strategies.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings(
        "ignore:Do not use the `random` module:hypothesis.errors.HypothesisDeprecationWarning"
    ),
]

PEOPLE = ("owner", "other", "organizer", "staff", "user")
# Writes that no request completes, and why. All others are completed by what the snapshot sends.
NEVER_DONE = {
    "DELETE /api/v1/tournaments/{slug}/organizers/{username}": "who is named is the only one",
    "POST /api/v1/bots/{owner}/{slug}/versions": "a generated body has no real file",
    "POST /api/v1/bots/{owner}/{slug}/versions/{number}/retire": "a tournament has pinned it",
}
SOAK_SEED = int(os.environ.get(SEED, "1"))


@pytest.fixture
def asking(whole_site):
    tokens = {name: rows.token(User.objects.get(username=name)) for name in PEOPLE}
    return Asking({**tokens, "anonymous": ""}, Places())


@pytest.mark.timeout(900)
def test_every_answer_is_described_and_every_write_is_reached(asking):
    list(apiwrites.ask(Examples(asking, most=6)))
    asking.generated(3, chosen=1)
    asking.linked(1, steps=5, chosen=1)

    assert asking.report.never_asked() == []
    assert asking.report.failures == {}, asking.report.failure_text()
    assert asking.report.only_refused() == []


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_every_answer_to_thousands_of_requests_is_described(asking, capsys):
    list(apiwrites.ask(Examples(asking, most=1000)))
    asking.generated(100, chosen=SOAK_SEED)
    asking.linked(40, steps=10, chosen=SOAK_SEED)

    with capsys.disabled():
        print("\n".join(asking.report.lines()))  # noqa: T201 - the soak reads it
    assert asking.report.never_asked() == []
    assert asking.report.failures == {}, asking.report.failure_text()
    assert asking.report.only_refused() == []
    assert asking.report.never_done() <= set(NEVER_DONE)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Response({}, status=206), "UndefinedStatusCode 206"),
        (Response({"keys": []}), "JsonSchemaError 200"),
        (Response({}, status=500), "ServerError 500"),
    ],
)
def test_an_answer_that_the_schema_does_not_describe_is_noticed(db, monkeypatch, answer, kind):
    asking = Asking({"anonymous": ""}, SimpleNamespace(of_path=defaultdict(list), words={}))
    monkeypatch.setattr(RecordKeyViewSet, "list", lambda *_, **__: answer)

    asking.example(Question("anonymous's token", "GET", "/api/v1/record-keys"))

    assert f"GET /api/v1/record-keys: {kind}" in asking.report.failures
    assert asking.report.statuses["GET /api/v1/record-keys"].total() == 1
    never_asked = asking.report.never_asked()
    assert "GET /api/v1/me" in never_asked
    assert "GET /api/v1/record-keys" not in never_asked
