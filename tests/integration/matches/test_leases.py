from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone

from arena.domain import finishing
from arena.domain.bots import versions
from arena.domain.matches import leases, lifecycle
from arena.domain.matches.leases import LeaseLost
from arena.domain.queue import sweeping
from arena.models import (
    CheckState,
    CheckStep,
    GameStatus,
    Match,
    MatchStatus,
    Version,
    VersionStatus,
)
from tests import factories
from tests.clocks import Clock
from tests.integration.matches.test_at_once import at_once

pytestmark = [pytest.mark.django_db, pytest.mark.every_store]

RUNNERS = 8


def expire(row, ago_s=1):
    until = timezone.now() - timedelta(seconds=ago_s)
    type(row).objects.filter(pk=row.pk).update(lease_until=until)


def claim_from_many_threads(claim):
    """Let every thread claim at the same moment; return the leases that were granted."""
    return [lease for lease in at_once(*[claim] * RUNNERS) if lease is not None]


@pytest.mark.django_db(transaction=True)
def test_one_of_many_runners_claims_match():
    for _ in range(2):
        match = factories.make_match()

        granted = claim_from_many_threads(lambda pk=match.pk: lifecycle.claim(match_pk=pk))

        match.refresh_from_db()
        assert [lease.token for lease in granted] == [match.lease_token]
        assert (match.status, match.attempt) == (MatchStatus.LEASED, 1)


@pytest.mark.django_db(transaction=True)
def test_one_of_many_runners_claims_version():
    version = factories.make_upload()

    granted = claim_from_many_threads(lambda: versions.claim(version_pk=version.pk))

    version.refresh_from_db()
    assert [lease.token for lease in granted] == [version.lease_token]


def test_renewing_moves_the_end_of_the_lease(settings):
    match = factories.make_match()
    lease = factories.claim(match)
    match.refresh_from_db()
    first = match.lease_until
    settings.LEASE_S = 600

    leases.renew(lease=lease)

    match.refresh_from_db()
    assert match.lease_until - first > timedelta(seconds=500)


@pytest.mark.parametrize("ahead_s", [-180, 180])
def test_no_wrong_clock_ends_or_prolongs_lease(monkeypatch, ahead_s):
    match = factories.make_match()
    now = timezone.now
    with monkeypatch.context() as other_host:
        other_host.setattr(timezone, "now", lambda: now() + timedelta(seconds=ahead_s))
        lease = factories.claim(match)
        leases.renew(lease=lease)
        assert sweeping.sweep().expired == 0

    assert sweeping.sweep().expired == 0
    match.refresh_from_db()
    left = match.lease_until - now()
    assert timedelta(0) < left <= timedelta(seconds=settings.LEASE_S)
    assert abs(now() - match.taken_at) < timedelta(seconds=settings.LEASE_S)


def test_a_swept_lease_cannot_be_renewed_nor_used():
    match = factories.make_match()
    lease = factories.claim(match)
    game = match.games.first()
    lifecycle.begin_game(lease=lease, game=game)
    expire(match)

    sweeping.sweep()

    with pytest.raises(LeaseLost):
        leases.renew(lease=lease)
    with pytest.raises(LeaseLost):
        factories.store(lease, game, 1.0)
    assert finishing.finish(lease=lease) is False
    match.refresh_from_db()
    game.refresh_from_db()
    assert (match.status, match.waiting_reason) == (MatchStatus.RETRYING, sweeping.LOST)
    assert (game.status, game.outcome) == (GameStatus.CREATED, None)


@pytest.mark.parametrize("holder_lives", [True, False])
def test_lease_expired_in_outage_is_extended_keeping_attempts(holder_lives):
    match = factories.make_match()
    lease = factories.claim(match)
    expire(match, ago_s=leases.UNSWEPT.total_seconds() + 1)

    assert sweeping.sweep().expired == 0

    if holder_lives:
        leases.renew(lease=lease)
        assert sweeping.sweep().expired == 0
    else:
        expire(match)
        assert sweeping.sweep().expired == 1


