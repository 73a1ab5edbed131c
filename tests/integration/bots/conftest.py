import pytest

from tests import factories
from tests.integration.bots.trial_rows import ready_bot


@pytest.fixture
def two(db):
    """Return two versions of a bot: the older, and the newer, which plays."""
    older = factories.make_ready()
    return older, factories.make_ready(older.bot)


@pytest.fixture
def a_wide_margin(settings):
    settings.TRIAL_MARGIN = 200.0  # so that a few games decide


@pytest.fixture
def own(db):
    return ready_bot()


@pytest.fixture
def opponent(db):
    return ready_bot()
