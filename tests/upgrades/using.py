"""The site of a release: its rows, and what its web processes, workers and runners do with them."""

import sys

from django.conf import settings
from django.core.management import call_command

from arena import tasks
from arena.domain.queue import runner_figures
from arena.models import Ladder
from arena.runner import work_loop
from tests import database_role, factories
from tests.snapshot import making, walking
from tests.snapshot.asking import Asker

SHORT = 80  # plies
# Others are shown less of the same, and what is refused sends no more.
ASKED = r"^GET .* as (owner|staff)('s token)?$|^(POST|PUT|PATCH|DELETE) (?!.*\(nothing\))"
TASKS = (
    tasks.matchmake,
    tasks.probe,
    tasks.advance_tournaments,
    tasks.send_mail,
    tasks.requeue_expired_leases,
    tasks.prune,
    tasks.watch_queue,
    tasks.refit,
    tasks.file_records,
)


class Unwatched:
    """Stands for the changes that a question makes: here nobody compares them."""

    def made_by(self, _asked):
        return []


def prepare():
    """Make the tables, and the role of runners."""
    settings.OPEN_TOURNAMENTS_PER_USER = 12
    settings.ISOLATION, settings.TRUST_BOTS = "process", True
    call_command("migrate", verbosity=0)
    database_role.make()


def make_rows():
    """Create what a runner writes for a version and a match, and the rows of the snapshot."""
    factories.shorten_games(SHORT)
    factories.make_upload(factories.make_bot(slug="checked"), variants=["general"])
    versions = [factories.make_ready_with(variants=["general"]) for _ in range(2)]
    factories.make_match(*versions, ladder=factories.get_ladder("general"))
    with database_role.as_runner():
        work_loop.work(shift_s=3600.0)
        for _ in range(2):  # a row is new, then it is not
            runner_figures.report(runner="runner@host", slots=2, busy=1, launcher=None)
    Ladder.objects.update(options={})
    making.make()


def use():
    """Ask the site all questions of the snapshot, and run what beat starts."""
    asker = Asker(walking.sign_in(), ASKED, changes=Unwatched())
    for number, _answer in enumerate(walking.walk(asker), start=1):
        if number % walking.PROGRESS_EVERY == 0:
            sys.stderr.write(f"{number} answers\n")
    for task in TASKS:
        task()
