"""Acts of organizers: tried first, done as they were seen, written down."""

import pytest

from arena import jobs
from arena.domain.errors import Refused
from arena.domain.tournaments import log, stages
from arena.domain.tournaments.interventions import execution
from arena.domain.tournaments.interventions.entrants import Disqualify, Substitute, Withdraw
from arena.domain.tournaments.interventions.execution import PreviewOutdated
from arena.domain.tournaments.interventions.matches import Award, Rerun, Void
from arena.models import Match, Pairing, Tournament, TournamentLogEntry
from tests import factories
from tests.integration.tournaments import making, playing

pytestmark = pytest.mark.django_db


@pytest.fixture
def sent(monkeypatch):
    """The messages that would have been sent."""
    messages = []
    monkeypatch.setattr(jobs, "send", lambda task, *row: messages.append((task, *row)))
    return messages


def award(cup, place=0, number=0):
    pairing = playing.pairings_of(cup)[number]
    return Award(pairing.public_id, pairing.entrants.get(position=place).entrant_id)


def rows():
    """Everything that an act could change, as it is stored."""
    models = (Tournament, Pairing, Match, TournamentLogEntry)
    return [list(model.objects.order_by("pk").values()) for model in models]


def test_dry_run_shows_standings_and_changes_nothing(cup, sent, django_capture_on_commit_callbacks):
    before = rows()

    with django_capture_on_commit_callbacks(execute=True) as waiting:
        dry_run = execution.preview(tournament=cup, intervention=award(cup))

    assert (rows(), waiting, sent) == (before, [], [])
    assert [line.before.points for line in dry_run.lines] == [0, 0, 0, 0]
    assert sorted(line.after.points for line in dry_run.lines) == [0, 0, 0, 2]
    assert dry_run.lines[0].after.points == 2
    assert dry_run.moved == [line for line in dry_run.lines if line.before.rank != line.after.rank]
    assert dry_run.revision == cup.revision
    assert "1 match that is not over is ended." in dry_run.notes


def test_confirmed_act_is_as_shown_and_written_down(cup):
    act = award(cup)
    shown = execution.preview(tournament=cup, intervention=act)
    by = making.organizer(cup)

    entry = execution.perform(
        tournament=cup,
        intervention=act,
        by=by,
        reason=" no show ",
        revision=cup.revision,
        seen=shown.seen,
    )

    assert [line.after.points for line in shown.lines] == sorted(playing.points(cup), reverse=True)
    assert (entry.action, entry.by, entry.reason) == ("awarded", by, "no show")
    assert (entry.revision, entry.round_number) == (shown.revision + 1, 1)
    assert cup.revision == shown.revision + 1
    changes = {line[0]: line[1:] for line in entry.details["changes"]}
    line = next(line for line in shown.lines if line.entrant.pk == act.to)
    assert changes[act.to] == [line.before.rank, line.after.rank, 0, 2]
    assert log.say(entry) == f"Pairing 1.1 was awarded to {line.entrant.bot.name}."


def test_outdated_change_is_shown_and_overwrites_nothing(cup):
    first, second = award(cup), award(cup, place=1)
    seen = execution.preview(tournament=cup, intervention=second)
    playing.act(cup, first)
    before = rows()

    with pytest.raises(PreviewOutdated) as stale:
        playing.act(cup, second, revision=seen.revision)

    assert (stale.value.code, rows()) == ("stale", before)
    assert stale.value.fresh.revision == stale.value.revision == seen.revision + 1
    was, now = ([line.before for line in each.lines] for each in (seen, stale.value.fresh))
    assert now != was
    playing.act(cup, second, revision=stale.value.fresh.revision, seen=stale.value.fresh.seen)
    assert Pairing.objects.get(public_id=second.pairing).award == 1


def test_a_reason_is_needed_and_is_no_book(cup):
    before = rows()

    for reason in ("", "  ", "x" * 501):
        with pytest.raises(Refused) as refused:
            playing.act(cup, award(cup), reason=reason)
        assert refused.value.code in {"no_reason", "long_reason"}
        assert (refused.value.field, rows()) == ("reason", before)


def acts_of(cup):
    match = playing.matches_of(cup)[0]
    entrant = cup.entrants.order_by("seed").first()
    return [
        award(cup),
        Void(match.public_id),
        Rerun(match.public_id),
        Withdraw(entrant.pk),
        Disqualify(entrant.pk),
    ]


def test_released_or_cancelled_tournament_stays_as_it_is(cup):
    acts = acts_of(cup)
    for ending in ("released", "cancelled"):
        Tournament.objects.filter(pk=cup.pk).update(status=ending)
        for act in acts:
            code, said = playing.refusal(cup, act)
            assert (code, "This cannot be undone." in said) == ("wrong_status", True)


def test_nothing_to_put_right_before_the_freeze():
    cup = making.make_open()
    entrant = making.enter(cup)

    for act in (Withdraw(entrant.pk), Disqualify(entrant.pk), Award("p_x", None)):
        code, said = playing.refusal(cup, act)
        assert (code, "freeze" in said) == ("wrong_status", True)


def test_what_is_of_another_tournament_is_not_found(cup):
    other = playing.begin()

    for act in acts_of(other):
        code, _said = playing.refusal(cup, act)
        assert code in {"no_such_match", "no_such_pairing", "no_such_entrant"}


def test_tournament_goes_on_by_itself_after_act(cup, sent, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        for number in range(2):
            playing.act(cup, award(cup, number=number))

    assert (jobs.DIRECT, cup.pk) in sent
    playing.go_on(cup)
    assert cup.rounds.count() == 2


def test_acts_go_on_while_it_is_paused(cup):
    stages.pause(tournament=cup, by=making.organizer(cup), reason="a look at it")

    playing.act(cup, award(cup))

    cup.refresh_from_db()
    assert cup.status == "paused"


def test_owners_are_told_acts_but_not_hidden_ones():
    cup = playing.begin(release="hidden")
    entrant, other = cup.entrants.select_related("bot__owner").order_by("seed")[:2]
    spare = factories.make_ready(entrant.bot)

    playing.act(cup, Substitute(entrant.pk, spare.pk), reason="lost to beta by a crash")
    playing.act(cup, Disqualify(other.pk), reason="two of one owner")
    playing.act(cup, award(cup))

    name = entrant.bot.name
    said = f"{cup.name}: {name} plays v{spare.number} from now on instead of v1."
    begins = f"The tournament {cup.name} begins. Your bots in it play now."
    told = [
        list(each.bot.owner.notices.values_list("text", flat=True)) for each in (entrant, other)
    ]
    assert told == [
        [said, begins],
        [f"{cup.name}: {other.bot.name} was disqualified.", begins],
    ]
