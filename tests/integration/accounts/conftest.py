import pytest

from arena.models import User
from tests import settings as of_the_site
from tests.factories import make_bot, make_ready


@pytest.fixture(autouse=True)
def _outbox(settings):
    """Store mail as the site does: pytest-django has replaced its backend."""
    settings.MAIL_TRANSPORT = settings.EMAIL_BACKEND
    settings.EMAIL_BACKEND = of_the_site.EMAIL_BACKEND


@pytest.fixture
def operator(db):
    return User.objects.create_superuser("operator")


@pytest.fixture
def her_version(ada):
    return make_ready(make_bot(ada, "raider"))
