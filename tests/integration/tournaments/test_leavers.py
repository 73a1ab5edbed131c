"""What was played and drawn before somebody left: it is played to its end, and can be put right."""

import pytest

from arena.domain.bots import activation
from arena.domain.errors import Refused
from arena.domain.tournaments import stages
from arena.domain.tournaments.entry import entries
from arena.domain.tournaments.interventions.entrants import Disqualify, Withdraw
from arena.domain.tournaments.interventions.extensions import AddMatches
from arena.domain.tournaments.interventions.matches import Award, Rerun
from arena.models import Version
from tests.integration.tournaments import making, playing

pytestmark = pytest.mark.django_db


def retire(entrant):
    """Return the code with which that is refused, and its words; none where it is done."""
    try:
        activation.retire(version=entrant.version)
    except Refused as refused:
        return refused.code, refused.message
    return ()


def leave(cup, entrant):
    entries.leave(tournament=cup, bot=entrant.bot, by=entrant.bot.owner)


def test_withdrawn_entrant_cannot_retire_version_still_playing():
    cup = playing.begin(matches_per_pairing=2)
    pairing = playing.pairings_of(cup)[0]
    one, other = playing.sides(pairing)
    first, second = (each for each in playing.matches_of(cup) if each.pairing_id == pairing.pk)
    playing.finish(first, *playing.WON)
    leave(cup, one)

    code, said = retire(one)

    assert code == "version_frozen"
    assert said == (
        f"The bot has withdrawn from {cup.name}, but version 1 still plays the"
        " rounds that were drawn before. Retire it when they are over."
    )
    assert playing.statuses(second) == ["queued"]
    cup = playing.play_round(cup, *playing.LOST)
    assert (playing.score(cup, one), playing.score(cup, other)) == (2, 2)
    assert retire(one) == ()  # the round is over


def test_version_is_free_if_bot_withdrew_before_draw():
    cup = making.make_frozen()
    entrant = cup.entrants.order_by("seed").first()
    leave(cup, entrant)
    stages.start(tournament=cup, by=None)
    playing.go_on(cup)

    assert retire(entrant) == ()


def test_version_is_free_after_cancellation_or_disqualification():
    cup, other = playing.begin(), playing.begin()
    entrant = playing.sides(playing.pairings_of(cup)[0])[0]
    out = playing.sides(playing.pairings_of(other)[0])[0]
    leave(cup, entrant)
    assert retire(entrant)

    stages.cancel(tournament=cup, by=None, reason="No hall.")
    playing.act(other, Disqualify(out.pk))

    assert [retire(entrant), retire(out)] == [(), ()]


def test_rerun_round_holds_versions_that_were_in_it():
    cup = playing.begin()
    match = playing.matches_of(cup)[0]
    cup = playing.play_round(cup)
    entrant = playing.sides(match.pairing)[0]
    leave(cup, entrant)
    cup = playing.play_round(cup)

    playing.act(cup, Rerun(match.public_id))

    assert retire(entrant)


def test_withdrawn_entrant_games_are_rerun_or_awarded():
    cup = playing.begin()
    match = playing.matches_of(cup)[0]
    one, other = playing.sides(match.pairing)
    cup = playing.play_round(cup, *playing.LOST)
    leave(cup, one)
    assert (playing.score(cup, one), playing.score(cup, other)) == (0, 2)

    playing.act(cup, Rerun(match.public_id))
    again = next(each for each in playing.matches_of(cup) if each.rerun_of_id == match.pk)
    playing.finish(again, *playing.WON)
    assert (playing.score(cup, one), playing.score(cup, other)) == (2, 0)
    playing.act(cup, Award(match.pairing.public_id, other.pk))
    assert (playing.score(cup, one), playing.score(cup, other)) == (0, 2)
    playing.act(cup, Award(match.pairing.public_id, one.pk))
    assert (playing.score(cup, one), playing.score(cup, other)) == (2, 0)


def test_bracket_pairing_both_left_is_awarded_and_continues():
    cup = playing.begin(format="single_elimination")
    pairing = playing.pairings_of(cup)[0]
    one, other = playing.sides(pairing)
    playing.act(cup, Withdraw(one.pk))
    playing.act(cup, Withdraw(other.pk))

    playing.act(cup, Award(pairing.public_id, other.pk))
    cup = playing.play_round(playing.play_round(cup))

    assert cup.status == "completed"
    (final,) = playing.pairings_of(cup, 2)
    assert (other in playing.sides(final), final.decision) == (True, "walkover")


def test_disqualified_gets_no_award_and_leaver_no_matches():
    cup = playing.begin()
    first, second = playing.pairings_of(cup)
    out, left = playing.sides(first)[0], playing.sides(second)[0]
    cup = playing.play_round(cup)
    playing.act(cup, Disqualify(out.pk))
    leave(cup, left)

    code, said = playing.refusal(cup, Award(first.public_id, out.pk))

    assert code == "has_left"
    assert said == f"{out.bot} has left this tournament. Award the pairing to another entrant."
    assert playing.refused(cup, AddMatches(second.public_id, 1)) == "has_left"
    assert playing.refused(cup, Rerun(playing.matches_of(cup)[0].public_id)) == "has_left"


@pytest.mark.parametrize("is_over", [True, False])
def test_gone_version_suggests_award_unless_substitute_is_possible(is_over):
    cup = playing.begin(bots=2 if is_over else 4)
    match = playing.matches_of(cup)[0]
    cup = playing.play_round(cup)
    gone = playing.sides(match.pairing)[0]
    Version.objects.filter(pk=gone.version_id).update(status="retired")

    code, said = playing.refusal(cup, Rerun(match.public_id))

    what_now = "Award the pairing instead." if is_over else "Substitute another version first."
    assert (code, said) == ("version_not_ready", f"{gone.version} can no longer play. {what_now}")
