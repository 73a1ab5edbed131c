"""What the tests of the sandbox leave behind for each other: nothing."""

import pytest

from tests.sandbox import doctored


@pytest.fixture(autouse=True, scope="session")
def _nothing_doctored_left():
    yield
    doctored.clear()
