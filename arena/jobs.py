"""Messages that wake a worker. They contain the id of a row, or nothing.

A lost message loses nothing: the row describes the job, and the sweeper sends the message again. So
messages expire, and a long queue of rows does not cause a long queue of messages.
"""

import logging

from django.conf import settings
from django.db import transaction
from kombu.exceptions import OperationalError

from arena.celery_app import app

logger = logging.getLogger(__name__)

WAKE_RUNNER = "arena.wake_runner"
MATCHMAKE = "arena.matchmake"
DIRECT = "arena.direct"
SEND_MAIL = "arena.send_mail"
SEND_WEBHOOKS = "arena.send_webhooks"
# A busy site sends many to the matchmaker. Each run does the work of all that were sent before it,
# and the scheduled messages come as often.
USEFUL_FOR_S = {MATCHMAKE: 2}


def enqueue(task: str, *row_id: int) -> None:
    """Send `task` for the row once the present transaction is committed."""
    transaction.on_commit(lambda: send(task, *row_id))


def send(task: str, *row_id: int) -> None:
    """Send now. If the broker is down, log it: the row is safe, and the sweeper sends again."""
    try:
        app.send_task(
            task,
            args=list(row_id),
            retry=False,
            expires=USEFUL_FOR_S.get(task, settings.RESEND_AFTER_S),
        )
    except (OperationalError, OSError) as exc:
        logger.warning("broker_unreachable", extra={"task": task, "row": row_id, "why": str(exc)})
