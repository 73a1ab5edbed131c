"""Nobody gives back what lost runners held."""

from arena.celery_app import app
from arena.domain import sweeping
from arena.domain.sweeping import Swept

__all__ = ["app"]

sweeping.sweep = lambda: Swept(0, 0)
