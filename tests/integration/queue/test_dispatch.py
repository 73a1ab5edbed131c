"""Which row a runner takes next, and that nobody takes what another has."""

from datetime import timedelta

import pytest
from django.utils import timezone

from arena.domain.matches import leases, lifecycle
from arena.domain.matches.purposes import Purpose
from arena.domain.queue import dispatch
from arena.models import Entrant, Match, MatchKind, QueueShare, Version, VersionStatus
from tests import factories
from tests.integration.matches.test_at_once import at_once

pytestmark = [pytest.mark.django_db, pytest.mark.every_store]


def ready(slug, number):
    return [factories.make_ready(variants=[slug]) for _ in range(number)]


def queue(*versions, slug="classic", kind=MatchKind.LADDER):
    return lifecycle.create_match(
        ladder=factories.get_ladder(slug), versions=versions, purpose=Purpose(kind)
    )


def take() -> leases.Lease:
    """Take what is next; there must be something."""
    lease = dispatch.claim_next()
    assert lease is not None
    return lease


def claimed():
    """Return the row that the next runner takes, None where there is none."""
    lease = dispatch.claim_next()
    return lease and lease.model.objects.get(pk=lease.pk)


def test_oldest_match_taken_first_until_none_left():
    late, gone, first, second = (queue(*ready("classic", 2)) for _ in range(4))
    Match.objects.filter(pk=late.pk).update(not_before=timezone.now() + timedelta(seconds=60))
    lifecycle.cancel(match=gone, reason="enough")

    assert [claimed(), claimed(), claimed()] == [first, second, None]


def test_ladders_challenges_and_checks_each_have_turn():
    crowd = ready("classic", 8)
    for _ in range(4):
        queue(*ready("classic", 2))
    challenge = queue(*crowd[:2], kind=MatchKind.CHALLENGE)
    other = queue(*ready("general", 2), slug="general")
    upload = factories.make_upload()

    taken = {claimed() for _ in range(4)}

    assert {challenge, other, upload} < taken


def test_one_match_per_bot_while_others_wait():
    both = factories.make_ready()
    one, *others = ready("classic", 3)
    first = queue(both, one)
    second = queue(both, *ready("general", 1), slug="general")
    third = queue(one, others[0])
    last = queue(*ready("classic", 1), others[1])

    assert [claimed(), claimed()] == [first, last]
    assert {claimed(), claimed()} == {second, third}


def test_versions_of_one_owner_taken_in_turn():
    owner = factories.make_user()
    first, second = (factories.make_upload(factories.make_bot(owner)) for _ in range(2))
    other = factories.make_upload()

    assert [claimed(), claimed(), claimed()] == [first, other, None]
    second.refresh_from_db()
    assert (second.status, second.attempt) == (VersionStatus.UPLOADED, 0)


def test_many_of_one_lane_or_owner_hide_none(monkeypatch):
    monkeypatch.setattr(dispatch, "LOOK", 3)
    owner = factories.make_user()
    uploads = [factories.make_upload(factories.make_bot(owner)) for _ in range(5)]
    crowd = [queue(*ready("classic", 2)) for _ in range(5)]
    other, general = factories.make_upload(), queue(*ready("general", 2), slug="general")

    taken = [claimed() for _ in range(8)]

    assert {uploads[0], other, general, *crowd} == set(taken)
    assert claimed() is None


def test_accounts_charged_expected_cost_and_settled_afterwards():
    queue(*ready("classic", 2))
    QueueShare.objects.create(name=share("classic"), used_s=100.0, begun_s=90.0, job_s=10.0)

    lease = take()
    charged = QueueShare.objects.get()
    dispatch.record_job_cost(lease=lease, took_s=30.0)

    settled = QueueShare.objects.get()
    assert (charged.begun_s, charged.used_s) == (100.0, 110.0)
    assert (settled.used_s, settled.job_s) == (130.0, 12.0)


def share(slug):
    return dispatch.share_name(ladder_pk=factories.get_ladder(slug).pk, kind=MatchKind.LADDER)


def test_slow_bot_held_until_others_had_as_much():
    slow, fast, *_ = ready("classic", 5)
    match = queue(slow, fast)
    QueueShare.objects.create(name=share("classic"), job_s=20.0, clock_s=10.0)
    lease = take()

    dispatch.record_job_cost(
        lease=lease, took_s=122.0, bot_clock_s={slow.bot_id: 60.0, fast.bot_id: 1.0}
    )

    runner_s_of_clock_s = 122.0 / 61.0
    assert dispatch.deferred(ladder_pk=match.ladder_id) == ({slow.bot_id}, set())
    held = Entrant.objects.get(version=slow).deferred_until_s
    assert held == pytest.approx(20.0 + 4 * (60.0 - 10.0) * runner_s_of_clock_s)
    assert QueueShare.objects.get().clock_s == pytest.approx(15.1)
    QueueShare.objects.update(used_s=held)
    assert dispatch.deferred(ladder_pk=match.ladder_id) == (set(), set())


def test_no_bot_becomes_slow_on_slowed_host():
    """The clocks charge CPU time, and the runner takes ten times as long as before."""
    for took_s in (12.0, 12.0, 120.0, 120.0, 120.0):
        match = queue(*ready("classic", 2))
        bots = list(match.entrants.values_list("version__bot", flat=True))
        dispatch.record_job_cost(
            lease=take(), took_s=took_s, bot_clock_s=dict(zip(bots, (8.0, 2.0), strict=True))
        )

        assert dispatch.deferred(ladder_pk=match.ladder_id) == (set(), set())
    account = QueueShare.objects.get()
    assert (account.clock_s, account.job_s > 12.0) == (10.0, True)


@pytest.mark.django_db(transaction=True)
def test_many_runners_at_once_each_take_one():
    matches_made = {queue(*ready("general", 2), slug="general").pk for _ in range(6)}
    uploads = {factories.make_upload().pk for _ in range(2)}
    runners = 8

    taken = at_once(*[dispatch.claim_next] * runners)

    assert {lease.pk for lease in taken if lease.model is Match} == matches_made
    assert {lease.pk for lease in taken if lease.model is Version} == uploads
    assert len(taken) == runners
    assert set(Match.objects.values_list("attempt", flat=True)) == {1}
    assert set(Version.objects.filter(pk__in=uploads).values_list("attempt", flat=True)) == {1}


def test_runner_looks_at_long_queue_with_few_queries(django_assert_max_num_queries, monkeypatch):
    monkeypatch.setattr(dispatch, "LOOK", 12)
    crowd = ready("classic", 2)
    for _ in range(2 * dispatch.LOOK):
        queue(*crowd)

    with django_assert_max_num_queries(20):
        assert dispatch.claim_next() is not None


def test_the_order_names_what_will_be_taken():
    first, second = (queue(*ready("classic", 2)) for _ in range(2))
    upload = factories.make_upload()

    keys = [item.key for item in dispatch.order()]

    assert sorted(keys) == sorted(
        [("match", first.pk), ("match", second.pk), ("version", upload.pk)]
    )
    assert keys.index(("match", first.pk)) < keys.index(("match", second.pk))
    lease = take()
    assert keys[0] == (lease.model.__name__.lower(), lease.pk)
