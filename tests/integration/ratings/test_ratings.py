import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from arena.domain import finishing
from arena.domain.ratings import elo, rating_events, recomputation, refits, scores
from arena.models import AppendOnly, Entrant, Ladder, RatingEvent
from tests import factories

pytestmark = [pytest.mark.django_db, pytest.mark.every_store]


def entrant(version):
    return Entrant.objects.get(ladder__slug="classic", bot=version.bot)


def test_two_game_match_is_one_event_per_entrant(two):
    match = factories.make_match(*two)

    factories.play_out(match, [1.0, 1.0])

    won, lost = RatingEvent.objects.order_by("-score")
    assert (won.before, won.after, won.score, won.expected) == (None, None, 1.0, 0.5)
    assert (won.finish_number, won.wins, won.losses) == (1, 2, 0)
    assert (lost.score, lost.expected, lost.losses) == (0.0, 0.5, 2)
    assert (entrant(two[1]).games, entrant(two[1]).losses) == (2, 2)


def test_event_has_ratings_before_and_after_match(two):
    ladder = factories.get_ladder()
    factories.play_out(factories.make_match(*two), [1.0, 1.0])
    refits.refresh(ladder=ladder)
    before = [entrant(version).rating for version in two]

    factories.play_out(factories.make_match(*two), [0.5, 0.0])

    events = [RatingEvent.objects.filter(version=each).latest("pk") for each in two]
    assert [(event.before, event.after, event.change) for event in events] == [
        (rating, None, None) for rating in before
    ]
    assert [event.expected for event in events] == [
        elo.expected(*before), elo.expected(*reversed(before))
    ]  # fmt: skip
    first = RatingEvent.objects.get(version=two[0], finish_number=1)
    refits.refresh(ladder=ladder)
    factories.play_out(factories.make_match(*two), [1.0, 1.0])
    refits.refresh(ladder=ladder)
    events = [RatingEvent.objects.get(version=each, finish_number=2) for each in two]
    third = RatingEvent.objects.get(version=two[0], finish_number=3)
    assert (events[0].after, first.after) == (third.before, before[0])
    moved = [event.change or 0.0 for event in events]
    assert moved[0] < 0 < moved[1]


def test_rating_a_match_twice_fails_on_the_constraint(two):
    match = factories.make_match(*two)
    factories.play_out(match, [1.0, 1.0])
    match.refresh_from_db()

    with pytest.raises(IntegrityError), transaction.atomic():
        rating_events.store(match=match, parts=scores.of_match(match=match))


def test_events_cannot_be_changed_or_deleted(two):
    factories.play_out(factories.make_match(*two), [1.0, 1.0])
    event = RatingEvent.objects.earliest("pk")

    event.after = 3000
    for attempt in (
        event.save,
        event.delete,
        RatingEvent.objects.all().delete,
        lambda: RatingEvent.objects.update(after=3000),
    ):
        with pytest.raises(AppendOnly):
            attempt()


def test_late_match_counts_for_older_version_only(two):
    factories.play_out(factories.make_match(*two), [1.0, 1.0])
    refits.refresh(ladder=factories.get_ladder())
    rating = entrant(two[0]).rating
    match = factories.make_match(*two)
    lease = factories.claim(match)
    newer = factories.make_ready(two[0].bot)

    for game in match.games.all():
        factories.store(lease, game, 1.0)
    finishing.finish(lease=lease)

    assert (entrant(newer).version, entrant(newer).games) == (newer, 0)
    late = RatingEvent.objects.get(match=match, version=two[0])
    assert (late.before, late.wins + late.losses) == (rating, 2)
    assert recomputation.rerate(ladder=match.ladder) == []


def test_rerate_finds_nothing_on_played_ladder(capsys):
    versions = [factories.make_ready() for _ in range(4)]
    for number in range(12):
        pair = versions[number % 4], versions[(number + 1 + number // 4) % 4]
        factories.play_out(factories.make_match(*pair), [1.0, 0.5 if number % 3 else 0.0])

    call_command("rerate", "--check")

    assert capsys.readouterr().out.splitlines() == [
        f"{ladder.slug}: {24 if ladder.slug == 'classic' else 0} events, 0 differences"
        for ladder in Ladder.objects.all()
    ]
    with pytest.raises(CommandError, match="no ladder chess"):
        call_command("rerate", "chess")
