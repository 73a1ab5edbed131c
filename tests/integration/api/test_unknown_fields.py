"""A typing error in a body is no field that was left out: nothing is done, and it is named."""

from typing import Any

import pytest

from tests import factories
from tests.integration.api.test_dry_runs import CASES, address_of, make, rows
from tests.integration.tournaments.test_api_tournaments import fields

pytestmark = pytest.mark.django_db

CHANGES: Any = CASES
WITH_BODY = sorted(case for case, (_state, _below, sent) in CHANGES.items() if sent)


@pytest.mark.parametrize("case", WITH_BODY, ids=" ".join)
def test_what_no_body_has_is_named(signed_in, case):
    (_name, method), (state, _below, sent) = case, CHANGES[case]
    factories.make_user("cleo")
    ada = factories.make_user("ada")
    row = make(state, ada)
    before = rows()

    refused = getattr(signed_in(ada), method.lower())(
        address_of(case, row), {**sent, "dryrun": 1}, format="json", headers={"If-Match": "*"}
    )

    assert refused.status_code == 400
    assert fields(refused) == {"dryrun"}
    assert "there are: " in refused.json()["detail"]
    assert rows() == before
