"""Where the points of a bot go: what is counted, and its page."""

import pytest
from django.urls import reverse

from arena.domain.bots import points
from arena.models import ANYBODY, Game
from tests import factories
from tests.integration.api import rows
from tests.integration.overview.test_head_to_head import counts, play

pytestmark = pytest.mark.django_db


def of(bot):
    return points.of_bot(bot=bot, viewer=ANYBODY)


def test_games_are_cut_by_opponent_side_and_ladder():
    own, weak, strong = (factories.make_ready() for _ in range(3))
    play(own, weak, 1.0, 0.5)
    play(strong, own, 1.0, 1.0)
    play(own, weak, 1.0, 1.0, ladder="general")

    classic, general = of(own.bot)

    assert (classic.ladder.slug, counts(classic.tally)) == ("classic", (1, 1, 2))
    assert {bot: counts(tally) for bot, tally in classic.opponents.items()} == {
        weak.bot: (1, 1, 0),
        strong.bot: (0, 0, 2),
    }
    assert {side: tally.games for side, tally in classic.sides.items()} == {"red": 2, "blue": 2}
    assert (general.ladder.slug, counts(general.tally)) == ("general", (2, 0, 0))


def test_thirds_of_games_go_from_short_to_long():
    own, other = factories.make_ready(), factories.make_ready()
    for plies, got in ((10, 1.0), (20, 1.0), (300, 0.0)):
        match = play(own, other, got, got)
        Game.objects.filter(match=match).update(plies=plies, termination="flag_captured")

    (classic,) = of(own.bot)

    assert {most: counts(tally) for most, tally in classic.lengths.items()} == {
        10: (2, 0, 0),
        20: (2, 0, 0),
        300: (0, 0, 2),
    }
    assert {word: tally.games for word, tally in classic.endings.items()} == {"flag_captured": 6}


def test_setups_and_times_come_from_records(client):
    match = rows.finished_match()
    bot = match.entrants.first().version.bot

    (general,) = of(bot)

    assert sum(tally.games for tally in general.setups.values()) == match.games.count()
    assert {len(setup) for setup in general.setups} == {24}
    assert len(general.action_ms) > match.games.count()
    address = reverse("bot-points", args=[bot.owner.username, bot.slug])
    assert address in client.get(bot.get_absolute_url()).content.decode()
    page = client.get(address).content.decode()
    assert all(setup in page for setup in general.setups)


def test_own_forfeits_are_counted():
    own, other = factories.make_ready(), factories.make_ready()
    factories.forfeit_all(factories.make_match(own, other), 0)

    assert [on.forfeits for on in of(own.bot)] == [2]
    assert [on.forfeits for on in of(other.bot)] == [0]
