"""What owners are told of what others do with their bots, and what others leave to the console."""

import pytest

from arena.domain.tournaments import stages
from arena.domain.tournaments.entry import entries
from arena.domain.tournaments.interventions.entrants import Withdraw
from arena.models import NoticeKind
from tests import factories
from tests.integration.tournaments import making, playing

pytestmark = pytest.mark.django_db

ACTIVE = "with the version that is active at the freeze"
UNTIL = "Until the freeze you can choose another version on the page of the tournament."


@pytest.fixture
def cup():
    return making.make_open()


def told(entrant):
    """Return the notices of the owner, without that of the begin."""
    told = entrant.bot.owner.notices.exclude(kind=NoticeKind.TOURNAMENT_STARTED)
    return list(told.order_by("pk").values_list("text", flat=True))


def choose(cup, entrant, by, version):
    return entries.choose_version(tournament=cup, bot=entrant.bot, by=by, version=version)


def test_owner_told_which_version_organizer_chose(cup):
    version = factories.make_ready()
    entrant, by = making.enter(cup, version), making.organizer(cup)

    choose(cup, entrant, by, version)
    choose(cup, entrant, by, None)
    choose(cup, entrant, entrant.bot.owner, version)  # which the owner knows

    assert told(entrant) == [
        f"{by} chose version 1 of {entrant.bot} for {cup.name}. {UNTIL}",
        f"{by} decided that {entrant.bot} plays {cup.name} {ACTIVE}. {UNTIL}",
    ]


@pytest.mark.parametrize(
    ("reason", "why"), [(" It is a copy. ", "Reason: It is a copy."), ("", "No reason was given.")]
)
def test_owner_told_who_removed_bot_and_why(cup, reason, why):
    entrant, own, by = making.enter(cup), making.enter(cup), making.organizer(cup)

    entries.leave(tournament=cup, bot=entrant.bot, by=by, reason=reason)
    entries.leave(tournament=cup, bot=own.bot, by=own.bot.owner)

    assert told(own) == []
    what_now = "Ask the organizers if it should play all the same."
    assert told(entrant) == [f"{by} took {entrant.bot} out of {cup.name}. {why} {what_now}"]


def test_owner_is_told_what_list_changed(cup):
    version = factories.make_ready()
    changed, same = making.enter(cup, version), making.enter(cup)
    by, line = making.organizer(cup), f"bot,version,seed\n{same.bot},,\n{changed.bot}"

    entries.take_csv(tournament=cup, by=by, text=f"{line},1,2\n")
    entries.take_csv(tournament=cup, by=by, text=f"{line},1,2\n")
    entries.take_csv(tournament=cup, by=by, text=f"{line},,\n")

    said = f"A list by {by} changed the entry of {changed.bot} in {cup.name}."
    assert told(changed) == [
        f"{said} The bot now plays with version 1. Its seed is now 2. {UNTIL}",
        f"{said} The bot now plays {ACTIVE}. It has no seed yet. {UNTIL}",
    ]
    assert told(same) == []


def test_after_freeze_others_withdraw_only_in_console():
    cup = making.make_running()
    entrant, by = cup.entrants.order_by("seed").first(), making.organizer(cup)
    revision = cup.revision

    code, said = making.refusal(entries.leave, tournament=cup, bot=entrant.bot, by=by)

    assert (code, "withdraw it in the console" in said) == ("withdraw_in_console", True)
    entrant.refresh_from_db()
    assert (entrant.status, making.fresh(cup).revision) == ("entered", revision)
    entry = playing.act(cup, Withdraw(entrant.pk), reason="Asked by mail.")
    assert (entry.reason, told(entrant)) == (
        "Asked by mail.",
        [f"{cup.name}: {entrant.bot.name} was withdrawn. Its results stand."],
    )


def test_organizer_withdraws_own_bot_like_every_owner():
    owner = factories.make_user()
    cup = making.make_open(owner)
    entrant = making.enter(cup, factories.make_ready(factories.make_bot(owner)))
    entries.enter(tournament=cup, bot=making.rated(1500.0), by=owner)
    cup = stages.freeze(tournament=cup, by=owner)

    left = entries.leave(tournament=cup, bot=entrant.bot, by=owner)

    assert left.status == "withdrawn"
