"""What a visitor reads of a tournament: who won, how far the others came, by which rules."""

import re

import pytest

from arena.domain.tournaments import releases
from arena.models import ANYBODY, Release
from arena.web.matches import tournament_of_match
from tests.integration.tournaments import making, playing

pytestmark = pytest.mark.django_db

KNOCKOUT = {"format": "single_elimination", "format_options": {"third_place": 1}}


def text_of(client, row, page=""):
    response = client.get(f"{row.get_absolute_url()}{page}")
    assert response.status_code == 200
    return response.content.decode()


def heads(text):
    """Return the heads of the columns of the standings."""
    table = re.search(r'<table class="leaderboard[^"]* standings.*?</table>', text, re.DOTALL)
    assert table
    found = re.findall(r"<th [^>]*>(.*?)</th>", table[0], re.DOTALL)
    return [re.sub(r"<[^>]+>", "", head) for head in found]


def ranking(text):
    """Return the names of what is ranked by, in order."""
    listed = re.search(r'<ol class="tie-breaks.*?</ol>', text, re.DOTALL)
    assert listed
    return re.findall(r"<strong>(.*?)</strong>", listed[0])


@pytest.fixture
def knockout():
    return playing.play_round(playing.play_round(playing.begin(4, **KNOCKOUT)))


def test_knockout_says_how_far_everybody_came(client, knockout):
    text = text_of(client, knockout, "standings/")

    came_to = re.findall(r'<td class="came-to">(.*?)</td>', text)
    assert came_to == ["<strong>Winner</strong>", "Final", "Third place", "Fourth place"]
    assert heads(text)[:4] == ["Rank", "Bot", "Reached", "Points"]
    assert ranking(text)[:2] == ["How far it came", "Points per game"]
    overview = text_of(client, knockout)
    assert heads(overview) == ["Rank", "Bot", "Reached"]
    assert ranking(overview) == ranking(text)


def test_knockout_overview_has_winner_and_bracket(client, knockout):
    text = text_of(client, knockout)

    winner = re.search(r'<p class="card winner">.*?</p>', text, re.DOTALL)
    assert winner
    assert f">{knockout.entrants.get(seed=1).bot.name}</bdi></a>" in winner[0]
    assert 'id="bracket-title"' in text
    assert 'id="round-title"' not in text


def test_rounds_of_a_knockout_go_by_their_names(client, knockout):
    text = text_of(client, knockout, "rounds/")

    assert "Semi-finals <span" in text
    assert "Final · Third place <span" in text
    assert re.findall(r'<h3 class="pairing-part">(.*?)</h3>', text) == ["Final", "Third place"]
    assert "Semi-finals <span" in text_of(client, knockout, "rounds/1/")
    assert "Semi-finals <span" in text_of(client, knockout, "print/")


def test_winner_is_told_to_viewers_of_last_round(client, knockout):
    releases.set_release(
        tournament=knockout,
        round_number=2,
        release=Release.HIDDEN,
        by=making.organizer(knockout),
    )

    assert "Winner" not in text_of(client, knockout)
    assert "Winner" not in text_of(client, knockout, "standings/")
    client.force_login(making.organizer(knockout))
    assert 'class="card winner"' in text_of(client, knockout)


def test_rounds_and_overview_show_seed_decision(client):
    options = {"extra_matches": 1}
    row = playing.begin(2, format="single_elimination", format_options=options)
    playing.play_round(row, *playing.LEVEL)
    row = playing.play_round(row, *playing.LEVEL)

    for page in ("rounds/", "rounds/1/", "print/"):
        text = text_of(client, row, page)
        assert text.count("pairing-side is-best") == 1, page
        assert "Level, also after 1 more match: the higher seed advances." in text
    assert "Level, also after 1 more match" in text_of(client, row)


def test_gauntlet_shows_points_per_game(client):
    row = playing.begin(3, format="gauntlet")
    row = playing.play_round(playing.play_round(row), 0.5, 0.5)

    overview, text = text_of(client, row), text_of(client, row, "standings/")

    assert heads(overview) == ["Rank", "Bot", "Points", "Per game", "Games"]
    assert heads(text)[:5] == heads(overview)
    assert ranking(text)[0] == "Points per game"
    assert '<td class="number">0.75</td>' in overview
    assert "The first seeds, the challengers, meet all others." in overview


def test_games_that_were_not_played_are_counted_apart(client):
    swiss = {"format": "swiss", "format_options": {"rounds": 1}, "min_entrants": 3}
    row = playing.play_round(playing.begin(3, **swiss))

    text = text_of(client, row, "standings/")

    assert text.count("and 2 not played") == 1
    won = re.findall(r'aria-hidden="true">(\d+–\d+–\d+)<', text)  # noqa: RUF001 - as it is shown
    assert sorted(won) == ["0–0–0", "0–0–2", "2–0–0"]  # noqa: RUF001 - as it is shown


def test_an_overview_that_cuts_the_standings_says_so(client):
    row = playing.play_round(playing.begin(9, max_entrants=9))
    small = playing.play_round(playing.begin(3))

    assert "8 of 9 are shown here: show all" in text_of(client, row)
    assert "are shown here" not in text_of(client, small)


def test_groups_stand_on_their_own_overview(client):
    options = {"groups": 2, "qualifiers": 1}
    row = playing.play_round(playing.begin(4, format="groups_playoff", format_options=options))

    text = text_of(client, row)

    assert [name in text for name in ("Group A</h2>", "Group B</h2>")] == [True, True]
    assert 'id="bracket-title"' in text


def test_match_page_leads_to_tournament_and_round(client):
    row = playing.play_round(playing.begin(4, **KNOCKOUT))
    address = row.get_absolute_url()
    final = playing.matches_of(row, 2)[1]  # the first is that for the third place

    text = client.get(final.get_absolute_url()).content.decode()

    assert f'<a href="{address}">{row.name}</a>' in text
    assert f'<a href="{address}rounds/2/#pairing-2">Final</a>' in text
    swiss = playing.begin(4)
    text = client.get(playing.matches_of(swiss)[0].get_absolute_url()).content.decode()
    assert f'<a href="{swiss.get_absolute_url()}rounds/1/#pairing-1">Round 1</a>' in text


def test_match_names_tournament_only_to_round_viewers():
    row = playing.begin(4, release="hidden")
    match = playing.matches_of(row)[0]

    assert tournament_of_match.of(match=match, viewer=ANYBODY) is None
    event = tournament_of_match.of(match=match, viewer=making.organizer(row))
    assert event
    assert (event.tournament, event.title) == (row, "Round 1")
