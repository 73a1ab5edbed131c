"""What rounds are called, and how far everybody came: worked out from pictures without rows."""

from dataclasses import replace

from arena.domain.formats.types import Score
from arena.web.tournaments import pairing_lines, round_names
from tests.integration.tournaments.pages_bracket_pictures import picture_of, play

SINGLE, DOUBLE, GROUPS = "single_elimination", "double_elimination", "groups_playoff"


def picture(slug, count, rounds=0, **options):
    return picture_of(slug, play(slug, count, rounds, **options).state)


def titles(shown):
    return [round_names.of_round(shown, row.number).title for row in shown.rounds]


def came_to(shown):
    """Return by seed what everybody came to; entrants are 1001, 1002 …"""
    found = round_names.reached(shown)
    return [found[pk] for pk in sorted(found)]


def test_rounds_bear_names_of_what_is_played():
    knockout = picture(SINGLE, 8, 3, options={"third_place": 1})
    assert titles(knockout) == ["Quarter-finals", "Semi-finals", "Final · Third place"]
    double = picture(DOUBLE, 4, 4)
    assert titles(double) == [
        "Upper round 1",
        "Upper final · Lower round 1",
        "Lower final",
        "Grand final",
    ]
    groups = picture(GROUPS, 8, 5, options={"groups": 2, "qualifiers": 2})
    assert titles(groups)[2:] == ["Groups, round 3", "Semi-finals", "Final"]
    plain = round_names.of_round(picture("round_robin", 4, 1), 1)
    assert (plain.title, plain.is_plain) == ("Round 1", True)


def test_how_far_everybody_came_in_a_knockout():
    shown = picture(SINGLE, 8, 3, options={"third_place": 1})
    assert came_to(shown) == [
        "Winner",
        "Final",
        "Third place",
        "Fourth place",
        *["Quarter-finals"] * 4,
    ]
    assert came_to(picture(SINGLE, 8, 2, options={"third_place": 1})) == [
        *["Final"] * 2,
        *["Semi-finals"] * 2,  # the match for third place is not over
        *["Quarter-finals"] * 4,
    ]


def test_how_far_came_in_double_elimination_and_groups():
    found = came_to(picture(DOUBLE, 4, 4))
    assert found == ["Winner", "Grand final", "Lower final", "Lower round 1"]
    found = came_to(picture(GROUPS, 8, 5, options={"groups": 2, "qualifiers": 2}))
    assert sorted(found) == [
        "Final",
        *[f"Group {letter}, place {place}" for letter in "AB" for place in (3, 4)],
        *["Semi-finals"] * 2,
        "Winner",
    ]


def test_nobody_comes_further_where_all_play_or_undrawn():
    assert round_names.reached(picture("round_robin", 4, 2)) == {}
    assert round_names.reached(picture(SINGLE, 4)) == {}


def test_pairings_of_round_are_ordered_final_first():
    shown = picture(SINGLE, 4, 2, options={"third_place": 1})
    lines = pairing_lines.of_round(shown, 2)
    assert [(line.part, line.row.number) for line in lines] == [("Final", 2), ("Third place", 1)]
    assert [line.part for line in pairing_lines.of_round(shown, 1)] == ["", ""]
    groups = picture(GROUPS, 8, 1, options={"groups": 2, "qualifiers": 2})
    parts = [line.part for line in pairing_lines.of_round(groups, 1)]
    assert parts == ["Group A", "Group A", "Group B", "Group B"]


def test_level_bracket_pairing_has_winner_and_says_why():
    state = play(SINGLE, 2, 1).state
    level = replace(state.meetings[0], scores=(Score(draws=6),) * 2)
    (line,) = pairing_lines.of_round(picture_of(SINGLE, replace(state, meetings=[level])), 1)
    assert [(side.entrant.seed, side.is_best) for side in line.sides] == [(1, True), (2, False)]
    assert line.said == "Level: the higher seed advances."


def test_final_of_three_has_its_places():
    state = play(SINGLE, 3, 1, size=3).state
    scores = {3: Score(wins=3, losses=3), 2: Score(wins=2, losses=4), 1: Score(wins=1, losses=5)}

    def final(*wins):
        played = replace(state.meetings[0], scores=tuple(scores[each] for each in wins))
        return came_to(picture_of(SINGLE, replace(state, meetings=[played])))

    assert final(3, 2, 1) == ["Winner", "Second place", "Third place"]
    assert final(3, 1, 1) == ["Winner", "Final", "Final"]
