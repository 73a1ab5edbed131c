"""Unrated matches that users ask for."""

import pytest

from arena.domain import finishing
from arena.domain.accounts import quotas
from arena.domain.bots import bots, challenges
from arena.domain.errors import Refused
from arena.domain.matches import lifecycle
from arena.domain.ratings import recomputation
from arena.models import (
    Entrant,
    Ladder,
    Match,
    MatchKind,
    MatchStatus,
    RatingEvent,
    StaffAction,
    Version,
)
from tests import factories
from tests.integration.bots.trial_rows import ready_bot
from tests.integration.matches.test_at_once import at_once

pytestmark = pytest.mark.django_db


def ask(own, *opponents, ladder="classic", by=None, number=None):
    return challenges.ask(
        by=by or own.owner,
        own=own,
        opponents=opponents,
        ladder=factories.get_ladder(ladder),
        number=number,
    )


def refusal(*args, **kwargs):
    """Return the code and the field of the refusal; nothing is queued."""
    before = Match.objects.count()
    with pytest.raises(Refused) as refused:
        ask(*args, **kwargs)
    assert Match.objects.count() == before
    return refused.value.code, refused.value.field


def test_challenge_is_queued_with_its_asker(own, opponent):
    match = ask(own, opponent)

    assert (match.kind, match.status) == (MatchKind.CHALLENGE, MatchStatus.QUEUED)
    assert match.requested_by == own.owner
    assert not match.is_rated
    versions = [entrant.version for entrant in match.entrants.all()]
    assert versions == [own.active_version, opponent.active_version]
    again = lifecycle.void(match=match, reason="the platform failed")
    assert (again.kind, again.requested_by) == (MatchKind.CHALLENGE, own.owner)
    assert quotas.usage(user=own.owner, kind=quotas.Quota.CHALLENGES).used == 1
    assert list(challenges.asked_by(user=own.owner)) == [again, match]
    assert list(challenges.asked_by(user=opponent.owner)) == []


def test_challenge_changes_no_rating_count_or_order(own, opponent):
    entrants = Entrant.objects.order_by("pk").values()
    before = list(entrants)
    match = ask(own, opponent)

    assert factories.play_out(match, [1.0, 1.0])

    match.refresh_from_db()
    assert (match.status, match.finish_number) == (MatchStatus.FINISHED, None)
    assert [entrant.points for entrant in match.entrants.all()] == [2.0, 0.0]
    assert list(entrants) == before
    assert RatingEvent.objects.count() == 0
    ladder = factories.get_ladder()
    assert ladder.next_finish_number == 1
    assert recomputation.rerate(ladder=ladder) == []


def test_named_version_plays_if_ready_own_bots_too(own):
    other = ready_bot(own.owner)
    challenges.let_challenge(bot=other, allowed=False)
    older = own.active_version
    factories.make_ready(own)
    own.refresh_from_db()
    factories.make_upload(own)

    match = ask(own, other, number=1)

    assert match.entrants.get(position=0).version == older
    assert refusal(own, other, number=3) == ("not_ready", "bot")
    assert refusal(own, other, number=9) == ("no_such_version", "version")


def test_siege_with_three_entrants_needs_two_opponents():
    trio = [ready_bot(variants=["siege"]) for _ in range(3)]

    match = ask(*trio, ladder="siege-3")

    assert match.entrants.count() == 3
    assert refusal(*trio[:2], ladder="siege-3") == ("wrong_opponents", "opponents")
    assert refusal(*trio, ladder="siege") == ("wrong_opponents", "opponents")
    assert refusal(trio[0], trio[1], trio[1], ladder="siege-3") == ("same_bot", "opponents")


def test_unplayable_challenge_is_refused_by_code_and_field(own, opponent):
    waiting = factories.make_upload().bot
    assert refusal(own, own) == ("same_bot", "opponents")
    assert refusal(own, opponent, by=opponent.owner) == ("not_yours", "bot")
    assert refusal(own, waiting) == ("not_ready", "opponents")
    assert refusal(waiting, own) == ("not_ready", "bot")
    assert refusal(own, ready_bot(variants=["general"])) == ("variant_not_played", "ladder")

    Ladder.objects.filter(slug="classic").update(is_open=False)
    assert refusal(own, opponent) == ("ladder_closed", "ladder")
    Ladder.objects.filter(slug="classic").update(is_open=True)

    Version.objects.filter(pk=opponent.active_version.pk).update(
        paused_at="2026-01-01T00:00Z", pause_reason="It crashed three times."
    )
    opponent.refresh_from_db()
    assert refusal(own, opponent) == ("paused", "opponents")
    bots.pause(bot=own)
    assert refusal(own, ready_bot()) == ("paused", "bot")


def test_refusing_challenges_drops_those_waiting(own, opponent):
    theirs, second = ask(own, opponent), ready_bot(opponent.owner)
    mine = ask(second, opponent)
    begun = ask(own, opponent)
    factories.claim(begun)

    challenges.let_challenge(bot=opponent, allowed=False)

    found = {row.pk: row.status for row in Match.objects.all()}
    assert found == {
        theirs.pk: MatchStatus.CANCELLED,
        mine.pk: MatchStatus.QUEUED,
        begun.pk: MatchStatus.LEASED,
    }


def test_open_and_daily_challenges_are_limited(own, opponent, settings):
    settings.OPEN_CHALLENGES_PER_USER, settings.CHALLENGES_PER_DAY = 2, 3
    first = ask(own, opponent)
    factories.claim(first)
    ask(own, opponent)

    assert refusal(own, opponent) == ("too_many_open", "")
    ask(opponent, own)

    challenges.cancel(match=first, by=own.owner)
    challenges.cancel(match=ask(own, opponent), by=own.owner)  # which gives none back
    assert refusal(own, opponent) == ("too_many_challenges", "")


def test_who_asked_cancels_it_even_while_it_runs(own, opponent):
    match = ask(own, opponent)
    lease = factories.claim(match)

    challenges.cancel(match=match, by=own.owner)

    match.refresh_from_db()
    assert match.status == MatchStatus.CANCELLED
    assert not finishing.finish(lease=lease)
    with pytest.raises(Refused) as refused:
        challenges.cancel(match=match, by=own.owner)
    assert refused.value.code == "match_over"
    assert StaffAction.objects.count() == 0


def test_staff_not_opponent_may_cancel_challenge_with_note(own, opponent):
    match = ask(own, opponent)
    with pytest.raises(Refused) as refused:
        challenges.cancel(match=match, by=opponent.owner)
    assert refused.value.code == "not_yours"

    opponent.owner.is_staff = True
    challenges.cancel(match=match, by=opponent.owner)

    match.refresh_from_db()
    assert (match.status, match.failure) == (MatchStatus.CANCELLED, "Cancelled by staff.")
    assert StaffAction.objects.get().target == str(match)
    rated = factories.make_match(own.active_version, opponent.active_version)
    with pytest.raises(Refused) as refused:
        challenges.cancel(match=rated, by=own.owner)
    assert refused.value.code == "not_yours"


@pytest.mark.django_db(transaction=True)
def test_simultaneous_challenges_do_not_pass_limits(settings):
    own, opponent = ready_bot(), ready_bot()
    settings.CHALLENGES_PER_DAY = 3
    settings.OPEN_CHALLENGES_PER_USER = 2

    came = at_once(*[lambda: ask(own, opponent)] * 5)

    refused = [each.code for each in came if isinstance(each, Refused)]
    assert (Match.objects.count(), refused) == (2, ["too_many_open"] * 3)
