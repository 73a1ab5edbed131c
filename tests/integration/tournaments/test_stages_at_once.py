"""Two organizers, or an organizer and an owner, at the same moment."""

import pytest

from arena.domain.bots import activation
from arena.domain.errors import Refused
from arena.domain.tournaments import stages
from arena.domain.tournaments.entry import entries
from arena.domain.tournaments.setup import drafts
from arena.models import Tournament
from tests import factories
from tests.integration.matches.test_at_once import at_once
from tests.integration.tournaments import making

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.every_store]


def codes(came):
    return sorted(each.code if isinstance(each, Refused) else "done" for each in came)


def test_one_of_two_organizers_deciding_looks_again():
    tournament = making.make_running()
    by = making.organizer(tournament)
    seen = tournament.revision

    came = at_once(
        lambda: stages.pause(
            tournament=making.fresh(tournament), by=by, revision=seen, reason="one"
        ),
        lambda: stages.cancel(
            tournament=making.fresh(tournament), by=by, revision=seen, reason="other"
        ),
        lambda: drafts.edit(
            tournament=making.fresh(tournament), by=by, values={"name": "New"}, revision=seen
        ),
    )

    assert codes(came) == ["done", "stale", "stale"]
    assert making.fresh(tournament).revision == seen + 1


def test_step_of_two_processes_is_taken_once():
    tournament = making.make_open()
    for _ in range(3):
        making.enter(tournament)

    came = at_once(*[lambda: stages.freeze(tournament=making.fresh(tournament), by=None)] * 3)

    assert codes(came) == ["done", "wrong_status", "wrong_status"]
    assert making.log(tournament).count("frozen") == 1
    seeds = tournament.entrants.order_by("seed").values_list("seed", flat=True)
    assert [*seeds] == [1, 2, 3]


def test_the_last_place_is_taken_once():
    tournament = making.make_open(max_entrants=2)
    making.enter(tournament)
    bots = [factories.make_ready().bot for _ in range(3)]
    for bot in bots:
        bot.refresh_from_db()

    came = at_once(
        *(
            lambda bot=bot: entries.enter(
                tournament=making.fresh(tournament), bot=bot, by=bot.owner
            )
            for bot in bots
        )
    )

    assert codes(came) == ["done", "tournament_full", "tournament_full"]
    assert tournament.entrants.filter(status="entered").count() == 2


def test_a_version_is_either_frozen_or_retired():
    tournament = making.make_open()
    versions = [factories.make_ready() for _ in range(3)]
    for version in versions:
        making.enter(tournament, version)

    came = at_once(
        lambda: stages.freeze(tournament=making.fresh(tournament), by=None),
        lambda: activation.retire(version=versions[0]),
    )

    versions[0].refresh_from_db()
    entrant = tournament.entrants.get(bot=versions[0].bot)
    if codes(came) == ["done", "done"]:  # retired first
        assert (versions[0].status, entrant.status) == ("retired", "withdrawn")
    else:
        assert codes(came) == ["done", "version_frozen"]
        assert (versions[0].status, entrant.version) == ("ready", versions[0])


def test_no_more_drafts_than_allowed_made_at_once(settings):
    settings.OPEN_TOURNAMENTS_PER_USER = 2
    user = factories.make_user()
    wanted = [making.values() for _ in range(4)]

    came = at_once(*(lambda each=each: drafts.create(by=user, values=each) for each in wanted))

    assert codes(came) == ["done", "done", "too_many_tournaments", "too_many_tournaments"]
    assert Tournament.objects.count() == 2


def test_name_asked_twice_at_once_is_given_once():
    users = [factories.make_user() for _ in range(3)]
    wanted = making.values(name="The Cup")

    came = at_once(*(lambda user=user: drafts.create(by=user, values=wanted) for user in users))

    assert codes(came) == ["done", "invalid", "invalid"]
