"""Which version plays: activated, rolled back to, retired; and what the numbers do."""

from random import Random

import pytest

from arena.domain import finishing
from arena.domain.bots import activation, crash_streaks, trials
from arena.domain.errors import Refused
from arena.domain.ladders import ladders
from arena.domain.matches import lifecycle, purposes
from arena.domain.queue import matchmaking
from arena.domain.ratings import recomputation
from arena.models import Entrant, Ladder, Match, MatchKind, TrialStatus, Version
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def opponent():
    return factories.make_ready()


def played(version, opponent, *points):
    factories.play_out(factories.make_match(version, opponent), points)


def counts(bot, slug="classic"):
    entrant = bot.entries.get(ladder__slug=slug)
    return (entrant.version.number, entrant.games, entrant.wins, entrant.draws, entrant.losses)


def active(bot):
    bot.refresh_from_db()
    return bot.active_version


def refusal(act, **arguments):
    with pytest.raises(Refused) as refused:
        act(**arguments)
    return refused.value.code


def no_differences():
    return [
        found for ladder in Ladder.objects.all() for found in recomputation.rerate(ladder=ladder)
    ]


def test_rolling_back_restores_counts_and_keeps_bot_number(opponent):
    older = factories.make_ready()
    bot = older.bot
    played(older, opponent, 1.0, 0.5)
    newer = factories.make_ready(bot)
    played(newer, opponent, 0.0, 0.0)
    number = bot.entries.get(ladder__slug="classic").online_elo

    activation.activate(version=older)

    assert active(bot) == older
    assert counts(bot) == (1, 2, 1, 1, 0)
    assert bot.entries.get(ladder__slug="classic").online_elo == number
    assert no_differences() == []


def test_match_finished_after_replacement_counts_for_its_version(opponent):
    older = factories.make_ready()
    bot = older.bot
    lease = factories.claim(match := factories.make_match(older, opponent))
    newer = factories.make_ready(bot)
    for game in match.games.order_by("number"):
        factories.store(lease, game, 1.0)

    assert finishing.finish(lease=lease)

    assert counts(bot) == (2, 0, 0, 0, 0)
    activation.activate(version=older)
    assert counts(bot) == (1, 2, 2, 0, 0)
    assert no_differences() == []
    assert newer.status == "ready"


def test_activation_ends_pause_and_clears_estimate():
    older = factories.make_ready()
    newer = factories.make_ready(older.bot)
    Version.objects.filter(pk=older.pk).update(
        paused_at=older.created_at, pause_reason="It crashed.", crash_streak=3
    )
    Entrant.objects.filter(bot=older.bot).update(
        rating=1600, rating_low=1500, rating_high=1700, best_rank=1, worst_rank=2
    )

    activation.activate(version=older)

    entrant = newer.bot.entries.get(ladder__slug="classic")
    assert (entrant.rating, entrant.rating_low, entrant.best_rank) == (None, None, None)
    assert {
        name: getattr(older, name) for name in crash_streaks.NOT_PAUSED
    } == crash_streaks.NOT_PAUSED


def test_bot_is_on_ladders_of_active_version():
    both = factories.make_ready()
    one = factories.make_ready(both.bot, variants=["general"])

    def on_ladders():
        on = both.bot.entries.filter(active=True).order_by("ladder__slug")
        return list(on.values_list("ladder__slug", flat=True))

    assert on_ladders() == ["general"]
    activation.activate(version=both)
    assert on_ladders() == ["classic", "general"]

    Entrant.objects.all().delete()
    ladders.admit_ready()  # as for new ladders
    assert {entrant.version for entrant in Entrant.objects.all()} == {both}
    assert one.status == "ready"


def test_retiring_active_version_takes_bot_off_ladders(opponent):
    older = factories.make_ready()
    bot = older.bot
    factories.make_ready(bot)
    newer = factories.make_ready(bot)
    waiting = challenge(newer, opponent)

    activation.retire(version=bot.versions.get(number=2))
    assert active(bot) == newer
    activation.retire(version=newer)

    waiting.refresh_from_db()
    assert (active(bot), newer.status) == (None, "retired")
    assert not bot.entries.filter(active=True).exists()
    assert (waiting.status, waiting.failure) == ("cancelled", "Version 3 was retired.")
    assert matchmaking.fill(random=Random(1)) == []
    activation.activate(version=older)
    assert bot.entries.filter(active=True).count() == 2


def test_a_bot_is_retired_with_all_its_versions(opponent):
    first = factories.make_ready()
    second = factories.make_ready(first.bot)

    activation.retire_bot(bot=first.bot)

    assert active(first.bot) is None
    assert {each.status for each in first.bot.versions.all()} == {"retired"}
    assert refusal(activation.retire_bot, bot=first.bot) == "nothing_to_retire"
    upload = factories.make_upload(second.bot)
    assert refusal(activation.retire_bot, bot=upload.bot) == "still_checked"


def challenge(*versions):
    return lifecycle.create_match(
        ladder=factories.get_ladder(),
        versions=versions,
        purpose=purposes.Purpose(MatchKind.CHALLENGE),
    )


def test_retired_version_plays_no_unrated_match(opponent):
    version = factories.make_ready()
    lease = factories.claim(match := challenge(version, opponent))
    activation.retire(version=version)
    lifecycle.void_attempt(lease=lease, reason="the platform failed")
    Match.objects.filter(pk=match.pk).update(not_before=None)

    assert lifecycle.claim(match_pk=match.pk) is None

    match.refresh_from_db()
    assert (match.status, match.failure) == ("cancelled", "One of its versions was retired.")


def test_what_cannot_play_is_refused_in_words():
    version = factories.make_ready()
    unready = factories.make_upload(version.bot)
    retired = factories.make_ready(version.bot)
    activation.retire(version=retired)

    assert refusal(activation.activate, version=unready) == "version_not_ready"
    assert refusal(activation.activate, version=retired) == "version_retired"
    assert refusal(activation.retire, version=unready) == "version_not_ready"
    assert refusal(activation.retire, version=retired) == "version_retired"
    activation.activate(version=version)
    assert refusal(activation.activate, version=version) == "already_active"


def test_activating_by_hand_ends_trials_activating_another():
    older = factories.make_ready()
    newer = factories.make_ready(older.bot)
    automatic = trials.start(version=older, against=newer, activates=True)
    by_hand = trials.start(version=newer, against=older)

    activation.activate(version=older)

    automatic.refresh_from_db()
    by_hand.refresh_from_db()
    assert (automatic.status, automatic.detail) == (
        TrialStatus.CANCELLED,
        "The bot now plays version 1.",
    )
    assert by_hand.status == TrialStatus.RUNNING
