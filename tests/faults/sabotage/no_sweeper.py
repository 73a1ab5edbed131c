"""Nobody gives back what lost runners held."""

from arena.celery_app import app
from arena.domain.queue import sweeping
from arena.domain.queue.sweeping import Swept

__all__ = ["app"]

sweeping.sweep = lambda: Swept(0, 0)
