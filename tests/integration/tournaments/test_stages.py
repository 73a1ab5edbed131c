"""The steps of a tournament: which may be taken, by whom, from where, and what they leave."""

import pytest
from django.contrib.auth.models import AnonymousUser

from arena import jobs
from arena.domain.accounts import permissions
from arena.domain.tournaments import changes, stages
from arena.domain.tournaments.entry import entries
from arena.models import Tournament, TournamentStatus, User
from tests import factories
from tests.integration.tournaments import making

pytestmark = pytest.mark.django_db

STEPS = {
    stages.open_registration: {"draft"},
    stages.freeze: {"registration"},
    stages.start: {"frozen"},
    stages.pause: {"running"},
    stages.resume: {"paused"},
    stages.complete: {"running"},
    stages.release: {"completed"},
    stages.cancel: {
        "draft", "registration", "frozen", "running", "paused", "completed",
    },
}  # fmt: skip


def test_tournament_goes_from_draft_to_released_and_logged():
    tournament = making.make_draft()
    by = making.organizer(tournament)
    stages.open_registration(tournament=tournament, by=by)
    for _ in range(3):
        making.enter(tournament)
    stages.freeze(tournament=tournament, by=by)
    stages.start(tournament=tournament, by=None)
    stages.pause(tournament=tournament, by=by, reason="The hall is closed.")
    assert (tournament.status, tournament.status_reason) == ("paused", "The hall is closed.")
    stages.resume(tournament=tournament, by=by)
    assert (tournament.status, tournament.status_reason) == ("running", "")
    stages.complete(tournament=tournament, by=None)
    stages.release(tournament=tournament, by=by)

    assert tournament.status == "released"
    assert [*making.log(tournament)] == [
        "created", "opened", "entered", "entered", "entered",
        "frozen", "started", "paused", "resumed", "completed", "released",
    ]  # fmt: skip
    who = dict(tournament.log.values_list("action", "by"))
    assert who["frozen"] == by.pk
    assert who["started"] is None
    times = (
        tournament.created_at,
        tournament.frozen_at,
        tournament.started_at,
        tournament.completed_at,
        tournament.released_at,
    )
    assert list(times) == sorted(times)
    assert tournament.revision == 8
    assert [*tournament.log.order_by("pk").values_list("revision", flat=True)] == [
        1, 2, 2, 2, 2, 3, 4, 5, 6, 7, 8,
    ]  # fmt: skip


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
def test_wrong_step_or_caller_is_refused_with_advice(step):
    tournament = making.make_draft()
    stranger = factories.make_user()
    refused = making.refusal(step, tournament=tournament, by=stranger, reason="because")
    assert (refused[0], "Ask one of them" in refused[1]) == ("not_an_organizer", True)

    for status in set(TournamentStatus) - STEPS[step]:
        Tournament.objects.filter(pk=tournament.pk).update(status=status)

        code, said = making.refusal(step, tournament=tournament, by=None, reason="because")

        assert code == "wrong_status", status
        assert said == f"This cannot be done now. {changes._WHAT_NOW[status]}"
        assert making.log(tournament) == ["created"]
        assert making.fresh(tournament).revision == 1


def test_who_may_organize():
    tournament = making.make_draft()
    by, second = making.organizer(tournament), factories.make_user()
    staff = User.objects.create_user("operator", is_staff=True)
    gone = factories.make_user()
    gone.is_active = False
    gone.save()
    tournament.organizers.add(second, gone)

    may = [
        permissions.may_organize(user, tournament)
        for user in (by, second, staff, factories.make_user(), gone, AnonymousUser(), None)
    ]

    assert may == [True] * 3 + [False] * 4


def test_stale_revision_is_refused_at_every_step():
    tournament = making.make_draft()
    by = making.organizer(tournament)
    stages.open_registration(tournament=tournament, by=by, revision=1)

    for step in STEPS:
        with pytest.raises(changes.Stale) as stale:
            step(tournament=tournament, by=by, revision=1, reason="because")
        assert (stale.value.code, stale.value.revision) == ("stale", 2)

    assert making.log(tournament) == ["created", "opened"]


def test_pause_and_cancellation_need_a_fitting_reason():
    tournament = making.make_running()
    by = making.organizer(tournament)

    for step in (stages.pause, stages.cancel):
        for reason, code in ((" \n", "no_reason"), ("x" * 501, "long_reason")):
            refused = making.refusal(step, tournament=tournament, by=by, reason=reason)
            assert refused[0] == code

    assert making.fresh(tournament).status == "running"


