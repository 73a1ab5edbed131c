"""Who comes in, with which version, and how one leaves."""

from datetime import timedelta

import pytest
from django.utils import timezone

from arena.domain.bots import bots, crash_streaks
from arena.domain.tournaments import stages
from arena.domain.tournaments.entry import entries
from arena.models import Tournament, Version
from tests import factories
from tests.integration.tournaments import making

pytestmark = pytest.mark.django_db


def test_owner_enters_bot_with_version_active_at_freeze():
    tournament = making.make_open()

    entrant = making.enter(tournament)

    assert (entrant.status, entrant.version, entrant.digest) == ("entered", None, "")
    assert entrant.entered_by == entrant.bot.owner
    entry = tournament.log.get(action="entered")
    assert (entry.by, entry.details) == (entrant.bot.owner, {"entrant": entrant.pk})
    assert making.fresh(tournament).revision == 2  # no organizer decided anything


def test_version_may_be_chosen_and_changed_until_freeze():
    tournament = making.make_open()
    first = factories.make_ready()
    second = factories.make_ready(first.bot)
    entrant = making.enter(tournament, first, version=first)
    assert entrant.version == first

    def choose(version):
        return entries.choose_version(
            tournament=tournament, bot=first.bot, by=first.bot.owner, version=version
        ).version

    assert choose(second) == second
    assert choose(None) is None
    numbers = [entry.details["version"] for entry in tournament.log.filter(action="version_chosen")]
    assert numbers == [2, None]
    making.enter(tournament)
    stages.freeze(tournament=tournament, by=None)
    code, said = making.refusal(
        entries.choose_version,
        tournament=tournament, bot=first.bot, by=first.bot.owner, version=second,
    )  # fmt: skip
    assert (code, "the console can substitute" in said) == ("versions_frozen", True)


def test_organizer_enters_others_and_they_are_told():
    tournament = making.make_open(entry_policy="listed")
    bot = making.rated(1500.0)
    by = making.organizer(tournament)

    entries.enter(tournament=tournament, bot=bot, by=by, revision=2)

    (text,) = bot.owner.notices.values_list("text", flat=True)
    assert text == f"{by} entered {bot} in {tournament.name}."
    assert tournament.revision == 3


@pytest.mark.parametrize(
    ("policy", "code", "what_now"),
    [
        ("invited", "not_invited", "Ask the organizers for an invitation."),
        ("ladder", "by_ladder", "Let your bot play on the ladder."),
        ("listed", "by_list", "Ask one of them."),
    ],
)
def test_restricted_entry_says_how_one_comes_in(policy, code, what_now):
    tournament = making.make_open(entry_policy=policy, top_n=4)

    refused = making.try_to_enter(tournament)

    assert (refused[0], what_now in refused[1]) == (code, True)


def test_nobody_enters_a_draft_or_before_registration_opens():
    draft = making.make_draft()
    later = making.make_open(opens_at=timezone.now() + timedelta(days=1))

    assert making.try_to_enter(draft)[0] == "registration_closed"
    code, said = making.try_to_enter(later)
    assert (code, "The registration opens on" in said) == ("registration_closed", True)
    Tournament.objects.filter(pk=later.pk).update(opens_at=timezone.now() - timedelta(days=1))
    assert making.enter(making.fresh(later)).status == "entered"


def test_bots_that_cannot_play_it_are_not_entered():
    tournament = making.make_open()
    general, upload = factories.make_ready(variants=["general"]), factories.make_upload()
    paused, forfeited, other = (factories.make_ready() for _ in range(3))
    bots.pause(bot=paused.bot)
    Version.objects.filter(pk=forfeited.pk).update(paused_at=timezone.now())

    def refused(whose, **chosen):
        return making.try_to_enter(tournament, whose, **chosen)[0]

    assert [refused(each) for each in (paused, forfeited, upload, general)] == [
        "bot_paused",
        "version_paused",
        "no_version",
        "wrong_variant",
    ]
    assert refused(upload, version=upload) == "version_not_ready"
    assert refused(other, version=general) == "version_of_another_bot"
    crash_streaks.resume(version=forfeited)
    assert making.enter(tournament, forfeited).status == "entered"


def test_places_of_tournament_and_owner_are_limited():
    tournament = making.make_open(max_entrants=2, max_per_owner=1)
    first = making.enter(tournament)
    of_the_same = factories.make_ready(factories.make_bot(first.bot.owner))
    assert making.try_to_enter(tournament, of_the_same)[0] == "too_many_of_owner"
    making.enter(tournament)

    code, said = making.try_to_enter(tournament)
    assert (code, "All 2 places are taken." in said) == ("tournament_full", True)
    entries.leave(tournament=tournament, bot=first.bot, by=first.bot.owner)
    assert making.enter(tournament).status == "entered"


def test_who_leaves_before_the_freeze_may_come_back():
    tournament = making.make_open()
    entrant = making.enter(tournament)

    def leave():
        entries.leave(tournament=tournament, bot=entrant.bot, by=entrant.bot.owner)

    leave()
    entrant.refresh_from_db()
    assert (entrant.status, entrant.until_round) == ("withdrawn", 0)
    assert making.refusal(leave)[0] == "not_in"
    again = making.enter(tournament, entrant)
    assert (again.pk, again.status, again.until_round) == (entrant.pk, "entered", None)
    assert making.log(tournament)[2:] == ["entered", "left", "entered"]


def test_leaving_after_freeze_withdraws_after_last_drawn_round():
    tournament = making.make_running(3, rounds=2)
    entrant = tournament.entrants.first()
    seen = tournament.revision

    entries.leave(tournament=tournament, bot=entrant.bot, by=entrant.bot.owner, reason="A flaw.")

    entrant.refresh_from_db()
    assert (entrant.status, entrant.until_round, entrant.seed) == ("withdrawn", 2, 1)
    assert entrant.version is not None
    entry = tournament.log.get(action="withdrew")
    assert (entry.reason, entry.details) == ("A flaw.", {"entrant": entrant.pk, "until_round": 2})
    assert entry.round_number == 2  # for those who may see that there were two
    assert tournament.revision == seen + 1
    (text,) = making.organizer(tournament).notices.values_list("text", flat=True)
    assert text == f"{entrant.bot} withdrew from {tournament.name} after round 2."
    assert making.try_to_enter(tournament, entrant)[0] == "has_left"


def test_nobody_leaves_what_is_over():
    tournament = making.make_running(2)
    entrant = tournament.entrants.first()
    act = {"tournament": tournament, "bot": entrant.bot, "by": entrant.bot.owner}
    for status in ("completed", "released", "cancelled"):
        Tournament.objects.filter(pk=tournament.pk).update(status=status)

        assert making.refusal(entries.leave, **act)[0] == "wrong_status"
