"""Bots that try their new versions first, before these play."""

import pytest
from django.utils import timezone

from arena.domain.bots import activation, bots, trials, versions
from arena.domain.ladders import ladders
from arena.models import TrialStatus, VersionTrial
from tests import factories
from tests.integration.bots.trial_rows import LOSS, WIN, play_on

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("a_wide_margin")]


@pytest.mark.parametrize("points", [WIN, LOSS])
def test_version_tried_first_not_activated_until_better(points):
    older = factories.make_ready()
    bot = older.bot
    bots.configure(bot=bot, gate_new_versions=True)

    newer = factories.make_ready(bot)

    bot.refresh_from_db()
    trial = VersionTrial.objects.get()
    assert (bot.active_version, newer.status) == (older, "ready")
    assert (trial.version, trial.against, trial.activates) == (newer, older, True)
    assert newer.checks.get(step="ready").message == "On trial against version 1: Classic."
    play_on(trial, points)
    bot.refresh_from_db()
    newer.refresh_from_db()
    assert (bot.active_version, newer.status) == (newer if points == WIN else older, "ready")
    assert (trial.activated_at is not None) == (points == WIN)


def test_no_trial_for_first_crashed_or_other_ladder():
    bot = factories.make_bot()
    bots.configure(bot=bot, gate_new_versions=True)
    first = factories.make_ready(bot, variants=["classic"])
    bot.refresh_from_db()
    assert bot.active_version == first
    second = factories.make_ready(bot, variants=["general"])
    bot.refresh_from_db()
    assert bot.active_version == second
    second.paused_at = second.created_at
    second.save()

    third = factories.make_ready(bot, variants=["general"])

    bot.refresh_from_db()
    assert bot.active_version == third
    assert not VersionTrial.objects.exists()


def test_newer_upload_ends_trial_of_one_before():
    older = factories.make_ready()
    bots.configure(bot=older.bot, gate_new_versions=True)
    factories.make_ready(older.bot)
    first = VersionTrial.objects.get()

    factories.make_ready(older.bot)

    first.refresh_from_db()
    assert (first.status, first.detail) == ("cancelled", "Version 3 was uploaded.")
    second = VersionTrial.objects.get(status=TrialStatus.RUNNING)
    assert (second.version.number, second.against) == (3, older)


def test_verdict_after_another_owner_choice_activates_nothing():
    older = factories.make_ready()
    bots.configure(bot=older.bot, gate_new_versions=True)
    newer = factories.make_ready(older.bot)
    other = factories.make_ready(older.bot, variants=["classic"])
    VersionTrial.objects.filter(version=newer).update(status="better", activates=True)

    activation.activate(version=other)
    trials.advance()

    older.bot.refresh_from_db()
    assert older.bot.active_version == other


def test_late_ready_version_leaves_newer_trial_alone():
    older = factories.make_ready()
    bots.configure(bot=older.bot, gate_new_versions=True)
    late = factories.make_upload(older.bot)  # its checks are put off: the platform failed
    newer = factories.make_ready(older.bot)

    versions.accept(lease=factories.claim(late))

    trial = VersionTrial.objects.get()
    assert (trial.version, trial.status) == (newer, TrialStatus.RUNNING)
    assert late.checks.get(step="ready").message == "Ready. A newer version was ready before."


def test_newest_trial_decides_of_two_better_at_once():
    older = factories.make_ready()
    bots.configure(bot=older.bot, gate_new_versions=True)
    second = factories.make_ready(older.bot)
    third = factories.make_ready(older.bot)
    VersionTrial.objects.update(status="better", activates=True, ended_at=timezone.now())

    trials.advance()
    trials.advance()

    older.bot.refresh_from_db()
    assert older.bot.active_version == third
    assert not VersionTrial.objects.filter(version=second, activated_at__isnull=False).exists()


def test_ladders_are_held_before_bot_and_trials(monkeypatch):
    """As matches that finish and owners that activate do: who took the bot first could not end."""
    held = []

    def noting(name, act):
        def note(**arguments):
            held.append(name)
            return act(**arguments)

        return note

    monkeypatch.setattr(ladders, "lock", noting("ladders", ladders.lock))
    monkeypatch.setattr(trials, "begin_for", noting("bot", trials.begin_for))

    factories.make_ready(factories.make_bot())

    assert held[:2] == ["ladders", "bot"]
