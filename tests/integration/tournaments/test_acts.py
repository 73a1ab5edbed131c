"""Acts on matches and pairings: what they do, and what they are refused for."""

import pytest

from arena.domain import finishing
from arena.domain.tournaments.interventions import execution
from arena.domain.tournaments.interventions.entrants import Disqualify, Withdraw
from arena.domain.tournaments.interventions.extensions import AddMatches
from arena.domain.tournaments.interventions.matches import Award, Rerun, Void
from arena.models import Match
from engine import chance
from tests import factories
from tests.integration.tournaments import playing, rows

pytestmark = pytest.mark.django_db


def test_voided_match_in_work_replayed_with_new_chance(cup):
    match = playing.matches_of(cup)[0]
    lease = factories.claim(match)
    game = match.games.order_by("number").first()
    factories.store(lease, game, 1.0)

    entry = playing.act(cup, Void(match.public_id))

    again = playing.matches_of(cup)[0]
    assert playing.statuses(match, again) == ["cancelled", "queued"]
    assert (again.rerun_of, again.leg) == (match, 1)
    assert again.secret == chance.match_secret(cup.secret, place=again.place) != match.secret
    assert (again.pairing, again.kind, again.release) == (match.pairing, "tournament", "public")
    assert playing.versions(again) == playing.versions(match)
    assert entry.details["again"] == again.public_id
    assert not finishing.finish(lease=lease)  # the runner comes too late
    playing.finish(again, *playing.LEVEL)
    assert playing.points(cup) == [1, 0, 0, 1] or sorted(playing.points(cup)) == [0, 0, 1, 1]


def test_finished_match_is_rerun_and_open_one_voided(cup):
    match, open_ = playing.matches_of(cup)
    playing.finish(match)

    assert playing.refused(cup, Void(match.public_id)) == "match_over"
    assert playing.refused(cup, Rerun(open_.public_id)) == "match_open"
    assert playing.refused(cup, Void("m_nowhere")) == "no_such_match"
    playing.act(cup, Void(open_.public_id))
    for act in (Void, Rerun):  # it has been played again already
        assert playing.refused(cup, act(open_.public_id)) == "match_rerun"


def test_old_result_of_rerun_match_counts_no_longer(cup):
    match = playing.finish(playing.matches_of(cup)[0], *playing.WON)
    winner, loser = playing.sides(match.pairing)
    assert (playing.score(cup, winner), playing.score(cup, loser)) == (2, 0)

    playing.act(cup, Rerun(match.public_id))

    assert (playing.score(cup, winner), playing.score(cup, loser)) == (0, 0)
    playing.finish(playing.matches_of(cup)[0], *playing.LOST)
    assert (playing.score(cup, winner), playing.score(cup, loser)) == (0, 2)
    match.refresh_from_db()
    assert (match.status, match.entrants.get(position=0).points) == ("finished", 2)


def test_round_waits_for_rerun_in_earlier_round(cup):
    match = playing.matches_of(cup)[0]
    cup = playing.play_round(cup)
    assert cup.rounds.count() == 2

    entry = playing.act(cup, Rerun(match.public_id))
    for row in playing.matches_of(cup, 2):
        playing.finish(row)
    playing.go_on(cup)

    assert entry.round_number == 2  # its numbers tell of both rounds
    assert cup.rounds.count() == 2
    assert cup.rounds.get(number=1).finished_at is None
    playing.play_round(cup)
    assert cup.rounds.count() == 3
    assert cup.rounds.get(number=1).finished_at is not None


def test_completed_tournament_goes_on_with_rerun_match():
    cup = playing.begin(bots=2, release="hidden")
    cup = playing.play_round(cup)
    assert cup.status == "completed"
    match = playing.matches_of(cup)[0]

    dry_run = execution.preview(tournament=cup, intervention=Rerun(match.public_id))
    playing.act(cup, Rerun(match.public_id))

    assert "The tournament was completed. It now continues." in dry_run.notes
    cup.refresh_from_db()
    assert (cup.status, cup.completed_at) == ("running", None)
    cup = playing.play_round(cup, *playing.LOST)
    assert cup.status == "completed"


def test_pairing_awarded_whatever_was_played(cup):
    played, open_ = playing.matches_of(cup)
    playing.finish(played, *playing.WON)
    winner, loser = playing.sides(played.pairing)

    playing.act(cup, Award(played.pairing.public_id, loser.pk))
    playing.act(cup, Award(open_.pairing.public_id, None))

    assert (playing.score(cup, winner), playing.score(cup, loser)) == (0, 2)
    assert [playing.score(cup, entrant) for entrant in playing.sides(open_.pairing)] == [1, 1]
    assert playing.statuses(open_) == ["cancelled"]
    playing.go_on(cup)
    assert cup.rounds.count() == 2  # nothing is left to wait for
    assert not Match.objects.filter(pairing=open_.pairing, status="queued").exists()


