"""Versions of one owner are checked one after the other, so that others have their turn."""

import time
from datetime import timedelta

import pytest
from django.utils import timezone

from arena.domain.bots import versions
from arena.domain.matches import leases
from arena.models import CheckStep, Version
from tests import factories
from tests.integration.matches.test_at_once import at_once

pytestmark = pytest.mark.django_db


def uploads_of_one(number=2):
    owner = factories.make_user()
    return [factories.make_upload(factories.make_bot(owner)) for _ in range(number)]


def claim(version):
    return versions.claim(version_pk=version.pk)


@pytest.fixture
def sent(monkeypatch):
    messages = []
    monkeypatch.setattr(
        "arena.jobs.app.send_task", lambda task, args, **_: messages.append((task, *args))
    )
    return messages


ENDS = {
    "ready": lambda lease: versions.accept(lease=lease),
    "rejected": lambda lease: versions.reject(
        lease=lease, step=CheckStep.SCANNED, reason="no bot", log="", took_ms=1
    ),
    "put off": lambda lease: versions.postpone(lease=lease, reason="no engine"),
}


@pytest.mark.parametrize("way", ENDS)
def test_next_is_sent_when_first_is_done(way, sent, django_capture_on_commit_callbacks):
    first, late, second = uploads_of_one(3)
    factories.make_upload()
    in_a_while = timezone.now() + timedelta(seconds=60)
    Version.objects.filter(pk=late.pk).update(not_before=in_a_while)
    lease = claim(first)

    with django_capture_on_commit_callbacks(execute=True):
        assert ENDS[way](lease) is True
        assert ENDS[way](lease) is False  # who lost the lease sends nobody

    assert [task for task, *_ in sent].count("arena.wake_runner") == 1
    assert claim(second)


@pytest.mark.django_db(transaction=True)
def test_two_runners_at_once_take_one_owner_version(monkeypatch):
    uploads = uploads_of_one(4)
    take = leases.claim

    def take_slowly(**row):
        time.sleep(0.3)  # long enough for the others to look who is in work
        return take(**row)

    monkeypatch.setattr(leases, "claim", take_slowly)

    came = at_once(*(lambda each=each: claim(each) for each in uploads))

    assert sorted(type(lease).__name__ for lease in came) == ["Lease", *["NoneType"] * 3]
