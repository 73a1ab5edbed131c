import re

import pytest

from arena.domain.matches import lifecycle, listings
from arena.models import Game, Match
from tests import factories

pytestmark = pytest.mark.django_db


def test_running_match_with_undisclosed_games_is_not_featured():
    assert listings.featured_match() is None
    finished, running = factories.make_match(), factories.make_match()
    factories.play_out(finished, [1.0, 0.0])
    assert listings.featured_match() == finished

    lease = factories.claim(running)
    game = running.games.first()
    lifecycle.begin_game(lease=lease, game=game)
    factories.store(lease, game, 1.0)

    assert listings.featured_match() == finished


def test_home_page_names_bots_of_game_ending_meanwhile(client, monkeypatch):
    match = factories.make_match()
    lease = factories.claim(match)
    game = match.games.get(number=1)
    lifecycle.begin_game(lease=lease, game=game)
    assert listings.match_on_the_board() == match
    factories.store(lease, game, 1.0)
    found = Match.objects.get(pk=match.pk)
    monkeypatch.setattr(listings, "match_on_the_board", lambda: found)

    edges = re.findall(r'<p class="board-edge[^>]*>', client.get("/").content.decode())

    assert [" hidden" in edge for edge in edges] == [False, True, False, True]


def test_forfeited_match_featured_only_where_no_other():
    clean, forfeited = factories.make_match(), factories.make_match()
    factories.play_out(forfeited, [1.0, 0.0])
    Game.objects.filter(match=forfeited, number=1).update(fault="red")
    assert listings.featured_match() == forfeited

    factories.play_out(clean, [1.0, 0.0])
    Match.objects.filter(pk=forfeited.pk).update(finished_at=clean.queued_at)

    assert listings.featured_match() == clean
