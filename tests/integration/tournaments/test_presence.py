"""Who has left in a round is still in it for who may not see that round."""

import pytest

from arena.domain.tournaments import exports, listings, releases, snapshot, stages, visibility
from arena.domain.tournaments import log as tournament_log
from arena.domain.tournaments.entry import entries
from arena.domain.tournaments.interventions.entrants import Disqualify, Withdraw
from arena.domain.tournaments.interventions.matches import Rerun
from arena.models import Release
from tests import factories
from tests.integration.tournaments import directed, making, playing

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

SWISS = {"format": "swiss", "format_options": {"rounds": 3}}


def show(cup):
    for row in cup.rounds.order_by("number"):
        releases.set_release(
            tournament=cup,
            round_number=row.number,
            release=Release.PUBLIC,
            by=making.organizer(cup),
        )
    return making.fresh(cup)


def shown(cup, viewer=None):
    """Return who is what, as everybody or somebody sees it, with the round after which it left."""
    rows = listings.entrants(tournament=cup, viewer=viewer)
    return {row.pk: (row.status, row.until_round) for row in rows}


def seen_of(cup):
    """Return all that the public gets of a tournament in files, in the log and in the lists."""
    seen = visibility.rounds_seen(tournament=cup, viewer=None)
    picture = snapshot.load(tournament=cup, rounds=seen)
    log = [tournament_log.say(entry) for entry in tournament_log.of(tournament=cup, viewer=None)]
    texts = [exports.table(tournament=cup, rounds=seen, what=what) for what in exports.TABLES]
    return exports.document(tournament=cup, rounds=seen), picture.standings, log, texts, shown(cup)


@pytest.mark.parametrize(
    ("bots", "terms", "act"),
    [
        (4, {}, Withdraw),
        (4, {}, Disqualify),
        (6, SWISS, Disqualify),
        (4, {"format": "single_elimination"}, Withdraw),
        (4, {"format": "double_elimination"}, Disqualify),
        (4, {"format": "gauntlet"}, Withdraw),
        (8, {"format": "groups_playoff"}, Disqualify),
    ],
)
def test_leaving_in_hidden_round_changes_nothing_others_see(bots, terms, act):
    cup = playing.hide(playing.play_round(playing.begin(bots, **terms)), 2)
    entrant = playing.sides(playing.pairings_of(cup, 2)[0])[0]
    before = seen_of(cup)

    playing.act(cup, act(entrant.pk))

    entrant.refresh_from_db()
    assert seen_of(cup) == before
    assert shown(show(cup))[entrant.pk] == (entrant.status, 2)
    assert entrant.status != "entered"


def test_who_left_in_shown_round_has_left():
    cup = playing.begin(4)
    entrant = cup.entrants.get(seed=1)

    playing.act(cup, Withdraw(entrant.pk))
    cup = playing.hide(playing.play_round(cup), 2)

    assert shown(cup)[entrant.pk] == ("withdrawn", 1)


def test_who_left_before_first_round_has_visibly_left():
    cup = making.make_frozen(4, min_entrants=3)
    entrant = cup.entrants.get(seed=1)
    entries.leave(tournament=cup, bot=entrant.bot, by=entrant.bot.owner)
    stages.start(tournament=cup, by=None)

    assert shown(playing.hide(playing.go_on(cup), 1))[entrant.pk] == ("withdrawn", 0)


def test_withdrawn_then_disqualified_in_hidden_round_has_withdrawn():
    cup = playing.begin(6, **SWISS, min_entrants=4)
    match = playing.matches_of(cup)[0]
    cup = playing.play_round(cup)
    entrant = playing.sides(match.pairing)[0]
    playing.act(cup, Withdraw(entrant.pk))  # after round 2
    cup = playing.hide(playing.play_round(cup), 3)
    assert cup.rounds.count() == 3

    playing.act(cup, Disqualify(entrant.pk))

    assert shown(cup)[entrant.pk] == ("withdrawn", 2)
    assert shown(cup, making.organizer(cup))[entrant.pk][0] == "disqualified"


def test_of_three_disqualified_entrant_is_in_hidden_round():
    cup = playing.begin(3, ladder="siege-3", release="hidden")
    entrant = cup.entrants.get(seed=1)

    playing.act(cup, Disqualify(entrant.pk))

    entrant.refresh_from_db()
    assert entrant.until_round == 0
    assert shown(cup)[entrant.pk] == ("entered", None)


def test_of_three_failing_version_is_in_hidden_round():
    cup = playing.begin(3, ladder="siege-3", release="hidden")
    entrant = cup.entrants.get(seed=1)
    directed.fail(playing.matches_of(cup)[0])
    directed.retire(entrant)

    playing.go_on(cup)

    entrant.refresh_from_db()
    assert (entrant.status, entrant.until_round) == ("withdrawn", 0)
    assert shown(cup)[entrant.pk] == ("entered", None)
    assert shown(show(cup))[entrant.pk] == ("withdrawn", 0)


def test_owners_know_of_own_organizers_of_all():
    cup = playing.begin(4, release="hidden")
    entrant = cup.entrants.get(seed=1)
    entries.leave(tournament=cup, bot=entrant.bot, by=entrant.bot.owner)

    viewers = (None, factories.make_user(), entrant.bot.owner, making.organizer(cup))
    told = [shown(cup, viewer)[entrant.pk][0] for viewer in viewers]

    assert told == ["entered", "entered", "withdrawn", "withdrawn"]


def test_picture_of_all_rounds_shows_all_changes_none():
    cup = playing.begin(4, release="hidden")
    entrant = cup.entrants.get(seed=1)
    playing.act(cup, Disqualify(entrant.pk))

    looks = [snapshot.load(tournament=cup, rounds=rounds) for rounds in (0, 1, None)]

    told = [look.entrants[entrant.pk].status for look in looks]
    assert told == ["entered", "disqualified", "disqualified"]
    assert cup.entrants.get(pk=entrant.pk).status == "disqualified"


def test_result_corrected_in_hidden_round_is_seen():
    """Who was there when an earlier round was decided anew is known to its score."""
    cup = playing.begin(4)
    match = playing.matches_of(cup)[0]
    cup = playing.hide(playing.play_round(cup, *playing.WON), 2)
    one, other = playing.sides(match.pairing)
    playing.act(cup, Rerun(match.public_id))

    playing.act(cup, Disqualify(one.pk))

    rows = snapshot.load(tournament=cup, rounds=1).standings
    points = {row.entrant: row.points for row in rows}
    assert (points[one.pk], points[other.pk]) == (0.0, 2.0)
