"""The scheduler of `celery beat`: it shows health checks that it runs.

The file of the schedule cannot show it: a tmpfs keeps the time of a file that is written by mmap.
"""

from typing import Any

from celery.beat import PersistentScheduler
from django.conf import settings

HEARTBEAT = "beat-heartbeat"  # a file in the data folder, touched before each look at the schedule


class Scheduler(PersistentScheduler):  # type: ignore[misc] # celery has no types
    def tick(self, *given: Any, **named: Any) -> float:  # noqa: ANN401 - those of celery
        """Touch the heartbeat and send what is due. Return the seconds until something else is."""
        (settings.DATA_DIR / HEARTBEAT).touch()
        return float(super().tick(*given, **named))
