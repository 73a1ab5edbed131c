"""Marks of pages: a page that changed has another one, and nothing that is hidden makes one."""

import pytest

from arena.domain import marks
from arena.domain.marks import Shows, Subject
from arena.domain.matches import leases, lifecycle
from arena.domain.tournaments import releases, stages, visibility
from arena.domain.tournaments.entry import entries
from arena.models import ANYBODY, Release
from tests import factories
from tests.factories import claim, get_ladder, make_begun_match, make_match, make_ready, make_user
from tests.integration.tournaments import making, playing
from tests.integration.web.played import finish_games

pytestmark = pytest.mark.django_db

MATCHES, QUEUE = Subject(Shows.MATCHES), Subject(Shows.QUEUE)


def mark_of(subject):
    return marks.marks(subjects=[subject]).get(subject)


class Watch:
    """Which of some subjects have another mark than before."""

    def __init__(self, **subjects):
        self.subjects, self.before = subjects, {}
        self.changed()

    def changed(self):
        """Return the names of those that have changed since it was asked last."""
        now = {name: mark_of(subject) for name, subject in self.subjects.items()}
        found = {name for name in now if now[name] != self.before.get(name)}
        self.before = now
        return found


def of_match(match):
    return Subject(Shows.MATCH, match.public_id, Release(match.release))


def test_every_match_step_changes_what_shows_it():
    match = make_match(ladder=get_ladder("general"))
    watch = Watch(list=MATCHES, queue=QUEUE, match=of_match(match))
    assert watch.changed() == set()

    lease = claim(match)
    assert watch.changed() == {"list", "queue", "match"}

    leases.renew(lease=lease, status="running")
    assert watch.changed() == {"list", "match"}
    lifecycle.begin_game(lease=lease, game=match.games.get(number=1))
    assert watch.changed() == {"match"}

    finish_games(lease, match)
    assert watch.changed() == {"list", "queue", "match"}


def test_unannounced_match_and_upload_change_no_list():
    watch = Watch(list=MATCHES, queue=QUEUE)

    make_match(ladder=get_ladder("general"))
    assert watch.changed() == {"queue"}  # it counts all that waits
    factories.make_upload()
    assert watch.changed() == {"queue"}


def test_match_of_another_release_has_no_mark():
    match = make_begun_match(ladder=get_ladder("general"))

    assert mark_of(of_match(match))
    assert mark_of(Subject(Shows.MATCH, match.public_id, Release.HIDDEN)) is None
    assert mark_of(Subject(Shows.MATCH, "m_none")) is None


def test_many_marks_need_no_more_queries(django_assert_num_queries):
    matches = [make_begun_match(ladder=get_ladder("general")) for _ in range(3)]
    cups = [making.make_running(2, rounds=1) for _ in range(3)]
    subjects = [
        MATCHES,
        QUEUE,
        *(Subject(Shows.MATCH, match.public_id) for match in matches),
        *(
            Subject(Shows.TOURNAMENT, cup.slug, audience)
            for cup in cups
            for audience in visibility.BREADTH
        ),
    ]
    few = [MATCHES, QUEUE, subjects[2], subjects[-1]]

    with django_assert_num_queries(11):
        assert len(marks.marks(subjects=few)) == 4
    with django_assert_num_queries(11):
        assert len(marks.marks(subjects=subjects)) == 14


def audiences(tournament):
    return Watch(
        public=Subject(Shows.TOURNAMENT, tournament.slug),
        entrants=Subject(Shows.TOURNAMENT, tournament.slug, Release.ENTRANTS),
        organizers=Subject(Shows.TOURNAMENT, tournament.slug, Release.HIDDEN),
    )


ALL = {"public", "entrants", "organizers"}
SEES = {
    Release.ENTRANTS: {"entrants", "organizers"},
    Release.HIDDEN: {"organizers"},
}


def test_what_a_tournament_shows_changes_its_mark():
    cup = making.make_open(min_entrants=4)
    watch = audiences(cup)
    for _ in range(4):
        making.enter(cup)
    assert watch.changed() == ALL

    cup = stages.freeze(tournament=cup, by=making.organizer(cup))
    assert watch.changed() == ALL
    cup = stages.start(tournament=cup, by=making.organizer(cup))
    assert watch.changed() == ALL
    cup = playing.go_on(cup)
    assert watch.changed() == ALL  # the first round is drawn

    first, second = playing.matches_of(cup)
    lease = claim(first)
    assert watch.changed() == ALL
    finish_games(lease, first)
    assert watch.changed() == ALL
    playing.finish(second)
    assert watch.changed() == ALL
    cup = playing.go_on(cup)
    assert watch.changed() == ALL  # the round is over and the next one drawn
    assert watch.changed() == set()


@pytest.mark.parametrize("release", [Release.HIDDEN, Release.ENTRANTS])
def test_round_changes_no_mark_for_those_not_seeing(release):
    """Rounds after the first are drawn, played, corrected and ended, all with one release."""
    cup = playing.play_round(playing.begin(4, release=release))
    watch = audiences(cup)
    everybody = Watch(list=MATCHES)
    assert cup.rounds.count() == 2
    first, second = playing.matches_of(cup, 2)

    lease = claim(first)
    assert watch.changed() == SEES[release]
    leases.renew(lease=lease, status="running")
    assert watch.changed() == SEES[release]
    finish_games(lease, first)
    assert watch.changed() == SEES[release]
    playing.finish(second)
    assert watch.changed() == SEES[release]
    cup = playing.go_on(cup)
    assert cup.rounds.count() == 3
    assert watch.changed() == SEES[release]
    assert everybody.changed() == set()


def test_first_hidden_round_changes_the_mark():
    cup = playing.begin(4, release=Release.PUBLIC)
    releases.set_release(
        tournament=cup, round_number=1, release=Release.HIDDEN, by=making.organizer(cup)
    )
    watch = audiences(cup)

    releases.set_release(
        tournament=cup, round_number=1, release=Release.ENTRANTS, by=making.organizer(cup)
    )
    assert watch.changed() == {"entrants", "organizers"}
    releases.set_release(
        tournament=cup, round_number=1, release=Release.PUBLIC, by=making.organizer(cup)
    )
    assert watch.changed() == ALL


def test_private_log_entries_change_only_organizers_mark():
    cup = making.make_open(entry_policy="invited")
    watch = audiences(cup)

    entries.invite(tournament=cup, bot=make_ready().bot, by=making.organizer(cup))

    assert watch.changed() == {"organizers"}


def test_audience_sees_as_many_rounds_as_rows():
    cup = playing.play_round(playing.begin(4, release=Release.ENTRANTS))
    owner = cup.entrants.first().bot.owner
    viewers = {
        Release.PUBLIC: (ANYBODY, make_user()),
        Release.ENTRANTS: (owner,),
        Release.HIDDEN: (making.organizer(cup), factories.make_user("boss")),
    }
    boss = viewers[Release.HIDDEN][1]
    boss.is_staff = True
    boss.save()

    for audience, some in viewers.items():
        for viewer in some:
            assert visibility.audience(tournament=cup, viewer=viewer) == audience
            rounds = cup.rounds.visible_to(viewer).count()
            assert visibility.rounds_seen(tournament=cup, viewer=viewer) == rounds


def test_owner_leaving_before_pairing_is_no_audience():
    cup = making.make_open()
    bot = making.enter(cup).bot
    assert visibility.audience(tournament=cup, viewer=bot.owner) == Release.ENTRANTS

    entries.leave(tournament=cup, bot=bot, by=bot.owner)

    assert visibility.audience(tournament=cup, viewer=bot.owner) == Release.PUBLIC
