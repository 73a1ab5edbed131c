"""A token does what its scopes allow; a refusal names the scope that is missing."""

import pytest

from arena.models import Scope
from tests.integration.api import rows

pytestmark = pytest.mark.django_db


def test_token_without_scope_is_403_naming_it(signed_in):
    answer = signed_in(rows.user(), Scope.READ).post("/bots", {"name": "Greedy"}, format="json")

    assert answer.status_code == 403
    assert answer.json()["code"] == "missing_scope"
    assert answer.json()["scope"] == "bots:write"


def test_write_only_token_reads_no_private_things(signed_in):
    answer = signed_in(rows.user(), Scope.BOTS_WRITE).get("/me")

    assert answer.status_code == 403
    assert answer.json()["scope"] == "read"
