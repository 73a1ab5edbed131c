"""Acts on entrants: what they do, and what they are refused for."""

import pytest

from arena.domain import finishing
from arena.domain.tournaments.interventions.entrants import Disqualify, Substitute, Withdraw
from arena.domain.tournaments.interventions.matches import Rerun, Void
from arena.models import Version
from tests import factories
from tests.integration.tournaments import making, playing, rows

pytestmark = pytest.mark.django_db


def test_substituted_version_replays_what_is_open(cup):
    first = playing.matches_of(cup)[0]
    entrant = playing.sides(first.pairing)[0]
    playing.finish(first, *playing.WON)
    cup = playing.play_round(cup)
    open_ = next(row for row in playing.matches_of(cup, 2) if entrant in playing.sides(row.pairing))
    better = factories.make_ready(entrant.bot)

    entry = playing.act(cup, Substitute(entrant.pk, better.pk))

    entrant.refresh_from_db()
    assert (entrant.version, entrant.digest) == (better, better.digest)
    again = next(row for row in playing.matches_of(cup, 2) if entrant in playing.sides(row.pairing))
    assert (playing.statuses(open_), again.rerun_of) == (["cancelled"], open_)
    assert better in playing.versions(again)
    assert playing.score(cup, entrant) == 2  # results stand
    assert entry.details["version"] == str(better)


def test_withdrawn_entrant_plays_matches_begun_anew_in_round(cup):
    match = playing.matches_of(cup)[0]
    one, other = playing.sides(match.pairing)
    playing.act(cup, Withdraw(other.pk))
    better = factories.make_ready(one.bot)

    playing.act(cup, Substitute(one.pk, better.pk))
    again = playing.matches_of(cup)[0]
    playing.act(cup, Void(again.public_id))

    assert playing.statuses(match, again) == ["cancelled", "cancelled"]
    last = playing.matches_of(cup)[0]
    assert (last.status, playing.versions(last)) == ("queued", [better, other.version])


def test_what_cannot_be_substituted(cup):
    entrant, other = cup.entrants.order_by("seed")[:2]
    retired, unchecked = factories.make_ready(entrant.bot), factories.make_upload(entrant.bot)
    Version.objects.filter(pk=retired.pk).update(status="retired")
    elsewhere = factories.make_ready(entrant.bot, variants=["general"])

    codes = [
        playing.refused(cup, Substitute(entrant.pk, pk))
        for pk in (
            retired.pk, unchecked.pk, elsewhere.pk, entrant.version_id, 0,
            other.version_id, factories.make_ready().pk,
        )
    ]  # fmt: skip

    assert codes == [
        "version_retired",
        "version_not_ready",
        "wrong_variant",
        "nothing_changes",
        "no_such_version",
        "other_bot",
        "other_bot",
    ]
    playing.act(cup, Withdraw(entrant.pk))
    spare = factories.make_ready(entrant.bot)
    assert playing.refused(cup, Substitute(entrant.pk, spare.pk)) == "has_left"


def test_withdrawn_entrant_plays_drawn_matches_and_nothing_after(cup):
    match = playing.matches_of(cup)[0]
    entrant = playing.sides(match.pairing)[0]

    playing.act(cup, Withdraw(entrant.pk))
    cup = playing.play_round(cup, *playing.LEVEL)

    entrant.refresh_from_db()
    assert (entrant.status, entrant.until_round) == ("withdrawn", 1)
    assert playing.statuses(match) == ["finished"]
    second = next(row for row in playing.pairings_of(cup, 2) if entrant in playing.sides(row))
    assert second.decision == "walkover"
    assert playing.refused(cup, Withdraw(entrant.pk)) == "has_left"
    assert playing.score(cup, entrant) == 1


def test_disqualified_entrant_loses_unplayed_matches_keeps_rest(cup):
    first = playing.matches_of(cup)[0]
    entrant = playing.sides(first.pairing)[0]
    playing.finish(first, *playing.WON)
    cup = playing.play_round(cup)
    open_ = next(row for row in playing.matches_of(cup, 2) if entrant in playing.sides(row.pairing))
    opponent = next(each for each in playing.sides(open_.pairing) if each != entrant)
    before = playing.score(cup, opponent)
    lease = factories.claim(open_)

    playing.act(cup, Disqualify(entrant.pk))

    open_.pairing.refresh_from_db()
    entrant.refresh_from_db()
    assert (entrant.status, entrant.until_round) == ("disqualified", 2)
    assert (open_.pairing.decision, playing.statuses(open_)) == ("walkover", ["cancelled"])
    assert not finishing.finish(lease=lease)
    assert (playing.score(cup, entrant), playing.score(cup, opponent)) == (2, before + 2)
    assert playing.refused(cup, Disqualify(entrant.pk)) == "nothing_changes"
    cup = playing.play_round(cup)
    last = next(row for row in playing.pairings_of(cup, 3) if entrant in playing.sides(row))
    assert last.decision == "walkover"


