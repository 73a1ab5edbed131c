"""Versions that play are probed at random times, and their faults count."""

from datetime import timedelta
from random import Random

import pytest
from django.utils import timezone

from arena.domain.bots import bots, probes
from arena.models import MatchKind, Notice, NoticeKind, Version
from tests import factories
from tests.integration.bots.test_crash_streaks import be_due, crash, finish

pytestmark = pytest.mark.django_db


@pytest.fixture
def two(settings):
    settings.PROBE_EVERY_DAYS = 2.0
    found = factories.make_ready(), factories.make_ready()
    assert probes.send(random=Random(1)) == []  # the first time is drawn
    return found


def due_probe(version, seed=1):
    be_due(version)
    (probe,) = probes.send(random=Random(seed))
    version.refresh_from_db()
    return probe


def test_active_version_is_probed_at_random_time(two):
    now = timezone.now()
    assert Version.objects.filter(next_probe_at__gt=now).count() == 2
    assert Version.objects.values("next_probe_at").distinct().count() == 2

    probe = due_probe(two[0])

    assert (probe.kind, probe.is_rated) == (MatchKind.PROBE, False)
    assert [entrant.version for entrant in probe.entrants.order_by("position")] == [*two]
    assert two[0].next_probe_at > now
    be_due(two[0])
    assert probes.send(random=Random(1)) == []  # one at a time
    finish(probe, None, None)
    assert len(probes.send(random=Random(1))) == 1


def test_probe_is_on_any_ladder_of_bot(two):
    seen = set()
    for seed in range(4):
        probe = due_probe(two[0], seed)
        seen.add(probe.ladder.slug)
        type(probe).objects.filter(pk=probe.pk).update(status="cancelled")

    assert seen == set(factories.DUELS)


def test_probe_faults_pause_version_and_tell_owner_why(two):
    version, opponent = two
    finish(due_probe(version), 0, 0)
    version.refresh_from_db()
    assert (version.crash_streak, version.paused_at) == (2, None)

    finish(due_probe(version), 0, 0)

    version.refresh_from_db()
    opponent.refresh_from_db()
    assert version.paused_at is not None
    assert version.pause_reason == "It forfeited 4 games in a row, the last one with “crash”."
    assert Notice.objects.get(kind=NoticeKind.VERSION_PAUSED).user == version.bot.owner
    assert opponent.crash_streak == 0
    assert version.next_probe_at < timezone.now() + timedelta(hours=1)  # it can come back


def test_probe_ending_by_rules_ends_streak(two):
    version, opponent = two
    finish(factories.make_match(version, opponent), 0, 0)

    finish(due_probe(version), None, None)

    version.refresh_from_db()
    assert version.crash_streak == 0


def test_paused_bot_or_inactive_version_is_not_probed(two):
    bots.pause(bot=two[0].bot)
    factories.make_ready(two[1].bot)
    Version.objects.update(next_probe_at=timezone.now())
    Version.objects.filter(bot__active_version__isnull=False).exclude(
        pk__in=[version.pk for version in two]
    ).update(next_probe_at=timezone.now() + timedelta(days=1))

    assert probes.send(random=Random(1)) == []


def test_without_days_only_a_paused_version_is_probed(two, settings):
    settings.PROBE_EVERY_DAYS = 0.0
    Version.objects.update(next_probe_at=timezone.now())
    assert probes.send(random=Random(1)) == []

    crash(*two)
    be_due(two[0])

    assert len(probes.send(random=Random(1))) == 1


def test_nobody_is_told_when_probe_will_come(two, client, signed_in):
    version, owner = two[0], two[0].bot.owner
    client.force_login(owner)
    path = f"/bots/{version.bot}/versions/{version.number}"

    told = [
        client.get(version.get_absolute_url()).content.decode(),
        *(signed_in(owner).get(each).content.decode() for each in (path, f"/bots/{version.bot}")),
    ]

    version.refresh_from_db()
    assert [text for text in told if "probe" in text or "Next try" in text] == []
