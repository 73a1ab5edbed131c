"""What has expired in accounts is deleted, in bounded numbers."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone

from arena.domain.accounts import retention
from arena.models import ApiToken, Notice, OutgoingMail
from arena.tasks import prune
from tests.factories import make_user
from tests.integration.api import rows

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


@pytest.fixture
def kinds(settings):
    """Make two rows of each kind, one a little older and one a little younger than the limit."""
    settings.NOTICES_KEPT_DAYS = 30
    now, user = timezone.now(), make_user("ada")
    made: dict[Any, list[Any]] = {Session: [], ApiToken: [], OutgoingMail: [], Notice: []}
    for since in (-HOUR, HOUR):
        made[Session].append(
            Session.objects.create(session_key=f"{since}", expire_date=now + since)
        )
        rows.token(user)
        token = ApiToken.objects.latest("created")
        token.expiry = now + since
        token.save()
        made[ApiToken].append(token)
        mail = OutgoingMail.objects.create(content={})
        OutgoingMail.objects.filter(pk=mail.pk).update(created_at=now - retention.MAIL_KEPT + since)
        made[OutgoingMail].append(mail)
        notice = Notice.objects.create(user=user, text="A word")
        Notice.objects.filter(pk=notice.pk).update(created_at=now - timedelta(days=30) + since)
        made[Notice].append(notice)
    return made


def test_what_has_expired_goes_and_the_rest_stays(kinds, settings):
    settings.NOTICES_KEPT_DAYS = 0
    retention.prune()
    assert Notice.objects.count() == 2  # they stay for ever
    settings.NOTICES_KEPT_DAYS = 30

    prune()

    for model, (_old, young) in kinds.items():
        assert [row.pk for row in model.objects.all()] == [young.pk]


def test_run_is_bounded_and_next_continues(kinds, monkeypatch):
    monkeypatch.setattr(retention, "BATCH", 1)
    Session.objects.update(expire_date=timezone.now() - HOUR)

    assert [retention.prune() for _run in range(3)] == [4, 1, 0]
