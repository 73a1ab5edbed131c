"""Who organizes a tournament: added by one of them, told, and never nobody."""

import pytest

from arena.domain.accounts import permissions
from arena.domain.tournaments import organizers, stages
from arena.domain.tournaments.rehearsal import rehearsals
from tests import factories
from tests.integration.tournaments import making

pytestmark = pytest.mark.django_db


def test_second_organizer_decides_and_is_told():
    tournament = making.make_open()
    by, second = making.organizer(tournament), factories.make_user("ada")

    assert organizers.add(tournament=tournament, by=by, username=" @ada ") == second

    stages.cancel(tournament=tournament, by=second, reason="No hall.")
    (text,) = second.notices.values_list("text", flat=True)
    assert text == f"You are now an organizer of {tournament.name}, together with {by}."
    assert making.log(tournament)[2:] == ["organizer_added", "cancelled"]
    assert tournament.revision == 4


def test_who_was_removed_decides_nothing_any_more():
    tournament = making.make_open()
    by, second = making.organizer(tournament), factories.make_user("ada")
    organizers.add(tournament=tournament, by=by, username="ada")

    organizers.remove(tournament=tournament, by=second, user=by)

    refused = making.refusal(stages.cancel, tournament=tournament, by=by, reason="x")
    assert refused[0] == "not_an_organizer"
    assert making.log(tournament)[2:] == ["organizer_added", "organizer_removed"]


@pytest.mark.parametrize(
    ("username", "code"),
    [("nobody", "unknown_user"), ("gone", "unknown_user"), ("ada", "is_organizer")],
)
def test_unknown_user_or_present_organizer_not_added(username, code):
    ada, gone = factories.make_user("ada"), factories.make_user("gone")
    gone.is_active = False
    gone.save()
    tournament = making.make_open(ada)

    refused = making.refusal(organizers.add, tournament=tournament, by=ada, username=username)

    assert refused[0] == code


def test_organizers_number_from_one_to_twenty():
    tournament = making.make_open()
    by = making.organizer(tournament)
    assert making.refusal(organizers.remove, tournament=tournament, by=by, user=by)[0] == (
        "last_organizer"
    )
    for _ in range(organizers.MOST - 1):
        organizers.add(tournament=tournament, by=by, username=factories.make_user().username)

    one_more = factories.make_user()
    refused = making.refusal(
        organizers.add, tournament=tournament, by=by, username=one_more.username
    )
    not_one = making.refusal(organizers.remove, tournament=tournament, by=by, user=one_more)

    assert (refused[0], not_one[0]) == ("too_many_organizers", "not_an_organizer")


def test_others_add_nobody_and_stale_is_refused():
    tournament = making.make_open()
    by, stranger = making.organizer(tournament), factories.make_user()

    refused = making.refusal(
        organizers.add, tournament=tournament, by=stranger, username=stranger.username
    )
    stale = making.refusal(
        organizers.add, tournament=tournament, by=by, username=stranger.username, revision=1
    )

    assert (refused[0], stale[0]) == ("not_an_organizer", "stale")


def test_rehearsals_are_organized_by_tournament_organizers_only():
    tournament = making.make_draft()
    by, second, third = making.organizer(tournament), *(factories.make_user() for _ in range(2))
    organizers.add(tournament=tournament, by=by, username=second.username)
    rehearsal = rehearsals.start(tournament=tournament, by=by)

    organizers.add(tournament=tournament, by=by, username=third.username)
    organizers.remove(tournament=tournament, by=by, user=second)

    may = [permissions.may_organize(user, rehearsal) for user in (by, second, third)]
    assert may == [True, False, True]
