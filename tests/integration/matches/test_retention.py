"""What bots wrote goes after a while, in bounded batches; results and records stay."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from arena.domain.matches import retention
from arena.models import GameEvidence, GameLog, GameRecord, Match, RatingEvent
from arena.tasks import prune
from tests import factories

pytestmark = pytest.mark.django_db


def played(*, days_ago):
    """Return a finished match with logs, remarks and evidence, that ended so long ago."""
    match = factories.make_match()
    factories.play_out(match, [1.0, 0.0])
    for game in match.games.all():
        factories.make_evidence(game, "red")
        game.logs.update(remarks=b"said", belief_bits=2.0, belief_prior_bits=3.0, belief_pieces=4)
    Match.objects.filter(pk=match.pk).update(finished_at=timezone.now() - timedelta(days=days_ago))
    match.refresh_from_db()
    return match


def left_of(match):
    logs = GameLog.objects.filter(game__match=match)
    return (
        logs.exclude(stderr="").count(),
        logs.exclude(remarks=b"").count(),
        GameEvidence.objects.filter(game__match=match).count(),
    )


def test_only_logs_and_evidence_of_old_matches_go(settings):
    old, new = played(days_ago=91), played(days_ago=89)
    settings.LOGS_KEPT_DAYS = 0  # everything stays
    prune()
    assert left_of(old) == (4, 4, 2)
    assert retention.deleted_after_days(match=old) == 0
    settings.LOGS_KEPT_DAYS = 90

    prune()

    assert left_of(old) == (0, 0, 0)
    assert left_of(new) == (4, 4, 2)
    assert GameRecord.objects.filter(game__match=old).count() == 2
    assert RatingEvent.objects.filter(match=old).count() == 2
    sums = GameLog.objects.filter(game__match=old).values_list("belief_bits", "belief_pieces")
    assert list(sums) == [(2.0, 4)] * 4
    call_command("rerate", "--check")


def test_run_is_bounded_and_next_continues(settings, monkeypatch):
    settings.LOGS_KEPT_DAYS = 90
    monkeypatch.setattr(retention, "BATCH", 2)
    monkeypatch.setattr(retention, "BATCHES", 1)
    old = played(days_ago=91)

    counts = [retention.prune() for _run in range(3)]

    assert counts == [4, 2, 0]  # two logs and both rows of evidence, the other logs, nothing
    assert left_of(old) == (0, 0, 0)
