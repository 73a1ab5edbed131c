"""Where the points of a bot go: what is counted, and its page."""

import pytest
from django.urls import reverse

from arena.domain.bots import points
from arena.domain.errors import Refused
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


def test_forfeits_are_counted_on_both_sides():
    own, other = factories.make_ready(), factories.make_ready()
    factories.forfeit_all(factories.make_match(own, other), 0)

    assert [(on.forfeits, on.opponent_forfeits) for on in of(own.bot)] == [(2, 0)]
    assert [(on.forfeits, on.opponent_forfeits) for on in of(other.bot)] == [(0, 2)]


def test_points_of_a_pair_leave_other_opponents_out():
    own, other, third = (factories.make_ready() for _ in range(3))
    play(own, other, 1.0, 0.5)
    play(other, own, 1.0, 1.0)
    play(own, third, 1.0, 1.0)

    (classic,) = points.of_pair(bot=own.bot, opponent=other.bot, viewer=ANYBODY)

    assert counts(classic.tally) == (1, 1, 2)
    assert list(classic.opponents) == [other.bot]
    with pytest.raises(Refused, match="does not play against itself"):
        points.of_pair(bot=own.bot, opponent=own.bot, viewer=ANYBODY)


def test_api_and_pages_tell_the_same_points(client, anyone):
    match = rows.finished_match()
    one, other = (entrant.version.bot for entrant in match.entrants.order_by("position"))

    (alone,) = anyone.get(f"/bots/{one}/points").json()["ladders"]
    (paired,) = anyone.get(f"/bots/{one}/vs/{other}/points").json()["ladders"]
    (mirrored,) = anyone.get(f"/bots/{other}/vs/{one}/points").json()["ladders"]

    assert paired == alone
    assert paired["opponents"] == [{"bot": str(other), **paired["record"]}]
    assert sum(setup["games"] for setup in paired["setups"]) == match.games.count()
    assert (mirrored["time"], mirrored["opponent_time"]) == (
        paired["opponent_time"],
        paired["time"],
    )
    assert paired["time"]["slowest_ms"] >= paired["time"]["mean_ms"] > 0
    page = client.get(f"/bots/{one}/vs/{other}/").content.decode()
    assert all(setup["setup"] in page for setup in paired["setups"])
    assert anyone.get(f"/bots/{one}/vs/{one}/points").json()["code"] == "same_bot"
