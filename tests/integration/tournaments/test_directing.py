"""Tournaments go on by themselves, one step at a time, whatever is delivered twice or fails."""

from datetime import timedelta

import pytest
from django.utils import timezone

from arena.domain.accounts import notices
from arena.domain.formats import catalogue
from arena.domain.tournaments import snapshot
from arena.domain.tournaments.rounds import directing
from arena.models import (
    Match,
    Release,
    Tournament,
    TournamentStatus,
)
from engine import chance
from tests.integration.tournaments import making, rows
from tests.integration.tournaments.directed import play_through, told

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("format_", sorted(catalogue.FORMATS))
@pytest.mark.kept("swiss", "single_elimination", "groups_playoff")
def test_every_format_ends_with_better_seeds_on_top(format_):
    cup = rows.make_tournament(8, format=format_, slug="cup")

    play_through(cup)

    picture = snapshot.load(tournament=cup)
    assert cup.status == TournamentStatus.COMPLETED
    assert all(meeting.is_over for meeting in picture.state.meetings)
    assert picture.entrants[picture.standings[0].entrant].seed == 1
    assert all(row.finished_at for row in picture.rounds)
    assert making.log(cup)[-1] == "completed"


def test_round_is_drawn_once_after_last_match():
    cup = rows.make_tournament(4)

    taken = [directing.advance(tournament_pk=cup.pk) for _ in range(3)]

    assert taken == [2, 0, 0]  # drawn, and its matches made
    assert making.log(cup) == ["round_drawn"]
    first, second = rows.open_matches(cup)
    rows.play(first, 1.0, 1.0)
    directing.advance_all()
    assert cup.rounds.count() == 1
    rows.play(second, 0.5, 0.5)
    directing.advance_all()
    assert [row.number for row in cup.rounds.order_by("number")] == [1, 2]


def test_ended_match_asks_at_once_for_its_tournament(django_capture_on_commit_callbacks):
    cup = rows.make_tournament(2)
    directing.advance_all()

    with django_capture_on_commit_callbacks() as callbacks:
        rows.play(rows.open_matches(cup)[0], 1.0, 1.0)

    assert len([each for each in callbacks if "enqueue" in each.__qualname__]) == 2


def test_matches_are_unrated_and_seen_like_their_round():
    cup = rows.make_tournament(2, release=Release.HIDDEN)
    directing.advance_all()
    match = rows.open_matches(cup)[0]
    rows.play(match, 1.0, 0.5)
    match.refresh_from_db()

    assert (match.release, match.is_rated, match.finish_number) == (Release.HIDDEN, False, None)
    assert list(match.entrants.values_list("points", flat=True)) == [1.5, 0.5]
    assert not match.rating_events.exists()


@pytest.mark.parametrize(("release", "status"), [("public", "released"), ("entrants", "completed")])
def test_public_tournament_is_released_after_organizers_day(release, status):
    cup = rows.make_tournament(2, release=release)
    play_through(cup)
    assert cup.status == TournamentStatus.COMPLETED

    ended_at = timezone.now() - directing.RELEASED_AFTER
    Tournament.objects.filter(pk=cup.pk).update(completed_at=ended_at)
    directing.advance_all()

    cup.refresh_from_db()
    assert cup.status == status


def test_many_matches_are_made_in_several_steps(monkeypatch):
    monkeypatch.setattr(directing, "LEGS_AT_ONCE", 4)
    cup = rows.make_tournament(8, matches_per_pairing=3)

    taken = directing.advance(tournament_pk=cup.pk)

    assert taken == 3  # one that draws, two that make six matches each
    assert len(rows.open_matches(cup)) == 12


def test_same_tournament_same_matches_every_leg_own_chance():
    secrets = []
    for _ in range(2):
        cup = rows.make_tournament(3, matches_per_pairing=2)
        play_through(cup)
        found = Match.objects.filter(pairing__round__tournament=cup)
        ordered = found.order_by("pairing__round__number", "pairing__number", "leg")
        secrets.append(list(ordered.values_list("place", "secret")))

    assert secrets[0] == secrets[1]
    assert len({secret for _, secret in secrets[0]}) == 6
    for place, secret in secrets[0]:
        assert secret == chance.match_secret(rows.SECRET, place=place)


def test_knockout_tie_gets_extra_match_then_seed_decides():
    options = {"extra_matches": 1}
    cup = rows.make_tournament(2, format="single_elimination", format_options=options)
    for _ in range(2):
        directing.advance_all()
        (match,) = rows.open_matches(cup)
        rows.play(match, 0.5, 0.5)
    directing.advance_all()

    cup.refresh_from_db()
    legs_played = Match.objects.filter(pairing__round__tournament=cup).order_by("leg")
    assert [match.leg for match in legs_played] == [1, 2]
    assert cup.status == TournamentStatus.COMPLETED
    assert [each for each in making.log(cup) if each in ("extra_matches", "bracket_level")] == [
        "extra_matches",
        "bracket_level",
    ]


def test_extra_match_does_not_wait_for_round():
    cup = rows.make_tournament(4, format="single_elimination")
    directing.advance_all()
    first, _second = rows.open_matches(cup)
    rows.play(first, 0.5, 0.5)

    directing.advance_all()

    assert [match.leg for match in rows.open_matches(cup)] == [2, 1]


def test_tournament_is_frozen_and_started_in_time():
    past, soon = (timezone.now() + timedelta(seconds=each) for each in (-1, 60))
    early = rows.make_tournament(4, status=TournamentStatus.REGISTRATION, freezes_at=soon)
    cup = rows.make_tournament(
        4, status=TournamentStatus.REGISTRATION, freezes_at=past, starts_at=past
    )

    directing.advance_all()

    cup.refresh_from_db()
    assert cup.status == TournamentStatus.RUNNING
    assert making.log(cup) == ["frozen", "started", "round_drawn"]
    assert sorted(cup.entrants.values_list("seed", flat=True)) == [1, 2, 3, 4]
    early.refresh_from_db()
    assert early.status == TournamentStatus.REGISTRATION


def test_too_few_entrants_stays_and_organizers_told_once():
    past = timezone.now() - timedelta(seconds=1)
    cup = rows.make_tournament(1, status=TournamentStatus.REGISTRATION, freezes_at=past)

    directing.advance_all()
    notices.mark_read(user=cup.created_by)
    directing.advance_all()

    cup.refresh_from_db()
    assert cup.status == TournamentStatus.REGISTRATION
    assert making.log(cup) == ["not_frozen"]
    assert len(told(cup)) == 1
