"""Bots that are ready, and trials that go on, without any program."""

from arena.domain.bots import trials
from arena.models import MatchStatus, TrialStatus
from tests import factories

WIN, EVEN, LOSS = 2.0, 1.0, 0.0  # points of a pair


def ready_bot(owner=None, variants=factories.DUELS):
    bot = factories.make_ready(factories.make_bot(owner), variants).bot
    bot.refresh_from_db()
    return bot


def play(match, points):
    """Finish a pair with these points of its first entrant."""
    factories.play_out(match, {WIN: (1.0, 1.0), EVEN: (1.0, 0.0), LOSS: (0.0, 0.0)}[points])


def play_on(trial, points, most=200):
    """Let the trial go on, its version getting these points of every pair."""
    for _ in range(most):
        trials.advance()
        trial.refresh_from_db()
        if trial.status != TrialStatus.RUNNING:
            return
        for match in trial.matches.filter(status=MatchStatus.QUEUED):
            own = match.entrants.filter(position=0, version=trial.version).exists()
            play(match, points if own else EVEN)


def open_matches(trial):
    return trial.matches.filter(status=MatchStatus.QUEUED).order_by("pk")
