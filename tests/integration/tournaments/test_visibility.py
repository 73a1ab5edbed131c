"""Who sees which round of a tournament."""

import pytest
from django.contrib.auth.models import AnonymousUser

from arena.domain.errors import Refused
from arena.domain.tournaments import log, releases, visibility
from arena.domain.tournaments.entry import entries
from arena.domain.tournaments.interventions.entrants import Disqualify
from arena.models import (
    Game,
    Match,
    PairingEntrant,
    Release,
    Tournament,
    TournamentEntrant,
    TournamentRound,
    TournamentStatus,
    User,
)
from tests import embargoes
from tests.factories import make_bot, make_user
from tests.integration.tournaments import making, playing

pytestmark = pytest.mark.django_db

HIDDEN, ENTRANTS, PUBLIC = Release.HIDDEN, Release.ENTRANTS, Release.PUBLIC


@pytest.fixture
def world():
    return embargoes.make_world()


@pytest.fixture
def operator(db):
    return User.objects.create_user("operator", is_staff=True)


def draw(world, *wanted):
    """Draw rounds, each seen by whom it is said."""
    return [
        TournamentRound.objects.create(tournament=world.tournament, number=number, release=release)
        for number, release in enumerate(wanted, start=1)
    ]


def seen_by(world):
    """Return how many rounds everybody sees: the public, entrants' owners, and organizers."""
    viewers = (None, AnonymousUser(), world.stranger, world.owner, world.organizer)
    return [visibility.rounds_seen(tournament=world.tournament, viewer=who) for who in viewers]


def told(world):
    return list(world.tournament.rounds.order_by("number").values_list("release", flat=True))


def set_release(world, number, release, by=None, revision=None):
    return releases.set_release(
        tournament=world.tournament,
        round_number=number,
        release=release,
        by=by or world.organizer,
        revision=revision,
    )


@pytest.mark.parametrize(
    ("wanted", "seen"),
    [
        ([], [0, 0, 0, 0, 0]),
        ([HIDDEN], [0, 0, 0, 0, 1]),
        ([PUBLIC, ENTRANTS, HIDDEN], [1, 1, 1, 2, 3]),
        ([PUBLIC, PUBLIC], [2, 2, 2, 2, 2]),
        ([ENTRANTS, PUBLIC], [0, 0, 0, 2, 2]),  # no round is seen before an earlier one
        ([HIDDEN, PUBLIC], [0, 0, 0, 0, 2]),
    ],
)
def test_rounds_are_seen_from_the_first_on(world, wanted, seen):
    draw(world, *wanted)

    assert seen_by(world) == seen


@pytest.mark.parametrize("release", [HIDDEN, ENTRANTS, PUBLIC])
def test_match_and_games_are_seen_with_round(world, release, operator):
    embargoes.draw_round(world, release)
    viewers = (None, world.stranger, world.owner, world.organizer, operator)

    seen = {}
    for who in viewers:
        found = Match.objects.visible_to(who)
        seen[who] = {embargoes.may_see(match=match, viewer=who) for match in world.matches}
        assert seen[who] == {found.count() == 3}
        assert Game.objects.visible_to(who).count() == 2 * found.count()

    assert [seen[who] == {True} for who in viewers] == [
        release == PUBLIC,
        release == PUBLIC,
        release != HIDDEN,
        True,
        True,
    ]


@pytest.mark.parametrize(
    ("status", "until", "sees"),
    [
        ("invited", None, False),
        ("declined", None, False),
        ("entered", None, True),
        ("withdrawn", 0, False),
        ("withdrawn", 1, False),
        ("disqualified", 1, False),
    ],
)
def test_entrants_are_those_who_are_in_it(world, status, until, sees):
    embargoes.draw_round(world, ENTRANTS)
    own = world.tournament.entrants.filter(bot__owner=world.owner)
    PairingEntrant.objects.filter(entrant__in=own).delete()
    own.update(status=status, until_round=until)

    assert embargoes.may_see(match=world.played, viewer=world.owner) == sees
    assert visibility.rounds_seen(tournament=world.tournament, viewer=world.owner) == sees


def test_the_rounds_of_all_tournaments_that_somebody_sees(world, operator):
    first, second, third = draw(world, PUBLIC, ENTRANTS, HIDDEN)
    viewers = (None, world.stranger, world.owner, world.organizer, operator)

    seen = [set(TournamentRound.objects.visible_to(who)) for who in viewers]

    everything = {first, second, third}
    assert seen == [{first}, {first}, {first, second}, everything, everything]


def test_entrants_of_one_tournament_see_nothing_of_another(world):
    embargoes.draw_round(world, ENTRANTS)
    other = embargoes.make_rehearsal(world)
    Tournament.objects.filter(pk=other.pk).update(rehearsal_of=None)
    bot = make_bot(world.stranger)
    TournamentEntrant.objects.create(tournament=other, bot=bot)

    assert not embargoes.may_see(match=world.played, viewer=world.stranger)
    TournamentEntrant.objects.create(tournament=world.tournament, bot=bot)
    assert embargoes.may_see(match=world.played, viewer=world.stranger)


