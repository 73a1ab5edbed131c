"""The tasks of workers: bind the log's context and call one function of the domain or runner.

The two tasks of the runner only wake it: it takes the first job in the order of fair shares, not
the row of the message. They import the sandbox when they first run, so that only a worker that
consumes the queue `matches` loads it. They also wait for preflight, because a worker may start to
consume that queue later, and the engine may have stopped since.
"""

import logging
from random import SystemRandom

from celery import Task
from celery.apps.worker import Worker
from celery.signals import worker_init, worker_process_shutdown, worker_ready
from structlog.contextvars import bound_contextvars

from arena import telemetry  # noqa: F401 - starts with each process of a worker
from arena.celery_app import app
from arena.domain import closing
from arena.domain.accounts import idempotency, notice_mail, outgoing_mail
from arena.domain.accounts import retention as accounts_retention
from arena.domain.bots import probes, trials
from arena.domain.fairplay import surprises
from arena.domain.matches import record_files
from arena.domain.matches import retention as matches_retention
from arena.domain.queue import alarms, matchmaking, runner_figures, sweeping
from arena.domain.ratings import refits, seasons
from arena.domain.tournaments.rounds import directing
from arena.domain.webhooks import outbox, sending
from arena.jobs import DIRECT, MATCHMAKE, SEND_MAIL, SEND_WEBHOOKS, WAKE_RUNNER

logger = logging.getLogger(__name__)


@worker_init.connect  # type: ignore[untyped-decorator] # celery has no types
def prepare_runner(sender: Worker, **_: object) -> None:
    """If the worker is a runner, run preflight before the worker forks or takes a job.

    If preflight fails, the process ends with status 1, because Celery only logs other errors.
    """
    if app.conf.task_routes[WAKE_RUNNER]["queue"] not in sender.app.amqp.queues.consume_from:
        return
    from arena.runner import person_pool, preflight, programs, reporting  # noqa: PLC0415 - only the runner loads the sandbox

    worker_ready.connect(lambda **_: reporting.start(sender), weak=False)
    worker_ready.connect(lambda **_: person_pool.start(), weak=False)
    worker_process_shutdown.connect(lambda **_: programs.close(), weak=False)
    try:
        preflight.wait_until_passed()
    except preflight.PreflightFailed as why:
        raise SystemExit(str(why)) from why
    except Exception as why:
        logger.exception("runner_failed_at_the_gate")
        raise SystemExit(1) from why


@app.task(name=WAKE_RUNNER, bind=True)  # type: ignore[untyped-decorator] # celery has no types
def wake_runner(self: Task) -> None:
    """Do due jobs: matches, and the checks of versions."""
    from arena.runner import work_loop  # noqa: PLC0415 - only the runner loads the sandbox

    with bound_contextvars(task_id=self.request.id):
        work_loop.work()


@app.task(name=MATCHMAKE)  # type: ignore[untyped-decorator] # celery has no types
def matchmake() -> None:
    """Queue matches on every ladder and in every trial."""
    matchmaking.fill(random=SystemRandom())
    trials.advance()


@app.task(name="arena.probe")  # type: ignore[untyped-decorator] # celery has no types
def probe() -> None:
    """Send the probes that are due."""
    probes.send(random=SystemRandom())


@app.task(name=DIRECT)  # type: ignore[untyped-decorator] # celery has no types
def advance_tournaments(tournament_id: int = 0) -> None:
    """Advance the tournament for which something happened, or all if none is named."""
    if tournament_id:
        directing.advance(tournament_pk=tournament_id)
    else:
        directing.advance_all()


@app.task(name=SEND_MAIL)  # type: ignore[untyped-decorator] # celery has no types
def send_mail(mail_id: int = 0) -> None:
    """Write the mails about new notices, and send the mails that are due."""
    logger.debug("mail_nudged", extra={"mail": mail_id})
    notice_mail.write()
    outgoing_mail.deliver()


@app.task(name=SEND_WEBHOOKS)  # type: ignore[untyped-decorator] # celery has no types
def send_webhooks(delivery_id: int = 0) -> None:
    """Write deliveries for what has happened meanwhile, and send those that are due."""
    logger.debug("webhooks_nudged", extra={"delivery": delivery_id})
    outbox.follow()
    sending.deliver()


@app.task(name="arena.sweep")  # type: ignore[untyped-decorator] # celery has no types
def requeue_expired_leases() -> None:
    """Return the jobs of lost runners to the queue, and send lost messages again."""
    sweeping.sweep()


@app.task(name="arena.forget")  # type: ignore[untyped-decorator] # celery has no types
def prune() -> None:
    """Close accounts whose time has come, and delete what has expired or is not needed."""
    idempotency.purge()
    accounts_retention.prune()
    closing.close_due()
    closing.erase_programs()
    matches_retention.prune()
    runner_figures.forget()
    outbox.prune()


@app.task(name="arena.watch_queue")  # type: ignore[untyped-decorator] # celery has no types
def watch_queue() -> None:
    """Log the begin and the end of the queue alarm."""
    alarms.watch()


@app.task(name="arena.refit")  # type: ignore[untyped-decorator] # celery has no types
def refit() -> None:
    """Fit the estimates of every ladder whose fit is out of date, and archive seasons."""
    refits.refresh_due()
    seasons.archive_due()


@app.task(name="arena.file_records")  # type: ignore[untyped-decorator] # celery has no types
def file_records() -> None:
    """Make the files of records of the days that are over."""
    record_files.make_due()


@app.task(name="arena.find_surprises")  # type: ignore[untyped-decorator] # celery has no types
def find_surprises() -> None:
    """Look for surprising results, once an hour."""
    surprises.make_due()
