"""Messages that nudge a worker. They carry the id of the row they are sent for and nothing else.

Losing one loses nothing: the row says what is to be done, and the sweeper sends again. So one that
nobody took in time expires, and a long queue of rows makes no endless queue of messages.
"""

import logging

from django.conf import settings
from django.db import transaction
from kombu.exceptions import OperationalError

from arena.celery_app import app

logger = logging.getLogger(__name__)

VALIDATE_VERSION = "arena.validate_version"
RUN_MATCH = "arena.run_match"
MATCHMAKE = "arena.matchmake"
DIRECT = "arena.direct"


def enqueue(task: str, *row_id: int) -> None:
    """Send `task` for the row once the present transaction is committed."""
    transaction.on_commit(lambda: send(task, *row_id))


def send(task: str, *row_id: int) -> None:
    """Send now. A broker that is away is logged and left to the sweeper: the row is safe."""
    try:
        app.send_task(task, args=list(row_id), retry=False, expires=settings.RESEND_AFTER_S)
    except (OperationalError, OSError) as exc:
        logger.warning("broker_unreachable", extra={"task": task, "row": row_id, "why": str(exc)})
