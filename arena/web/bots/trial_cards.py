"""Trials of a version as pages show them: in words, and as two bars between the decision bounds."""

from typing import Any

from django.conf import settings
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from arena.domain.bots import operating_characteristics, trials
from arena.models import TrialStatus, Version, VersionTrial
from botkit.sprt import Design, PairCounts

TRIALS_SHOWN = 3
LIKELY = (("none", 0.0), ("one", 1.0), ("two", 2.0))  # how many margins the versions differ
WIDTH, HEIGHT = 200, 12


def shown(version: Version) -> dict[str, Any]:
    """Return the trials that a version's page shows, and which versions can be tried."""
    rows = version.trials.select_related("version", "against", "ladder", "version__bot__owner")
    latest = list(rows[:TRIALS_SHOWN])
    others = version.bot.versions.ready().exclude(pk=version.pk)
    # How many games a trial takes on average, by the difference in margins.
    design = Design(settings.TRIAL_MARGIN)
    means = {
        name: operating_characteristics.of(
            design=design, nelo=margins * design.nelo1, max_games=settings.TRIAL_MAX_GAMES
        ).games
        for name, margins in LIKELY
    }
    return {
        "trials": [_shown(trial) for trial in latest],
        "is_on_trial": any(trial.status == TrialStatus.RUNNING for trial in latest),
        "opponents": list(others.order_by("-number")),
        "margin": settings.TRIAL_MARGIN,
        "likely_games": {name: 10 * round(games / 10) for name, games in means.items()},
        "max_games": settings.TRIAL_MAX_GAMES,
    }


def _shown(trial: VersionTrial) -> dict[str, Any]:
    """Return a trial with the texts of its card; `bars` are pairs of a question and a picture."""
    verdict = {
        TrialStatus.RUNNING: _("Is version %(new)d better than version %(old)d?"),
        TrialStatus.BETTER: _("Version %(new)d is better than version %(old)d."),
        TrialStatus.WORSE: _("Version %(new)d is worse than version %(old)d."),
        TrialStatus.UNKNOWN: _(
            "It is not known yet if version %(new)d is better than version %(old)d."
        ),
        TrialStatus.CANCELLED: _("The trial against version %(old)d was cancelled."),
    }[TrialStatus(trial.status)]
    head = PairCounts(**trial.counts).head
    counts = {"won": sum(head[3:]), "level": head[2], "lost": sum(head[:2])}
    bars = []
    if result := trials.sprt_result(trial=trial):
        span = (result.design.lower, result.design.upper)
        better = _("%(value).2f. From %(upper).2f on it is better, up to %(lower).2f it is not.")
        worse = _("%(value).2f. From %(upper).2f on it is worse, up to %(lower).2f it is not.")
        bars = [
            (_("Better?"), _bar(result.llr_better, *span, better)),
            (_("Worse?"), _bar(result.llr_worse, *span, worse)),
        ]
    return {
        "row": trial,
        "verdict": verdict % {"new": trial.version.number, "old": trial.against.number},
        "points": _("%(won)d pairs won, %(level)d level, %(lost)d lost") % counts,
        "bars": bars,
    }


def _bar(value: float, lower: float, upper: float, text: str) -> SafeString:
    """Draw a ratio between its bounds: the bar grows from the middle to the left or the right."""

    def place(ratio: float) -> float:
        return WIDTH * (min(max(ratio, lower), upper) - lower) / (upper - lower)

    start, end = sorted((place(0.0), place(value)))
    label = text % {"value": value, "lower": lower, "upper": upper}
    return format_html(
        '<svg class="ratio" viewBox="0 0 {} {}" preserveAspectRatio="none" role="img" '
        'aria-label="{}"><rect class="ratio-track" width="{}" height="{}"></rect>'
        '<rect class="{}" x="{}" width="{}" height="{}"></rect>'
        '<rect class="ratio-middle" x="{}" width="1" height="{}"></rect></svg>',
        WIDTH,
        HEIGHT,
        label,
        WIDTH,
        HEIGHT,
        "ratio-yes" if value > 0 else "ratio-no",
        f"{start:.1f}",
        f"{end - start:.1f}",
        HEIGHT,
        f"{place(0.0) - 0.5:.1f}",
        HEIGHT,
    )
