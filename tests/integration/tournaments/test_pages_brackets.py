"""A bracket as a page shows it: without script and inline styles, in words for those who listen."""

import re
from dataclasses import replace
from random import Random

import pytest
from django.template.loader import render_to_string

from arena.domain.formats.types import Decision, Score
from arena.domain.tournaments import snapshot
from arena.web.tournaments import brackets
from tests.integration.tournaments import making, playing
from tests.integration.tournaments.pages_bracket_pictures import html, picture_of, play, shown
from tests.unit.formats.bracket_play import by_lot

SINGLE, DOUBLE = "single_elimination", "double_elimination"


def titles(bracket):
    return [
        (section.title, [column.title for column in section.columns])
        for section in bracket.sections
    ]


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


def test_knockout_rounds_have_names_people_give_them():
    bracket = shown(SINGLE, play(SINGLE, 13, options={"third_place": 1}).state)
    assert titles(bracket) == [
        ("", ["Round of 16", "Quarter-finals", "Semi-finals", "Final"]),
        ("", ["Third place"]),
    ]
    assert titles(shown(SINGLE, play(SINGLE, 9, size=3).state)) == [("", ["Round of 9", "Final"])]


def test_parts_of_a_double_elimination_are_named():
    bracket = shown(DOUBLE, play(DOUBLE, 8).state)
    assert titles(bracket) == [
        ("Upper bracket", ["Upper round 1", "Upper round 2", "Upper final"]),
        ("Lower bracket", ["Lower round 1", "Lower round 2", "Lower round 3", "Lower final"]),
        ("Finals", ["Grand final", "Second final"]),
    ]


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


@pytest.mark.parametrize(
    ("change", "badge", "said"),
    [
        ({"decision": Decision.VOID, "scores": ()}, "void", "Void: the higher seed advances."),
        ({"scores": (Score(draws=6),) * 2}, "by seed", "Level: the higher seed advances."),
        (
            {"decision": Decision.AWARD, "scores": (Score(draws=2),) * 2},
            "awarded",
            "The games are shared: the higher seed advances.",
        ),
    ],
)
def test_where_the_seed_decides_it_says_so(change, badge, said):
    played = play(SINGLE, 2, 1)
    state = replace(played.state, meetings=[replace(played.state.meetings[0], **change)])
    final = cell(shown(SINGLE, state), "W1.1")
    assert (final.badge, final.said) == (badge, said)
    assert [line.has_won for line in final.lines] == [True, False]


def test_undrawn_bye_shown_and_stands_in_next_round():
    bracket = shown(SINGLE, play(SINGLE, 6).state)
    bye = cell(bracket, "W1.1")
    assert (bye.state, bye.badge, names(bye)) == ("later", "bye", ["scout-rush-1"])
    assert names(cell(bracket, "W2.1")) == ["scout-rush-1", "Winner of 1.2"]


def test_the_second_final_says_whether_it_is_needed():
    before = cell(shown(DOUBLE, play(DOUBLE, 4).state), "G2.1")
    assert before.said == "Played only if the unbeaten entrant loses the grand final."
    bracket = shown(DOUBLE, play(DOUBLE, 4, 4).state)
    after = cell(bracket, "G2.1")
    assert (after.state, after.lines) == ("idle", [])
    assert after.said == "Not needed: the unbeaten entrant won the grand final."
    assert bracket.winner.bot.name == "scout-rush-1"


def test_formats_without_a_bracket_show_none():
    assert shown("round_robin", play("round_robin", 4).state) is None
    assert shown("groups_playoff", play("groups_playoff", 8).state) is None


def test_group_play_off_slots_have_short_names():
    played = play("groups_playoff", 8, 4, options={"groups": 2, "qualifiers": 2})
    bracket = shown("groups_playoff", played.state)
    assert titles(bracket) == [("", ["Semi-finals", "Final"])]
    # Both have won all: the coin says which of them is the first seed of the play-off.
    assert sorted(names(cell(bracket, "PW2.1"))) == ["drapeau-van-het-leger-2", "scout-rush-1"]


def test_picture_of_fewer_rounds_shows_no_later_ones():
    played = play(DOUBLE, 16, 4, result=by_lot, rng=Random(3))
    first = [meeting for meeting in played.state.meetings if meeting.round == 1]
    page = html(DOUBLE, replace(played.state, meetings=first))
    assert "/rounds/1/" in page
    assert "/rounds/2/" not in page
    bracket = shown(DOUBLE, replace(played.state, meetings=first))
    assert names(cell(bracket, "W3.1")) == ["Winner of 2.1", "Winner of 2.2"]


CASES = [(SINGLE, 64, 3, 2), (DOUBLE, 13, 4, 2), (DOUBLE, 9, 2, 3), (SINGLE, 5, 0, 2)]


@pytest.mark.parametrize(("slug", "count", "rounds", "size"), CASES)
def test_markup(slug, count, rounds, size):
    """Lists in lists, a heading for each round, nothing that a strict content policy refuses."""
    played = play(slug, count, rounds, size, result=by_lot, trouble=0.2)
    page = html(slug, played.state)
    assert re.findall(r"<script|\sstyle=|\son\w+=", page) == []
    bracket = shown(slug, played.state)
    columns = [column for section in bracket.sections for column in section.columns]
    assert len(re.findall(r"<h[34]>", page)) == len(columns)
    cells = sum(each is not None for column in columns for each in column.cells)
    assert page.count('class="bracket-cell') == cells
    ids = re.findall(r'\sid="([^"]+)"', page)
    assert len(set(ids)) == len(ids)
    labels = re.findall(r'aria-labelledby="([^"]+)"', page)
    assert set(labels) <= set(ids)


def test_names_are_text():
    picture = picture_of(SINGLE, play(SINGLE, 2).state)
    picture.entrants[1001].bot.name = "<b>bold</b>"
    page = render_to_string("tournaments/_bracket.html", {"bracket": brackets.of(picture)})
    assert "<b>bold" not in page
    assert "&lt;b&gt;bold" in page


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
