import pytest

from tests import factories


@pytest.fixture
def ladder(db):
    return factories.get_ladder()


@pytest.fixture
def staff(db):
    return factories.make_user("referee")


@pytest.fixture
def two(db):
    return factories.make_ready(), factories.make_ready()


@pytest.fixture
def trio(db):
    return [factories.make_ready() for _ in range(3)]
