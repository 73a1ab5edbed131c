"""What runners report of themselves: slots, the clock of their host, their launcher."""

from collections.abc import Mapping
from datetime import timedelta

from django.db.models import QuerySet
from django.db.models.functions import Now

from arena.domain.queue import host_clock
from arena.models import RunnerFigures

EVERY_S = 15.0
LIVE_FOR = timedelta(seconds=3 * EVERY_S)
SHOWN_FOR = timedelta(hours=1)  # so that a runner that went silent can be seen to be silent


def report(
    *,
    runner: str,
    slots: int,
    busy: int,
    launcher: Mapping[str, int] | None,
    in_trouble: bool = False,
) -> None:
    """Store the figures of a runner, in place of those that it reported before."""
    figures = {
        "reported_at": Now(),
        "slots": slots,
        "busy": busy,
        "clock_skew_s": host_clock.skew_s(),
        "launcher": launcher,
        "in_trouble": in_trouble,
    }
    if not RunnerFigures.objects.filter(runner=runner).update(**figures):
        RunnerFigures.objects.create(runner=runner, **figures)


def live() -> QuerySet[RunnerFigures]:
    """Return the figures of the runners that reported lately and take jobs."""
    return RunnerFigures.objects.filter(reported_at__gte=Now() - LIVE_FOR, in_trouble=False)


def latest() -> QuerySet[RunnerFigures]:
    """Return the latest figures of every runner that reported within the hour."""
    return RunnerFigures.objects.filter(reported_at__gte=Now() - SHOWN_FOR)


def forget() -> None:
    """Delete the figures of runners that went silent long ago."""
    RunnerFigures.objects.filter(reported_at__lt=Now() - SHOWN_FOR).delete()
