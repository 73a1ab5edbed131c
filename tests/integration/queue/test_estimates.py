"""What the queue learns from the times that it promised."""

from datetime import timedelta

import pytest
from django.utils import timezone

from arena.domain.queue import estimates
from arena.models import Match
from tests import factories
from tests.clocks import Clock

pytestmark = pytest.mark.django_db


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


def began(like, number, *, promised_s, waited_s):
    """Have so many matches that were to begin within some time, and began after another."""
    on = timezone.now() - timedelta(hours=1)
    for _ in range(number):
        row = factories.make_match(*[each.version for each in like.entrants.all()])
        Match.objects.filter(pk=row.pk).update(
            status="cancelled",
            finished_at=timezone.now(),
            taken_at=on + timedelta(seconds=waited_s),
            foreseen_on=on,
            foreseen_at=on + timedelta(seconds=promised_s),
        )


@pytest.mark.usefixtures("clock")
def test_estimates_are_stretched_until_nine_of_ten_are_kept():
    playing, waiting = factories.make_match(), factories.make_match()
    factories.claim(playing)
    before = estimates.look().begins_s["match", waiting.pk]
    assert before > 0

    began(playing, 18, promised_s=10.0, waited_s=5.0)
    assert estimates.look().begins_s["match", waiting.pk] == pytest.approx(before, rel=0.1)
    began(playing, 40, promised_s=10.0, waited_s=30.0)

    assert estimates.look().begins_s["match", waiting.pk] == pytest.approx(3 * before, rel=0.1)


@pytest.mark.usefixtures("clock")
def test_a_match_is_noted_once_and_one_that_is_late_counts_before_it_begins():
    playing, waiting = factories.make_match(), factories.make_match()
    factories.claim(playing)
    estimates.note()
    noted = Match.objects.get(pk=waiting.pk)
    estimates.note()

    assert Match.objects.get(pk=waiting.pk).foreseen_on == noted.foreseen_on
    assert noted.foreseen_on
    assert noted.foreseen_at
    assert noted.foreseen_at > noted.foreseen_on
    began(playing, estimates.FEWEST_NOTED - 1, promised_s=10.0, waited_s=10.0)
    on = timezone.now() - timedelta(seconds=100)
    for row in (waiting, *(factories.make_match() for _ in range(4))):
        Match.objects.filter(pk=row.pk).update(
            foreseen_on=on, foreseen_at=on + timedelta(seconds=20)
        )

    assert estimates._stretch() == pytest.approx(5.0, rel=0.1)
