import pytest

from arena.models import User


@pytest.fixture
def operator(db):
    return User.objects.create_superuser("operator")
