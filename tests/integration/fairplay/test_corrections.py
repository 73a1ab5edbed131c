from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from arena.domain.accounts import staff_log
from arena.domain.errors import Refused
from arena.domain.fairplay import corrections
from arena.domain.fairplay.corrections import NotAsPreviewed
from arena.domain.ratings import recomputation, refits
from arena.models import Annulment, Match, Season, StaffAction, User
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def ladder():
    return factories.get_ladder()


@pytest.fixture
def versions():
    return [factories.make_ready() for _ in range(4)]


def played(first, second, *points):
    return factories.play_duel(first, second, *(points or [1.0, 1.0]))


def ratings(ladder):
    """Return the rating of each bot in a new fit."""
    refits.refresh(ladder=ladder)
    return {row.bot_id: row.rating for row in ladder.entrants.all()}


def test_annulment_does_what_the_dry_run_showed(operator, ladder, versions):
    one, two, three, _four = versions
    farmed = [played(one, two) for _ in range(3)]
    played(three, one)
    played(two, three, 0.5, 0.5)

    seen = corrections.try_annulment(chosen=farmed)
    before = ratings(ladder)
    assert {row.entrant.bot_id: row.before for row in seen.changes} == before
    assert seen.moved
    annulment = corrections.annul(chosen=farmed, by=operator, reason=" farmed ", seen=seen.digest)

    row = StaffAction.objects.get()
    assert (row.by, row.action, row.reason) == (operator, "annul", "farmed")
    assert row.details["matches"] == [match.public_id for match in farmed]
    assert {row.entrant.bot_id: row.after for row in seen.changes} == ratings(ladder) != before
    assert {match.annulment for match in Match.objects.filter(annulment__isnull=False)} == {
        annulment
    }
    assert recomputation.rerate(ladder=ladder) == []


def test_stale_dry_run_is_refused_with_fresh_one(operator, ladder, versions):
    match, other = played(versions[0], versions[1]), played(versions[0], versions[2])
    seen = corrections.try_annulment(chosen=[match])

    with pytest.raises(NotAsPreviewed):
        corrections.annul(chosen=[match, other], by=operator, reason="farmed", seen=seen.digest)
    assert not Annulment.objects.exists()
    assert not StaffAction.objects.exists()
    corrections.annul(
        chosen=[other],
        by=operator,
        reason="farmed",
        seen=corrections.try_annulment(chosen=[other]).digest,
    )
    with pytest.raises(NotAsPreviewed) as refused:
        corrections.annul(chosen=[match], by=operator, reason="farmed", seen=seen.digest)

    fresh = refused.value.fresh
    corrections.annul(chosen=[match], by=operator, reason="farmed", seen=fresh.digest)
    assert ratings(ladder) == {row.entrant.bot_id: row.after for row in fresh.changes}


def test_matches_finished_meanwhile_do_not_block_annulment(operator, ladder, versions):
    match = played(versions[0], versions[1])
    seen = corrections.try_annulment(chosen=[match])
    played(versions[0], versions[1])

    corrections.annul(chosen=[match], by=operator, reason="farmed", seen=seen.digest)

    assert list(Match.objects.exclude(annulment=None)) == [match]
    assert recomputation.rerate(ladder=ladder) == []


def test_without_a_reason_nothing_is_done(operator, ladder, versions):
    match = played(versions[0], versions[1])
    waiting = factories.make_match(versions[2], versions[3])
    seen = corrections.try_annulment(chosen=[match])

    for attempt in (
        lambda: corrections.annul(chosen=[match], by=operator, reason=" ", seen=seen.digest),
        lambda: corrections.void(match=waiting, by=operator, reason=""),
        lambda: corrections.cancel(match=waiting, by=operator, reason=""),
        lambda: corrections.rerun(match=waiting, by=operator, reason=""),
        lambda: corrections.end_season(
            ladder=ladder, by=operator, reason="", seen=corrections.try_end(ladder=ladder).digest
        ),
    ):
        with pytest.raises(Refused) as refused:
            attempt()
        assert refused.value.code == "no_reason"
    assert not StaffAction.objects.exists()
    assert Match.objects.get(pk=waiting.pk).is_open


