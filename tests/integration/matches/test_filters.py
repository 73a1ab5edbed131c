"""Which matches are shown, by what was asked for."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from arena.domain.errors import InvalidInput
from arena.domain.matches import filters
from arena.domain.matches.filters import MatchFilter
from arena.domain.matches.lifecycle import create_match
from arena.domain.matches.purposes import Purpose
from arena.domain.ratings import annulments
from arena.models import Game, Match, MatchKind, MatchStatus
from engine.outcome import Termination
from tests import factories

pytestmark = pytest.mark.django_db


def found(**wanted):
    rows = filters.apply(Match.objects.all(), MatchFilter(**wanted))
    return list(rows)[::-1]


def make_challenge(*versions):
    return create_match(
        ladder=factories.get_ladder(), versions=versions, purpose=Purpose(MatchKind.CHALLENGE)
    )


def test_bot_and_opponent_find_all_their_versions_once():
    first, second, third = (factories.make_ready() for _ in range(3))
    both = factories.make_match(first, second)
    other = factories.make_match(factories.make_ready(first.bot), third)
    factories.make_match(second, third)

    assert found(bot=first.bot) == [both, other]
    assert found(bot=first.bot, opponent=second.bot) == [both]
    assert found(bot=second.bot, opponent=first.bot) == [both]


def test_a_ladder_a_kind_a_status():
    classic = factories.make_match()
    general = factories.make_match(ladder=factories.get_ladder("general"))
    challenge = make_challenge(factories.make_ready(), factories.make_ready())
    Match.objects.filter(pk=general.pk).update(status=MatchStatus.RETRYING)

    assert found(ladder=general.ladder) == [general]
    assert found(kind=MatchKind.CHALLENGE) == [challenge]
    assert found(kind=MatchKind.LADDER) == [classic, general]
    assert found(status=MatchStatus.RETRYING) == [general]


def test_counting_matches_are_of_ladder_and_not_annulled():
    counted, annulled = factories.make_match(), factories.make_match()
    for match in (counted, annulled):
        factories.play_out(match, [1.0, 0.0])
    challenge = make_challenge(factories.make_ready(), factories.make_ready())
    annulled.refresh_from_db()
    annulments.annul(matches=[annulled], by=factories.make_user(), reason="a farm")

    assert found(rated=True) == [counted]
    assert found(rated=False) == [annulled, challenge]


def test_a_termination_of_any_game_of_the_match():
    match, other = factories.make_match(), factories.make_match()
    for row in (match, other):
        factories.play_out(row, [1.0, 0.0])
    Game.objects.filter(match=match, number=2).update(termination="timeout")

    assert found(termination=Termination.TIMEOUT) == [match]
    assert found(termination="flag_captured") == [match, other]


def test_since_is_when_the_match_was_made():
    old, new = factories.make_match(), factories.make_match()
    week_ago = timezone.now() - timedelta(days=7)
    Match.objects.filter(pk=old.pk).update(created_at=week_ago)

    assert found(since=week_ago) == [old, new]
    assert found(since=week_ago + timedelta(seconds=1)) == [new]


def test_words_are_read():
    bot, other = factories.make_bot(slug="one"), factories.make_bot(slug="two")

    wanted = filters.read(
        {
            "bot": f" {bot} ",
            "opponent": str(other),
            "ladder": "general",
            "termination": "no_moves",
            "rated": "no",
            "since": "2026-11-21",
            "kind": "challenge",
            "status": "",
            "page_size": "3",
        }
    )

    assert wanted == MatchFilter(
        bot=bot,
        opponent=other,
        ladder=factories.get_ladder("general"),
        termination="no_moves",
        rated=False,
        since=datetime(2026, 11, 21, tzinfo=UTC),
        kind=MatchKind.CHALLENGE,
    )


@pytest.mark.parametrize(
    ("word", "instant"),
    [
        ("2026-02-28", datetime(2026, 2, 28, tzinfo=UTC)),
        ("2026-02-28T10:00:00", datetime(2026, 2, 28, 10, tzinfo=UTC)),
        ("2026-02-28T10:00:00Z", datetime(2026, 2, 28, 10, tzinfo=UTC)),
        ("2026-02-28T10:00:00+02:00", datetime(2026, 2, 28, 8, tzinfo=UTC)),
    ],
)
def test_dates_and_instants_default_to_utc(word, instant):
    assert filters.read({"since": word}).since == instant


@pytest.mark.parametrize(
    ("name", "word", "said"),
    [
        ("bot", "ada", "“ada” is not the name of a bot. Write owner/bot, such as ada/greedy."),
        ("bot", "a/b/c", "“a/b/c” is not the name of a bot. Write owner/bot, such as ada/greedy."),
        ("bot", "no/body", "There is no bot no/body."),
        ("ladder", "none", "There is no ladder none. The ladders are: "),
        ("termination", "boredom", "There is no termination “boredom”."),
        ("rated", "perhaps", "Write yes or no."),
        ("since", "yesterday", "Write a date, such as 2026-11-21."),
        ("since", "2026-02-28T25:00", "Write a date, such as 2026-11-21."),
        ("kind", "odd", "There is no kind “odd”."),
        ("status", "odd", "There is no status “odd”."),
    ],
)
def test_senseless_filter_is_said_at_its_name(name, word, said):
    with pytest.raises(InvalidInput) as refused:
        filters.read({name: word, "rated": "yes"} if name != "rated" else {name: word})

    (message,) = refused.value.errors.pop(name)
    assert message.startswith(said)
    assert refused.value.errors == {}


def test_an_opponent_needs_another_bot():
    bot = str(factories.make_bot())

    for words in ({"opponent": bot}, {"opponent": bot, "bot": bot}):
        with pytest.raises(InvalidInput) as refused:
            filters.read(words)
        assert list(refused.value.errors) == ["opponent"]