def test_walkover_is_kept_when_both_are_disqualified():
    cup = playing.begin(bots=2)
    one, other = cup.entrants.order_by("seed")

    playing.act(cup, Disqualify(one.pk))
    playing.act(cup, Disqualify(other.pk))

    assert playing.pairings_of(cup)[0].decision == "walkover"
    assert playing.points(cup) == [0, 2]


def test_withdrawn_entrant_gets_walkover_of_disqualified_opponent(cup):
    pairing = playing.pairings_of(cup)[0]
    one, other = playing.sides(pairing)
    playing.act(cup, Withdraw(other.pk))  # and plays what it has begun

    playing.act(cup, Disqualify(one.pk))

    pairing.refresh_from_db()
    assert (pairing.decision, pairing.award) == ("walkover", 1)
    assert (playing.score(cup, one), playing.score(cup, other)) == (0, 2)


def test_disqualified_in_earlier_round_had_not_left_before():
    cup = playing.begin(bots=6, format="swiss", format_options={"rounds": 3})
    cup = playing.play_round(playing.play_round(cup))
    match = playing.matches_of(cup, 1)[0]
    entrant, opponent = playing.sides(match.pairing)
    playing.act(cup, Rerun(match.public_id))

    playing.act(cup, Disqualify(entrant.pk))

    entrant.refresh_from_db()
    match.pairing.refresh_from_db()
    assert (entrant.until_round, cup.rounds.count()) == (3, 3)
    assert match.pairing.award == playing.sides(match.pairing).index(opponent)


def test_withdrawn_entrant_keeps_leaving_round_when_disqualified(cup):
    entrant = cup.entrants.order_by("seed").first()
    playing.act(cup, Withdraw(entrant.pk))
    cup = playing.play_round(playing.play_round(cup))

    playing.act(cup, Disqualify(entrant.pk))

    entrant.refresh_from_db()
    assert (entrant.status, entrant.until_round, cup.rounds.count()) == ("disqualified", 1, 3)


def test_a_winner_is_disqualified_before_the_release():
    cup = playing.begin(bots=2, release="hidden")
    cup = playing.play_round(cup, *playing.WON)
    entrant = playing.sides(playing.pairings_of(cup)[0])[0]

    playing.act(cup, Disqualify(entrant.pk))

    entrant.refresh_from_db()
    assert (entrant.status, entrant.until_round, playing.score(cup, entrant)) == (
        "disqualified",
        1,
        2,
    )
    assert making.fresh(cup).status == "completed"
    assert playing.refused(cup, Withdraw(entrant.pk)) == "wrong_status"


@pytest.fixture
def siege():
    """A round robin of three who all meet in one match."""
    return playing.begin(3, ladder="siege-3")


def test_remaining_two_of_three_win_against_disqualified_third(siege):
    (match,) = playing.matches_of(siege)
    first, *others = playing.sides(match.pairing)

    playing.act(siege, Disqualify(first.pk))

    match.pairing.refresh_from_db()
    assert (match.pairing.decision, match.pairing.award) == ("walkover", None)
    assert [playing.score(siege, entrant) for entrant in (first, *others)] == [0, 3, 3]
    assert playing.go_on(siege).status == "completed"


def play_threes(cup):
    """Let every match of three that waits end with three games of the garrison."""
    for match in rows.open_matches(cup):
        factories.finish_with(match, *[({"garrison": 1.0, "besiegers": 0.0}, "")] * 3)
    return playing.go_on(cup)


def of_three_with(cup, round_number, entrant):
    """Return the entrants of the match that one plays in a round, and the match."""
    for match in playing.matches_of(cup, round_number):
        if entrant in (sides := playing.sides(match.pairing)):
            return sides, match
    return [], None


def test_walkover_is_kept_when_disqualified_in_earlier_round():
    cup = play_threes(playing.begin(6, ladder="siege-3"))
    entrant = cup.entrants.get(seed=1)
    at_first, first = of_three_with(cup, 1, entrant)
    opponents, _match = of_three_with(cup, 2, entrant)
    out = next(each for each in opponents if each not in at_first)
    playing.act(cup, Disqualify(out.pk))
    cup = play_threes(cup)
    playing.act(cup, Rerun(first.public_id))
    before = playing.score(cup, entrant), playing.score(cup, out)

    playing.act(cup, Disqualify(entrant.pk))

    assert cup.rounds.count() == 3
    assert (playing.score(cup, entrant), playing.score(cup, out)) == before
    assert before[0] == 3  # the walkover: its other matches are played again, or are not over
