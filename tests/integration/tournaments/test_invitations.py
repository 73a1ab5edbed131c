"""Coming in otherwise than by oneself in time: late, invited, from the ladder; and the seeding."""

import pytest

from arena.domain.bots import activation, bots
from arena.domain.tournaments import log, stages
from arena.domain.tournaments.entry import entries
from arena.models import Tournament, TournamentRound, Version
from tests import factories
from tests.integration.tournaments import making

pytestmark = pytest.mark.django_db


SWISS = {"format": "swiss", "format_options": {"rounds": 3}, "min_entrants": 6}


def test_late_entries_pinned_seeded_last_from_next_round():
    tournament = making.make_running(6, rounds=1, last_entry_round=2, **SWISS)
    version = factories.make_ready()

    entrant = making.enter(tournament, version)

    assert (entrant.from_round, entrant.seed) == (2, 7)
    assert (entrant.version, entrant.digest) == (version, version.digest)
    assert tournament.log.latest("pk").details == {
        "entrant": entrant.pk, "from_round": 2, "seed": 7, "digest": version.digest, "version": 1,
    }  # fmt: skip
    assert tournament.log.latest("pk").round_number == 1
    TournamentRound.objects.create(tournament=tournament, number=2, release="public")
    code, said = making.try_to_enter(tournament)
    assert code == "entries_closed"
    assert said == "Entries are closed: late entry was possible until round 2."  # not how far it is


def test_left_before_freeze_or_out_may_come_late():
    tournament = making.make_open(last_entry_round=1, **SWISS)
    for _ in range(6):
        making.enter(tournament)
    left, dropped = making.enter(tournament), making.enter(tournament)
    entries.leave(tournament=tournament, bot=left.bot, by=left.bot.owner)
    activation.retire(version=dropped.bot.active_version)
    stages.freeze(tournament=tournament, by=None)
    version = factories.make_ready(dropped.bot)

    again = [making.enter(tournament, each) for each in (dropped, left)]

    assert [(row.status, row.seed, row.until_round) for row in again] == [
        ("entered", 7, None),
        ("entered", 8, None),
    ]
    assert again[0].version == version


def test_version_retired_meanwhile_does_not_come_late():
    tournament = making.make_frozen(6, last_entry_round=1, **SWISS)
    version = factories.make_ready()
    activation.retire(version=Version.objects.get(pk=version.pk))

    code, _said = making.try_to_enter(tournament, version, version=version)

    assert (version.status, code) == ("ready", "version_retired")  # as it was read before
    assert not tournament.entrants.filter(bot=version.bot).exists()
    assert making.enter(tournament).from_round == 1  # it has not started


def test_nobody_comes_late_unannounced_or_when_over():
    closed = making.make_running(6, **SWISS)
    robin = making.make_running(3)

    assert making.try_to_enter(closed)[0] == "entries_closed"
    assert making.try_to_enter(robin)[0] == "entries_closed"
    Tournament.objects.filter(pk=robin.pk).update(status="completed")
    assert making.try_to_enter(making.fresh(robin))[0] == "tournament_over"


@pytest.fixture
def invited():
    """Return an invitation to a tournament that is by invitation."""
    tournament = making.make_open(entry_policy="invited")
    bot = making.rated(1500.0)
    return entries.invite(tournament=tournament, bot=bot, by=making.organizer(tournament))


def answer(entrant, *, accept, by=None):
    return entries.answer(
        tournament=entrant.tournament, bot=entrant.bot, by=by or entrant.bot.owner, accept=accept
    )


@pytest.mark.parametrize(
    ("accept", "status", "said"),
    [
        (True, "entered", "accepted the invitation to {} and is entered."),
        (False, "declined", "declined the invitation to {}."),
    ],
)
def test_an_invitation_is_told_and_answered_once(invited, accept, status, said):
    (text,) = invited.bot.owner.notices.values_list("text", flat=True)
    assert "Accept or decline on the page of the tournament." in text

    answer(invited, accept=accept)

    invited.refresh_from_db()
    assert invited.status == status
    assert making.refusal(answer, entrant=invited, accept=True)[0] == "not_invited"
    assert making.log(invited.tournament)[2:] == ["invited", status]
    by = making.organizer(invited.tournament)
    (told,) = by.notices.values_list("text", flat=True)
    assert told == f"{invited.bot} {said.format(invited.tournament.name)}"


def test_the_log_tells_organizers_alone_who_was_invited(invited):
    tournament, by = invited.tournament, making.organizer(invited.tournament)
    answer(invited, accept=False)
    for bot in (making.rated(1500.0), making.rated(1500.0)):
        entries.enter(tournament=tournament, bot=bot, by=by)
    entries.invite(tournament=tournament, bot=making.rated(1500.0), by=by)
    stages.freeze(tournament=tournament, by=by)

    def told(viewer):
        return [row.action for row in log.of(tournament=tournament, viewer=viewer)]

    public = ["created", "opened", "entered", "entered", "frozen"]
    assert told(None) == told(invited.bot.owner) == public
    assert told(by) == [
        *public[:2], "invited", "declined", "entered", "entered", "invited", "lapsed", "frozen",
    ]  # fmt: skip


