"""A bracket as a page shows it: without script and inline styles, in words for those who listen."""

from dataclasses import replace
from random import Random

import pytest
from django.template.loader import render_to_string

from arena.domain.tournaments import snapshot
from arena.web.tournaments import brackets
from tests.integration.tournaments import making, playing
from tests.integration.tournaments.pages_bracket_pictures import html, play, shown
from tests.unit.formats.bracket_play import by_lot

SINGLE, DOUBLE = "single_elimination", "double_elimination"


def cell(bracket, name):
    return next(
        each
        for section in bracket.sections
        for column in section.columns
        for each in column.cells
        if each and each.slot == name
    )


def names(each):
    return [line.entrant.bot.name if line.entrant else line.said for line in each.lines]


def test_unknown_entrant_named_by_where_it_comes_from():
    bracket = shown(DOUBLE, play(DOUBLE, 8).state)
    assert names(cell(bracket, "L2.1")) == ["Loser of 2.2", "Winner of 2.3"]
    assert names(cell(bracket, "G2.1")) == ["Winner of 4.1", "Winner of 6.1"]
    bracket = shown(DOUBLE, play(DOUBLE, 9, size=3).state)
    assert names(cell(bracket, "L1.2")) == ["Second of 1.2", "Third of 1.1", "Third of 1.3"]


def test_results_say_who_goes_on_and_how():
    played = play(SINGLE, 6, 1)
    played.leave(1001, 1)
    played.step()
    bracket = shown(SINGLE, played.state)
    bye, pair, passed = (cell(bracket, name) for name in ("W1.1", "W1.2", "W2.1"))
    assert (bye.badge, [line.points for line in bye.lines]) == ("bye", [""])
    assert [(line.seed, line.points, line.has_won) for line in pair.lines] == [
        (4, "2", True),
        (5, "0", False),
    ]
    assert (pair.url, pair.badge, pair.state) == (
        "/tournaments/cup/rounds/1/#pairing-2",
        "",
        "over",
    )
    assert (passed.badge, [line.mark for line in passed.lines]) == (
        "walkover",
        ["withdrawn after round 1", ""],
    )
    assert bye.lines[0].mark == ""  # there it had not left yet


def test_formats_without_a_bracket_show_none():
    assert shown("round_robin", play("round_robin", 4).state) is None
    assert shown("groups_playoff", play("groups_playoff", 8).state) is None


def test_picture_of_fewer_rounds_shows_no_later_ones():
    played = play(DOUBLE, 16, 4, result=by_lot, rng=Random(3))
    first = [meeting for meeting in played.state.meetings if meeting.round == 1]
    page = html(DOUBLE, replace(played.state, meetings=first))
    assert "/rounds/1/" in page
    assert "/rounds/2/" not in page
    bracket = shown(DOUBLE, replace(played.state, meetings=first))
    assert names(cell(bracket, "W3.1")) == ["Winner of 2.1", "Winner of 2.2"]


@pytest.mark.django_db
def test_page(client, django_assert_num_queries):
    """With rows: a pairing leads to its match, and what the picture has is enough to draw it."""
    tournament = playing.begin(4, format=SINGLE)
    match = playing.matches_of(tournament)[0]
    page = client.get(f"/tournaments/{tournament.slug}/bracket/").content.decode()
    link = f'<a href="{match.get_absolute_url()}"><span class="unseen">pairing </span>1.1</a>'
    assert link in page
    for bot in tournament.entrants.values_list("bot__name", flat=True):
        assert bot in page
    playing.play_round(tournament)
    playing.play_round(tournament)
    page = client.get(f"/tournaments/{tournament.slug}/bracket/").content.decode()
    assert "bracket-winner" in page
    picture = snapshot.load(tournament=making.fresh(tournament))
    with django_assert_num_queries(0):
        drawn = render_to_string("tournaments/_bracket.html", {"bracket": brackets.of(picture)})
    assert drawn.strip() in page
