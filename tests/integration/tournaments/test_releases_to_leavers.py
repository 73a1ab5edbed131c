"""Who was in a tournament, and which rounds they still see."""

import pytest

from arena.domain.tournaments import log, visibility
from arena.domain.tournaments.entry import entries
from arena.domain.tournaments.interventions.entrants import Disqualify
from arena.models import Release
from tests import embargoes, factories
from tests.integration.tournaments import making, playing

pytestmark = pytest.mark.django_db

HIDDEN, ENTRANTS, PUBLIC = Release.HIDDEN, Release.ENTRANTS, Release.PUBLIC


@pytest.fixture
def world():
    return embargoes.make_world()


@pytest.mark.parametrize(("status", "until"), [("withdrawn", 0), ("disqualified", 1)])
def test_paired_leavers_still_count_as_entrants(world, status, until):
    embargoes.draw_round(world, ENTRANTS)
    own = world.tournament.entrants.filter(bot__owner=world.owner)
    own.update(status=status, until_round=until)

    assert embargoes.may_see(match=world.played, viewer=world.owner)
    assert visibility.rounds_seen(tournament=world.tournament, viewer=world.owner) == 1


def test_disqualified_entrant_still_sees_match_of_three():
    cup = playing.begin(3, ladder="siege-3", release="entrants")
    (match,) = playing.matches_of(cup)
    entrant = playing.sides(match.pairing)[0]

    entry = playing.act(cup, Disqualify(entrant.pk))

    match.refresh_from_db()
    assert embargoes.may_see(match=match, viewer=entrant.bot.owner)
    assert entry in log.of(tournament=cup, viewer=entrant.bot.owner)
    assert not embargoes.may_see(match=match, viewer=factories.make_user())


def test_late_entry_and_leaving_reveals_no_rounds():
    swiss = {"format": "swiss", "format_options": {"rounds": 3}, "last_entry_round": 3}
    cup = playing.begin(4, release="entrants", **swiss)
    spy = making.enter(cup)

    def seen():
        return visibility.rounds_seen(tournament=cup, viewer=spy.bot.owner)

    assert seen() == 1
    entries.leave(tournament=cup, bot=spy.bot, by=spy.bot.owner)
    cup = playing.play_round(cup)
    assert (seen(), cup.rounds.count()) == (0, 2)
