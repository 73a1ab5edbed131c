"""The Celery app of a site that tries again soon, and sweeps often: time is short here."""

import django

django.setup()  # before anything of the domain is there

from arena.celery_app import app  # noqa: E402 - see above
from arena.domain.matches import lifecycle  # noqa: E402 - see above

__all__ = ["app"]

SWEEP_EVERY_S = 2.0

lifecycle.RETRY_DELAY_S = 1.0
app.conf.beat_schedule["sweep"]["schedule"] = SWEEP_EVERY_S
