"""Pairings of brackets that end level: what the log says of them, and that it stays true."""

import pytest

from arena.domain.tournaments import log, snapshot
from arena.domain.tournaments.interventions.entrants import Disqualify
from arena.domain.tournaments.interventions.matches import Rerun
from tests.integration.tournaments import making, playing

pytestmark = pytest.mark.django_db

NO_EXTRA = {"extra_matches": 0}


def told(cup, *actions):
    """Return what the log says under some actions: the round it is filed under, and the words."""
    rows = making.fresh(cup).log.filter(action__in=actions).order_by("pk")
    return [(row.round_number, log.say(row)) for row in rows]


def names(cup):
    """Return the names of entrants by seed, from 1."""
    return [row.bot.name for row in cup.entrants.order_by("seed")]


def winner(cup):
    """Return who has won, by the bracket and by the standings, which say the same."""
    picture = snapshot.load(tournament=making.fresh(cup))
    first = picture.standings[0].entrant
    assert picture.bracket
    assert picture.bracket.winner == first
    return picture.entrants[first].bot.name


def entrant(cup, seed):
    return cup.entrants.get(seed=seed).pk


HIGHER_SEED = "Reason: it has the higher seed."


def test_disqualified_higher_seed_keeps_level_final():
    cup = playing.begin(2, format="single_elimination", format_options=NO_EXTRA)
    one, two = names(cup)
    cup = playing.play_round(cup, *playing.LEVEL)
    said = f"Final: {one} and {two} are level. {one} wins the final. {HIGHER_SEED}"
    assert told(cup, "bracket_level") == [(1, said)]

    playing.act(cup, Disqualify(entrant(cup, 1)))
    playing.go_on(cup)

    assert winner(cup) == one
    assert told(cup, "bracket_level") == [(1, said)]


def test_entry_names_its_meeting_under_its_round():
    options = {**NO_EXTRA, "third_place": 1}
    cup = playing.begin(4, format="single_elimination", format_options=options)
    one, two, three, four = names(cup)
    cup = playing.play_round(cup, *playing.LEVEL)
    for match in playing.matches_of(cup, 2):
        is_third = match.pairing.slot.startswith("T")
        playing.finish(match, *(playing.LEVEL if is_third else playing.LOST))
    cup = playing.go_on(cup)

    assert told(cup, "bracket_level") == [
        (1, f"Semi-final: {one} and {four} are level. {one} advances. {HIGHER_SEED}"),
        (1, f"Semi-final: {two} and {three} are level. {two} advances. {HIGHER_SEED}"),
        (
            2,
            f"Third place: {three} and {four} are level. {three} takes third place. {HIGHER_SEED}",
        ),
    ]


def test_level_final_played_again_is_decided_by_play():
    cup = playing.begin(2, format="single_elimination", format_options=NO_EXTRA)
    cup = playing.play_round(cup, *playing.LEVEL)
    (match,) = playing.matches_of(cup)
    first_is_higher = playing.sides(match.pairing)[0].seed == 1
    assert winner(cup) == names(cup)[0]
    playing.act(cup, Rerun(match.public_id))
    bracket = snapshot.load(tournament=making.fresh(cup)).bracket
    assert bracket
    assert bracket.winner is None
    playing.play_round(cup, *(playing.LOST if first_is_higher else playing.WON))

    assert winner(cup) == names(cup)[1]
    ((_, said),) = told(cup, "match_rerun")
    assert said.endswith("The decision about who advances is open again.")
    assert len(told(cup, "bracket_level")) == 1
