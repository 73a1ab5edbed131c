"""One trial from its start to the activation, with programs that really play."""

import pytest

from arena.domain.bots import bots, trials
from arena.domain.ratings import recomputation
from arena.models import Match, MatchKind, MatchStatus, TrialStatus, VersionTrial
from tests import factories

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("short_games_in_processes"),
]

CRASHES = "raise SystemExit(3)\n"


def test_playing_version_tried_against_crashing_takes_its_place(settings):
    settings.TRIAL_MARGIN = 200.0  # so that a few pairs decide
    older = factories.make_ready_with(source=CRASHES, variants=["general"])
    factories.make_ready_with(variants=["general"])  # somebody for the panel
    bots.configure(bot=older.bot, gate_new_versions=True)

    newer = factories.admit(bot=older.bot, variants=["general"])

    trial = VersionTrial.objects.get()
    assert (newer.status, trial.version, trial.against) == ("ready", newer, older)
    for _ in range(20):
        trials.advance()
        for match in Match.objects.filter(kind=MatchKind.TRIAL, status=MatchStatus.QUEUED):
            assert factories.play_match(match_pk=match.pk)
        trial.refresh_from_db()
        if trial.status != TrialStatus.RUNNING:
            break
    trials.advance()

    trial.refresh_from_db()
    older.bot.refresh_from_db()
    assert (trial.status, older.bot.active_version) == (TrialStatus.BETTER, newer)
    assert trial.games == 2 * (sum(trial.counts["head"]) + 2 * sum(trial.counts["panel"]))
    assert sum(trial.counts["head"][:4]) == 0  # who crashes loses both games of a pair
    assert sum(trial.counts["panel"]) > 0
    assert recomputation.rerate(ladder=factories.get_ladder("general")) == []