def test_match_losing_runner_too_often_fails_with_reason(settings):
    match = factories.make_match()
    for _ in range(settings.MATCH_ATTEMPTS):
        Match.objects.filter(pk=match.pk).update(not_before=None)
        assert lifecycle.claim(match_pk=match.pk) is not None
        expire(match)
        sweeping.sweep()

    match.refresh_from_db()
    assert (match.status, match.failure) == (MatchStatus.FAILED, sweeping.LOST)
    assert lifecycle.claim(match_pk=match.pk) is None


def lose_runner(version):
    """Let a runner take the version and never be heard of again."""
    Version.objects.filter(pk=version.pk).update(not_before=None)
    lease = factories.claim(version)
    versions.begin_step(lease=lease, step=CheckStep.SCANNED)
    expire(version)
    sweeping.sweep()
    version.refresh_from_db()


def test_version_losing_runner_waits_longer_until_rejected(settings, monkeypatch):
    clock = Clock(monkeypatch)
    settings.CHECK_ATTEMPTS = 9
    version = factories.make_upload()
    waits = []
    for _ in range(8):
        lose_runner(version)
        assert (version.status, version.waiting_reason) == (VersionStatus.UPLOADED, sweeping.LOST)
        waits.append((version.not_before - clock.now).total_seconds())
    lose_runner(version)

    assert waits == sorted(waits)
    assert waits[-1] <= versions.MAX_DELAY_S
    assert (version.status, version.waiting_reason) == (VersionStatus.REJECTED, "")
    assert version.reason == (
        "The checks failed to run. Upload the bot again, or tell the operator: "
        "The runner was lost while it worked on this."
    )
    check = version.checks.get(step=CheckStep.SCANNED)
    assert (check.state, check.message) == (CheckState.FAILED, sweeping.LOST)
    assert versions.claim(version_pk=version.pk) is None


@pytest.mark.parametrize(("counts", "attempts"), [(True, 2), (False, 1)])
def test_uncounted_attempt_is_taken_back(counts, attempts):
    match = factories.make_match()
    lifecycle.void_attempt(lease=factories.claim(match), reason="no engine")
    assert lifecycle.claim(match_pk=match.pk) is None  # before its time
    Match.objects.filter(pk=match.pk).update(not_before=timezone.now() - timedelta(seconds=1))

    lifecycle.void_attempt(lease=factories.claim(match), reason="no engine", counts=counts)

    match.refresh_from_db()
    assert (match.status, match.attempt) == (MatchStatus.RETRYING, attempts)


@pytest.fixture
def sent(monkeypatch):
    messages = []
    monkeypatch.setattr("arena.jobs.app.send_task", lambda task, **_: messages.append(task))
    return messages


def test_messages_that_may_be_lost_are_sent_again(sent, settings):
    match = factories.make_match()
    version = factories.make_upload()
    long_ago = timezone.now() - timedelta(seconds=settings.RESEND_AFTER_S + 1)

    assert sweeping.sweep().sent == 0
    Match.objects.filter(pk=match.pk).update(sent_at=long_ago)
    Version.objects.filter(pk=version.pk).update(sent_at=long_ago)

    assert sweeping.sweep().sent == 2
    assert sent == ["arena.wake_runner"] * 2
    assert sweeping.sweep().sent == 0


def test_a_broker_that_is_away_loses_no_upload(
    monkeypatch, caplog, django_capture_on_commit_callbacks
):
    def refuse(*_args, **_kwargs):
        raise OSError("broker is away")

    monkeypatch.setattr("arena.jobs.app.send_task", refuse)

    with django_capture_on_commit_callbacks(execute=True):
        version = factories.make_upload()

    version.refresh_from_db()
    assert version.status == VersionStatus.UPLOADED
    assert [record.message for record in caplog.records] == ["broker_unreachable"]


def test_runner_renewing_while_sweeper_looks_keeps_match():
    match = factories.make_match()
    lease = factories.claim(match)
    expire(match)
    match.refresh_from_db()
    found = leases.Lease(Match, match.pk, match.lease_token, until=match.lease_until)
    leases.renew(lease=lease)

    lifecycle.void_attempt(lease=found, reason="swept")

    leases.renew(lease=lease)
    match.refresh_from_db()
    assert match.status == MatchStatus.LEASED
