"""Whatever the API is sent, it answers as its schema says, and never with a server error."""

import os

import pytest

from arena.models import User
from tests.fuzzing.asking import Asking, Examples
from tests.fuzzing.places import Places
from tests.integration.api import rows
from tests.soak.jobs import SEED
from tests.world import apiwrites

# schemathesis draws from `random` within its own strategies.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings(
        "ignore:Do not use the `random` module:hypothesis.errors.HypothesisDeprecationWarning"
    ),
]

PEOPLE = ("owner", "other", "organizer", "staff", "user")
# Writes that no request completes, and why. All others are completed by `tests.world.apiwrites`.
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


def test_every_answer_is_described_and_every_write_reached(asking):
    apiwrites.ask(Examples(asking, most=6))
    asking.generated(3, chosen=1)
    asking.linked(1, steps=5, chosen=1)

    assert asking.report.never_asked() == []
    assert asking.report.failures == {}, asking.report.failure_text()
    assert asking.report.only_refused() == []


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_every_answer_to_thousands_of_requests_is_described(asking, capsys):
    apiwrites.ask(Examples(asking, most=1000))
    asking.generated(100, chosen=SOAK_SEED)
    asking.linked(40, steps=10, chosen=SOAK_SEED)

    with capsys.disabled():
        print("\n".join(asking.report.lines()))  # noqa: T201 - the soak reads it
    assert asking.report.never_asked() == []
    assert asking.report.failures == {}, asking.report.failure_text()
    assert asking.report.only_refused() == []
    assert asking.report.never_done() <= set(NEVER_DONE)
