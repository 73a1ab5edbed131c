"""The Celery application; all its settings are the `CELERY_…` ones of `arena.settings`."""

import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging
from django.conf import settings
from kombu.transport import TRANSPORT_ALIASES

from arena import worker_pool  # noqa: F401 - listens to its signal
from arena.logs import configure

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings")
# The batch fit is many small sums: more threads make it slower, and take the time of runners.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


TRANSPORT_ALIASES["filesystem"] = "arena.filebroker:Transport"
app = Celery("drapeau")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["arena"])


@setup_logging.connect  # type: ignore[untyped-decorator] # celery has no types
def _log_like_the_site(**_: Any) -> None:  # noqa: ANN401 - whatever Celery sends with the signal
    """Keep Celery from installing its own handlers: one log format for every process."""
    configure(settings.LOGGING)