def test_cancelled_tournament_tells_owners_why_and_stays_so():
    tournament = making.make_open()
    entrant = making.enter(tournament)
    invited = factories.make_ready().bot
    entries.invite(tournament=tournament, bot=invited, by=making.organizer(tournament))

    stages.cancel(tournament=tournament, by=making.organizer(tournament), reason="Too few runners.")

    assert (tournament.status, tournament.status_reason) == ("cancelled", "Too few runners.")
    said = f"The tournament {tournament.name} was cancelled: Too few runners."
    for bot in (entrant.bot, invited):
        notice = bot.owner.notices.get(text=said)
        assert notice.url == tournament.get_absolute_url()
    refused = making.refusal(
        stages.open_registration, tournament=tournament, by=making.organizer(tournament)
    )
    assert refused[0] == "wrong_status"


def test_cancelled_draft_is_known_to_organizers_only():
    draft, opened, frozen = making.make_draft(), making.make_open(), making.make_frozen()
    bot = making.rated(1500.0)
    entries.enter(tournament=draft, bot=bot, by=making.organizer(draft))
    for each in (draft, opened, frozen):
        stages.cancel(tournament=each, by=None, reason="No hall.")

    assert set(Tournament.objects.visible_to(None)) == {opened, frozen}
    assert set(Tournament.objects.visible_to(making.organizer(draft))) == {draft, opened, frozen}
    assert not bot.owner.notices.exists()


def test_resuming_calls_runners_for_waiting_matches(
    monkeypatch, django_capture_on_commit_callbacks
):
    tournament = making.make_running()
    stages.pause(tournament=tournament, by=None, reason="The hall is closed.")
    sent = []
    monkeypatch.setattr("arena.jobs.app.send_task", lambda task, args, **_: sent.append(task))

    with django_capture_on_commit_callbacks(execute=True):
        stages.resume(tournament=tournament, by=None)

    assert sorted(sent) == [jobs.DIRECT, jobs.WAKE_RUNNER]


def test_automatic_reason_is_cut_to_fit():
    tournament = making.make_running()

    stages.pause(tournament=tournament, by=None, reason="x" * 600)

    assert making.fresh(tournament).status_reason == "x" * 500


def test_draft_entrant_is_told_when_registration_opens():
    tournament = making.make_draft()
    by, bot = making.organizer(tournament), making.rated(1500.0)
    own = factories.make_ready(factories.make_bot(by)).bot
    own.refresh_from_db()
    for each in (bot, own):
        entries.enter(tournament=tournament, bot=each, by=by)
    assert not bot.owner.notices.exists()

    stages.open_registration(tournament=tournament, by=by)

    (text,) = bot.owner.notices.values_list("text", flat=True)
    assert text == f"The organizers of {tournament.name} entered {bot}."
    assert not by.notices.exists()


@pytest.mark.parametrize(("release", "told"), [("hidden", 1), ("public", 0)])
def test_organizers_are_told_to_release_hidden_rounds(release, told):
    tournament = making.make_running(rounds=2)
    tournament.rounds.filter(number=2).update(release=release)

    stages.complete(tournament=tournament, by=None)

    text = f"{tournament.name} has ended. Release it when everybody may see all of it."
    assert making.organizer(tournament).notices.filter(text=text).count() == told
    stages.release(tournament=tournament, by=None)
    assert set(tournament.rounds.values_list("release", flat=True)) == {"public"}


@pytest.mark.parametrize("name", ["freezes_at", "starts_at"])
def test_registration_does_not_open_after_freeze_or_start(name):
    tournament = making.make_draft(**{name: making.ahead(hours=1)})
    Tournament.objects.filter(pk=tournament.pk).update(**{name: making.ahead(hours=-1)})
    by = making.organizer(tournament)

    code, said = making.refusal(stages.open_registration, tournament=tournament, by=by)

    assert (code, "Change the time in the draft or leave it empty" in said) == ("times_past", True)
    assert (making.fresh(tournament).status, making.log(tournament)) == ("draft", ["created"])
    Tournament.objects.filter(pk=tournament.pk).update(**{name: making.ahead(hours=1)})
    assert stages.open_registration(tournament=tournament, by=by).status == "registration"
