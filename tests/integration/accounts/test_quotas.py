"""What one user may have in any 24 hours."""

from datetime import timedelta

import pytest
from django.utils import timezone

from arena.domain.accounts import quotas
from arena.domain.accounts.quotas import OverQuota, Quota
from arena.models import Version
from tests import factories
from tests.integration.matches.test_at_once import at_once

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def two_a_day(settings):
    settings.UPLOADS_PER_DAY = 2


def uploaded(bot, ago):
    """Return a version that was uploaded so long ago."""
    version = factories.make_upload(bot)
    Version.objects.filter(pk=version.pk).update(
        created_at=timezone.now() - ago, status="rejected", reason="old"
    )
    return Version.objects.get(pk=version.pk)


def test_upload_over_limit_refused_and_stores_nothing():
    owner = factories.make_user()
    first, second = factories.make_bot(owner), factories.make_bot(owner)
    factories.make_upload(first)
    factories.make_upload(second)

    with pytest.raises(OverQuota) as refused:
        factories.make_upload(second)

    assert refused.value.code == "too_many_uploads"
    assert "2 versions in 24 hours" in refused.value.message
    assert Version.objects.count() == 2
    factories.make_upload()  # somebody else's


def test_one_more_free_when_oldest_leaves_window():
    bot = factories.make_bot()
    hours = timedelta(hours=1)
    uploaded(bot, 30 * hours)
    oldest = uploaded(bot, 23 * hours)
    uploaded(bot, 2 * hours)

    with pytest.raises(OverQuota) as refused:
        factories.make_upload(bot)
    assert refused.value.free_at == oldest.created_at + quotas.WINDOW
    assert 0 < refused.value.retry_after_s <= 3600

    Version.objects.filter(pk=oldest.pk).update(created_at=timezone.now() - quotas.WINDOW)
    factories.make_upload(bot)


def test_lowered_limit_waits_until_enough_have_left(settings):
    bot = factories.make_bot()
    versions = [uploaded(bot, timedelta(hours=hours)) for hours in (20, 10)]
    settings.UPLOADS_PER_DAY = 1

    used = quotas.usage(user=bot.owner, kind=Quota.UPLOADS)

    assert (used.used, used.remaining) == (2, 0)
    assert used.reset_at == versions[1].created_at + quotas.WINDOW
    settings.UPLOADS_PER_DAY = 0
    with pytest.raises(OverQuota) as refused:
        factories.make_upload()
    assert refused.value.retry_after_s > 86_000


def test_staff_has_no_limit():
    bot = factories.make_bot()
    bot.owner.is_staff = True
    bot.owner.save()

    for _ in range(3):
        factories.make_upload(bot)

    used = quotas.usage(user=bot.owner, kind=Quota.UPLOADS)
    assert (used.limit, used.used, used.remaining) == (None, 3, None)


@pytest.mark.django_db(transaction=True)
def test_uploads_at_once_do_not_pass_limit():
    owner = factories.make_user()
    bots = [factories.make_bot(owner) for _ in range(4)]

    came = at_once(*(lambda bot=bot: factories.make_upload(bot) for bot in bots))

    refused = [each for each in came if isinstance(each, OverQuota)]
    assert (Version.objects.count(), len(refused)) == (2, 2)