def test_only_the_owner_answers(invited):
    by = making.organizer(invited.tournament)

    assert making.refusal(answer, entrant=invited, accept=True, by=by)[0] == "not_your_bot"


def test_nobody_is_invited_twice_too_early_or_late(invited):
    tournament, by = invited.tournament, making.organizer(invited.tournament)

    def invite(bot, tournament=tournament):
        return making.refusal(entries.invite, tournament=tournament, bot=bot, by=by)[0]

    assert invite(making.rated(1500.0), making.make_draft(by)) == "wrong_status"
    assert invite(invited.bot) == "already_invited"
    answer(invited, accept=True)
    assert invite(invited.bot) == "already_entered"
    entries.enter(tournament=tournament, bot=making.rated(1500.0), by=by)
    stages.freeze(tournament=tournament, by=by)
    assert invite(making.rated(1500.0)) == "wrong_status"


def test_best_of_ladder_are_taken_by_number():
    best = [making.rated(number) for number in (1900.0, 1800.0, 1700.0, 1600.0)]
    tournament = making.make_open()
    making.enter(tournament, best[2].active_version)
    paused, declined = making.rated(2000.0), making.rated(1950.0)
    bots.pause(bot=paused)
    by = making.organizer(tournament)
    entries.invite(tournament=tournament, bot=declined, by=by)
    entries.answer(tournament=tournament, bot=declined, by=declined.owner, accept=False)

    entered = entries.take_top(tournament=tournament, by=by, n=3)

    assert [entrant.bot for entrant in entered] == best[:2]
    assert tournament.log.get(action="took_top").details == {
        "n": 3, "entrants": [entrant.pk for entrant in entered],
    }  # fmt: skip
    texts = best[0].owner.notices.values_list("text", flat=True)
    assert [*texts] == [
        f"{best[0]} was entered in {tournament.name} because it is one of the best of the ladder."
    ]
    assert [*best[2].owner.notices.all()] == []  # was in already


def test_taking_stops_when_full_and_at_owner_limit():
    owner = factories.make_user()
    first, second = making.rated(1900.0, owner), making.rated(1800.0, owner)
    others = [making.rated(number) for number in (1700.0, 1600.0, 1550.0)]
    tournament = making.make_open(max_entrants=3, max_per_owner=1)

    entered = entries.take_top(tournament=tournament, by=making.organizer(tournament), n=3)

    assert [entrant.bot for entrant in entered] == [first, *others[:2]]
    assert second not in [entrant.bot for entrant in entered]


def test_an_impossible_number_of_the_ladder_is_refused():
    tournament = making.make_open()
    by = making.organizer(tournament)

    def refused(n):
        return making.refusal(entries.take_top, tournament=tournament, by=by, n=n)

    assert [refused(n)[0] for n in (0, 9)] == ["wrong_number"] * 2
    code, said = refused(2)
    assert (code, "Nobody plays on the ladder yet." in said) == ("nobody_to_take", True)
    making.enter(tournament, making.rated(1500.0).active_version)
    assert "the best 2 who can play are already in" in refused(2)[1]


def test_lists_are_for_organizers_before_freeze():
    tournament = making.make_frozen(2)
    by = making.organizer(tournament)
    stranger = factories.make_user()

    for act, given in ((entries.take_top, {"n": 1}), (entries.take_csv, {"text": "bot\na/b"})):
        refused = making.refusal(act, tournament=tournament, by=stranger, **given)
        assert refused[0] == "not_an_organizer"
        assert making.refusal(act, tournament=tournament, by=by, **given)[0] == "wrong_status"


def test_seeds_by_list_then_ladder_then_entry():
    tournament = making.make_open()
    given, strong, weak = making.rated(1000.0), making.rated(1800.0), making.rated(1600.0)
    never = [making.rated(1500.0) for _ in range(2)]
    for bot in never:
        bot.entries.all().delete()
    for bot in (never[0], weak, strong, never[1], given):
        making.enter(tournament, bot.active_version)
    tournament.entrants.filter(bot=given).update(seed=5)

    order = entries.seeding(tournament=tournament)

    assert [entrant.bot for entrant in order] == [given, strong, weak, *never]
    assert [vars(entrant)["ladder_rating"] for entrant in order] == [
        1000.0,
        1800.0,
        1600.0,
        None,
        None,
    ]


def test_organizer_act_on_changed_tournament_is_refused():
    tournament = making.make_open()
    by = making.organizer(tournament)
    bot = making.rated(1500.0)
    for act in (entries.enter, entries.leave, entries.invite, entries.take_top):
        given = {"n": 1} if act is entries.take_top else {"bot": bot}

        refused = making.refusal(act, tournament=tournament, by=by, revision=1, **given)

        assert refused[0] == "stale"
