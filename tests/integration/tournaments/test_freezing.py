"""The freeze: which version plays, as which seed; and that such a version is not retired."""

import pytest
from django.db import connection

from arena.domain.bots import activation
from arena.domain.tournaments import log, stages
from arena.domain.tournaments.entry import entries
from arena.models import Tournament, Version
from tests import factories
from tests.integration.tournaments import making

pytestmark = pytest.mark.django_db


def test_freeze_pins_versions_with_digests_seeds_and_logs():
    tournament = making.make_open()
    first, second, third = (factories.make_ready() for _ in range(3))
    older = first
    newer = factories.make_ready(first.bot)
    making.enter(tournament, first, version=older)  # chosen, though another one is active
    making.enter(tournament, second)
    making.enter(tournament, third)
    third.bot.entries.filter(ladder__slug="classic").update(rating=1700.0, best_rank=1)
    second.bot.entries.filter(ladder__slug="classic").update(rating=1600.0, best_rank=2)

    stages.freeze(tournament=tournament, by=None)

    assert newer.bot.active_version_id != older.pk
    factories.make_ready(third.bot)  # what is uploaded after the freeze changes nothing
    rows = tournament.entrants.order_by("seed")
    assert [(row.seed, row.version, row.digest) for row in rows] == [
        (1, third, third.digest),
        (2, second, second.digest),
        (3, older, older.digest),
    ]
    entry = tournament.log.get(action="frozen")
    assert entry.details["entrants"] == [
        {"entrant": row.pk, "seed": row.seed, "version": 1, "digest": row.digest} for row in rows
    ]
    assert entry.details["commitment"] == tournament.commitment
    assert tournament.commitment in log.say(entry)
    assert tournament.secret not in str(entry.details)
    assert tournament.frozen_at is not None


def test_too_few_entrants_not_frozen_nothing_half_done():
    tournament = making.make_open(min_entrants=4)
    for _ in range(3):
        making.enter(tournament)
    bot = factories.make_ready().bot
    entries.invite(tournament=tournament, bot=bot, by=making.organizer(tournament))

    code, said = making.refusal(stages.freeze, tournament=tournament, by=None)

    assert code == "too_few_entrants"
    assert said == (
        "The tournament has 3 entrants and needs 4. Enter more bots, freeze later, or cancel it."
    )
    assert making.fresh(tournament).status == "registration"
    assert tournament.entrants.get(bot=bot).status == "invited"
    assert not tournament.entrants.filter(seed__isnull=False).exists()


def test_invitations_that_nobody_answered_lapse_at_the_freeze():
    tournament = making.make_open()
    making.enter(tournament)
    making.enter(tournament)
    bot = factories.make_ready().bot
    invited = entries.invite(tournament=tournament, bot=bot, by=making.organizer(tournament))

    stages.freeze(tournament=tournament, by=None)

    invited.refresh_from_db()
    assert (invited.status, invited.seed) == ("declined", None)
    assert tournament.log.get(action="lapsed").details == {"entrants": [invited.pk]}


def test_gone_chosen_version_gives_way_to_active_one():
    tournament = making.make_open()
    making.enter(tournament)
    chosen = factories.make_ready()
    newer = factories.make_ready(chosen.bot)
    entrant = making.enter(tournament, chosen, version=chosen)
    activation.retire(version=chosen)

    stages.freeze(tournament=tournament, by=None)

    entrant.refresh_from_db()
    assert (entrant.status, entrant.version, entrant.digest) == ("entered", newer, newer.digest)
    details = tournament.log.get(action="fell_back").details
    assert details == {"entrant": entrant.pk, "version": 2, "chosen": 1}
    (text,) = entrant.bot.owner.notices.values_list("text", flat=True)
    assert "Version 1" in text
    assert "The active version 2 plays instead." in text


def test_version_retired_while_freeze_waits_is_not_pinned():
    tournament = making.make_open()
    making.enter(tournament)
    chosen = factories.make_ready()
    newer = factories.make_ready(chosen.bot)
    entrant = making.enter(tournament, chosen, version=chosen)
    waits: list[object] = []

    def retire_first(execute, sql, *given):
        if 'FROM "arena_bot"' in sql and " IN (" in sql and not waits:
            waits.append(sql)
            Version.objects.filter(pk=chosen.pk).update(status="retired")  # another process
        return execute(sql, *given)

    with connection.execute_wrapper(retire_first):
        stages.freeze(tournament=tournament, by=None)

    assert waits
    entrant.refresh_from_db()
    assert (entrant.version, entrant.digest) == (newer, newer.digest)


def test_bot_without_ready_version_is_out_at_freeze():
    tournament = making.make_open()
    making.enter(tournament)
    making.enter(tournament)
    dropped = making.enter(tournament)
    activation.retire(version=dropped.bot.active_version)

    stages.freeze(tournament=tournament, by=None)

    dropped.refresh_from_db()
    assert (dropped.status, dropped.until_round, dropped.seed) == ("withdrawn", 0, None)
    assert tournament.log.get(action="dropped").details == {"entrant": dropped.pk}
    (text,) = dropped.bot.owner.notices.values_list("text", flat=True)
    assert "Ask the organizers if you may enter late." in text
    assert [*tournament.entrants.filter(status="entered").values_list("seed", flat=True)] == [1, 2]


def test_untaken_best_of_ladder_come_in_at_freeze():
    numbers = {}
    for rating in (1400.0, 1900.0, 1800.0, 1700.0):
        bot = factories.make_ready().bot
        bot.entries.filter(ladder__slug="classic").update(rating=rating, best_rank=1)
        numbers[rating] = bot
    tournament = making.make_open(entry_policy="ladder", top_n=3)

    stages.freeze(tournament=tournament, by=None)

    rows = tournament.entrants.order_by("seed").select_related("bot")
    assert [row.bot for row in rows] == [numbers[1900.0], numbers[1800.0], numbers[1700.0]]


SWISS = {"format": "swiss", "format_options": {"rounds": 3}, "last_entry_round": 1}


@pytest.mark.parametrize(
    ("bots", "changed", "said"),
    [
        (2, {}, "1 is too few to play it. Cancel it."),
        (
            6,
            {**SWISS, "min_entrants": 6},
            "5 are too few to play it. Let others enter late, or cancel it.",
        ),
    ],
)
def test_too_few_left_after_the_freeze_cannot_start(bots, changed, said):
    tournament = making.make_frozen(bots, **changed)
    entrant = tournament.entrants.first()
    entries.leave(tournament=tournament, bot=entrant.bot, by=entrant.bot.owner)

    refused = making.refusal(stages.start, tournament=tournament, by=None)

    assert refused == ("too_few_entrants", f"Bots have left since the freeze, and {said}")
    assert making.fresh(tournament).status == "frozen"


def test_frozen_version_not_retired_before_tournament_is_over():
    tournament = making.make_frozen(2)
    entrant = tournament.entrants.first()
    version = Version.objects.get(pk=entrant.version_id)

    for status in ("frozen", "running", "paused"):
        Tournament.objects.filter(pk=tournament.pk).update(status=status)
        code, said = making.refusal(activation.retire, version=version)
        assert code == "version_frozen"
        assert said == (
            f"Version 1 plays in {tournament.name}, which has pinned it. Withdraw the bot from"
            " the tournament first, or ask an organizer to substitute another version."
        )
    Tournament.objects.filter(pk=tournament.pk).update(status="completed")
    activation.retire(version=version)
    assert version.status == "retired"