def test_award_lifted_by_rerun_with_all_it_ended():
    cup = playing.begin(bots=2, matches_per_pairing=3)
    first, second, third = playing.matches_of(cup)
    playing.finish(first, *playing.WON)
    entrant = playing.sides(first.pairing)[1]
    playing.act(cup, Award(first.pairing.public_id, entrant.pk))
    assert playing.statuses(first, second, third) == ["finished", "cancelled", "cancelled"]

    dry_run = execution.preview(tournament=cup, intervention=Rerun(second.public_id))
    playing.act(cup, Rerun(second.public_id))

    assert "The award is lifted" in dry_run.notes[0]
    counting = playing.matches_of(cup)
    assert [row.status for row in counting] == ["finished", "queued", "queued"]
    cup = playing.play_round(cup, *playing.WON)
    assert (playing.points(cup), cup.status) == ([6, 0], "completed")


def test_what_an_award_cannot_be(cup):
    pairing, other = playing.pairings_of(cup)
    ours, theirs = playing.sides(pairing), playing.sides(other)

    assert playing.refused(cup, Award(pairing.public_id, theirs[0].pk)) == "not_in_pairing"
    assert playing.refused(cup, Award("p_nowhere", None)) == "no_such_pairing"
    playing.act(cup, Award(pairing.public_id, ours[0].pk))
    assert playing.refused(cup, Award(pairing.public_id, ours[0].pk)) == "nothing_changes"
    playing.act(cup, Disqualify(theirs[0].pk))
    assert playing.refused(cup, Award(other.public_id, theirs[1].pk)) == "pairing_walkover"
    playing.act(cup, Disqualify(ours[1].pk))
    assert playing.refused(cup, Award(pairing.public_id, ours[1].pk)) == "has_left"


def test_a_bye_is_no_match():
    cup = playing.begin(bots=3, format="swiss", format_options={"rounds": 1})
    (bye,) = (row for row in playing.pairings_of(cup) if row.decision == "bye")

    assert playing.refused(cup, Award(bye.public_id, None)) == "pairing_bye"
    assert playing.refused(cup, AddMatches(bye.public_id, 1)) == "pairing_bye"


def test_result_a_bracket_round_was_drawn_from_stands():
    cup = playing.begin(format="single_elimination", format_options={"extra_matches": 0})
    first = playing.matches_of(cup)[0]
    cup = playing.play_round(cup, *playing.WON)
    final = playing.pairings_of(cup, 2)[0]

    for act in (
        Award(first.pairing.public_id, playing.sides(first.pairing)[1].pk),
        Rerun(first.public_id),
        AddMatches(first.pairing.public_id, 1),
    ):
        code, said = playing.refusal(cup, act)
        assert (code, "round 2 instead" in said) == ("drawn_from", True)
    assert playing.refused(cup, Award(final.public_id, None)) == "bracket_goes_on"
    playing.act(cup, Award(final.public_id, playing.sides(final)[1].pk))


def test_final_drawn_also_from_pairing_of_departed_winner():
    siege = factories.get_ladder("siege-3")
    options = {"third_place": 0, "extra_matches": 0}
    cup = rows.make_tournament(
        9, ladder=siege, format="single_elimination", format_options=options, release="hidden"
    )
    cup = playing.go_on(cup)
    pairing, *others = playing.pairings_of(cup)
    winner, loser, _third = playing.sides(pairing)
    playing.act(cup, Award(pairing.public_id, winner.pk))
    for other in others:
        playing.act(cup, Award(other.public_id, playing.sides(other)[0].pk))
    playing.act(cup, Withdraw(winner.pk))
    cup = playing.go_on(cup)
    assert len(playing.sides(playing.pairings_of(cup, 2)[0])) == 2

    assert playing.refused(cup, Award(pairing.public_id, loser.pk)) == "drawn_from"


def test_swiss_old_result_may_change_drawn_rounds_stand():
    cup = playing.begin(bots=6, format="swiss", format_options={"rounds": 3})
    cup = playing.play_round(cup, *playing.WON)
    drawn = playing.drawn(cup, 2)
    pairing = playing.pairings_of(cup)[0]
    winner, loser = playing.sides(pairing)

    dry_run = execution.preview(tournament=cup, intervention=Award(pairing.public_id, loser.pk))
    playing.act(cup, Award(pairing.public_id, loser.pk))

    assert any("that are already drawn stay as they are" in note for note in dry_run.notes)
    assert (playing.score(cup, winner), playing.score(cup, loser)) == (0, 2)
    assert playing.drawn(cup, 2) == drawn