def test_organizer_barred_from_site_sees_nothing(world):
    embargoes.draw_round(world)
    world.organizer.is_active = False

    assert not embargoes.may_see(match=world.played, viewer=world.organizer)
    assert visibility.rounds_seen(tournament=world.tournament, viewer=world.organizer) == 0


def test_release_of_round_is_that_of_matches(world):
    embargoes.draw_round(world)

    entry = set_release(world, 1, PUBLIC)

    assert {match.release for match in world.matches} == {PUBLIC}
    assert (entry.action, entry.round_number, entry.details) == (
        "release_set",
        1,
        {"release": "public"},
    )
    assert entry.revision == world.tournament.revision == 2


def test_hiding_a_round_hides_those_after_it(world):
    draw(world, PUBLIC, PUBLIC, ENTRANTS, HIDDEN)

    set_release(world, 2, ENTRANTS)
    assert told(world) == [PUBLIC, ENTRANTS, ENTRANTS, HIDDEN]

    set_release(world, 1, HIDDEN)
    assert told(world) == [HIDDEN, HIDDEN, HIDDEN, HIDDEN]


def test_showing_a_round_shows_none_after_it(world):
    draw(world, HIDDEN, HIDDEN)

    set_release(world, 1, PUBLIC)

    assert told(world) == [PUBLIC, HIDDEN]


def test_no_round_is_shown_before_an_earlier_one(world):
    draw(world, ENTRANTS, HIDDEN)

    with pytest.raises(Refused, match="Fewer people can see round 1") as refused:
        set_release(world, 2, PUBLIC)

    assert (refused.value.code, told(world)) == ("release_order", [ENTRANTS, HIDDEN])


def test_what_cannot_be_shown_is_refused_with_reason(world):
    draw(world, HIDDEN)
    with pytest.raises(
        Refused, match=r"There is no round 2 yet\. Rounds drawn so far: 1"
    ) as refused:
        set_release(world, 2, PUBLIC)
    assert refused.value.code == "unknown_round"

    with pytest.raises(Refused) as refused:
        set_release(world, 1, PUBLIC, by=world.owner)
    assert refused.value.code == "not_an_organizer"

    with pytest.raises(Refused) as refused:
        set_release(world, 1, PUBLIC, revision=0)
    assert refused.value.code == "stale"

    Tournament.objects.update(status=TournamentStatus.RELEASED)
    with pytest.raises(Refused) as refused:
        set_release(world, 1, HIDDEN)
    assert refused.value.code == "wrong_status"
    assert told(world) == [HIDDEN]


@pytest.mark.parametrize(
    ("policy", "last", "expected"),
    [
        (PUBLIC, [], PUBLIC),
        (ENTRANTS, [], ENTRANTS),
        (PUBLIC, [ENTRANTS], ENTRANTS),
        (ENTRANTS, [PUBLIC], ENTRANTS),
        (PUBLIC, [HIDDEN], HIDDEN),
        (PUBLIC, [PUBLIC], PUBLIC),
    ],
)
def test_new_round_seen_by_no_more_than_before(world, policy, last, expected):
    draw(world, *last)
    world.tournament.release = policy

    assert visibility.of_next_round(tournament=world.tournament) == expected


def test_a_rehearsal_is_hidden_whatever_is_done(world):
    rehearsal = embargoes.make_rehearsal(world)
    TournamentRound.objects.create(tournament=rehearsal, number=1, release=HIDDEN)

    assert visibility.of_next_round(tournament=rehearsal) == HIDDEN
    visibility.publish(tournament=rehearsal)
    with pytest.raises(Refused, match="Only the organizers can see a rehearsal"):
        releases.set_release(
            tournament=rehearsal, round_number=1, release=PUBLIC, by=world.organizer
        )
    assert {row.release for row in rehearsal.rounds.all()} == {HIDDEN}


def test_drafts_and_rehearsals_listed_to_organizers_only(world, operator):
    rehearsal = embargoes.make_rehearsal(world)

    def listed(who):
        return set(Tournament.objects.visible_to(who))

    assert listed(None) == listed(world.stranger) == listed(world.owner) == {world.tournament}
    assert listed(world.organizer) == listed(operator) == {world.tournament, rehearsal}
    Tournament.objects.filter(pk=world.tournament.pk).update(status=TournamentStatus.DRAFT)
    assert listed(None) == listed(world.owner) == set()
    assert listed(world.organizer) == {world.tournament, rehearsal}


def test_viewer_of_nothing_special_is_asked_one_column(world, django_assert_num_queries):
    embargoes.draw_round(world, PUBLIC)

    with django_assert_num_queries(1):
        list(Match.objects.visible_to(None))
    with django_assert_num_queries(2):
        rows = Match.objects.visible_to(world.owner)
        assert len(list(rows)) == 3
    assert "arena_pairing" not in str(rows.query)


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
    assert not embargoes.may_see(match=match, viewer=make_user())


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