def test_matches_are_chosen_by_bot_day_and_place(ladder, versions):
    one, two, three, _four = versions
    rows = [played(one, two), played(one, three), played(two, three), played(one, two)]
    long_ago = timezone.now() - timedelta(days=9)
    Match.objects.filter(pk=rows[0].pk).update(finished_at=long_ago)
    chosen = {
        "all": corrections.choose(ladder=ladder, bot=one.bot),
        "since": corrections.choose(
            ladder=ladder, bot=one.bot, since=datetime.now(UTC).date() - timedelta(days=3)
        ),
        "until": corrections.choose(ladder=ladder, bot=one.bot, until=rows[1].finish_number),
    }

    assert chosen == {
        "all": [rows[0], rows[1], rows[3]],
        "since": [rows[1], rows[3]],
        "until": [rows[0], rows[1]],
    }


def test_season_ends_once_and_is_noted(operator, ladder, versions):
    played(versions[0], versions[1])
    act = {"by": operator, "reason": "over", "seen": corrections.try_end(ladder=ladder).digest}

    season = corrections.end_season(ladder=ladder, **act)

    row = StaffAction.objects.get()
    assert (row.action, row.target, row.url) == (
        "end_season", f"{ladder}, season 1", f"/ladders/{ladder.slug}/seasons/1/"
    )  # fmt: skip
    assert season.ended_by == operator
    with pytest.raises(NotAsPreviewed):
        corrections.end_season(ladder=ladder, **act)
    assert Season.objects.get() == season


def test_open_match_is_voided_cancelled_and_played_again(operator, versions):
    first, second = (factories.make_match(versions[0], versions[1]) for _ in range(2))

    again = corrections.void(match=first, by=operator, reason="a bad runner")
    corrections.cancel(match=second, by=operator, reason="not needed")
    once_more = corrections.rerun(match=second, by=operator, reason="needed after all")

    assert [row.rerun_of for row in (again, once_more)] == [first, second]
    assert (
        list(Match.objects.filter(pk__in=[first.pk, second.pk]).values_list("status", flat=True))
        == ["cancelled"] * 2
    )
    said = StaffAction.objects.order_by("pk").values_list("action", "reason", "url")
    assert list(said) == [
        ("void", "a bad runner", first.get_absolute_url()),
        ("cancel", "not needed", second.get_absolute_url()),
        ("rerun", "needed after all", second.get_absolute_url()),
    ]


def test_finished_match_is_not_ended_again_nor_noted(operator, versions):
    match = played(versions[0], versions[1])

    for attempt in (corrections.void, corrections.cancel, corrections.rerun):
        with pytest.raises(Refused):
            attempt(match=match, by=operator, reason="because")

    assert not StaffAction.objects.exists()


def test_log_is_filtered_by_who_what_text_day(operator):
    other = User.objects.create_superuser("other")
    first = staff_log.note(by=operator, action="void", target="match m_1", reason="a bad runner")
    second = staff_log.note(by=other, action="cancel", target="match m_2")

    assert list(staff_log.log()) == [second, first]
    assert list(staff_log.log(by="other")) == [second]
    assert list(staff_log.log(action="void")) == [first]
    assert list(staff_log.log(text="M_2")) == [second]
    assert list(staff_log.log(text="bad RUNNER")) == [first]
    assert list(staff_log.log(since=datetime.now(UTC).date() + timedelta(days=1))) == []
    assert staff_log.actions() == ["cancel", "void"]


def test_look_into_what_is_anothers_is_noted_hourly(operator):
    bot = factories.make_bot()
    for what in ("log of a", "log of a", "log of b"):
        staff_log.note_look(by=operator, bots=[bot], what=what, url="/")
    for by in (bot.owner, AnonymousUser()):
        assert staff_log.note_look(by=by, bots=[bot], what="log of a", url="/") is None

    assert [row.target for row in StaffAction.objects.order_by("pk")] == [
        f"log of a, {bot}",
        f"log of b, {bot}",
    ]


def test_a_match_is_played_again_once(operator, versions):
    void, cancelled = (factories.make_match(versions[0], versions[1]) for _ in range(2))
    again = corrections.void(match=void, by=operator, reason="a bad runner")
    corrections.cancel(match=cancelled, by=operator, reason="not needed")
    corrections.rerun(match=cancelled, by=operator, reason="needed after all")

    for match in (void, cancelled):
        with pytest.raises(Refused) as refused:
            corrections.rerun(match=match, by=operator, reason="a second click")
        assert refused.value.code == "match_rerun"
        assert match.reruns.count() == 1
    assert not StaffAction.objects.filter(reason="a second click").exists()
    corrections.cancel(match=again, by=operator, reason="not needed")
    assert corrections.rerun(match=again, by=operator, reason="needed").rerun_of == again
