"""The site of a release: its rows, and what its web processes, workers and runners do with them."""

import json

from django.conf import settings
from django.core.management import call_command
from django.db import transaction

from arena import tasks
from arena.api.throttling import CallerThrottle
from arena.domain.queue import runner_figures
from arena.models import Ladder
from arena.runner import work_loop
from tests import database_role, factories
from tests.permissions import table
from tests.permissions.actors import Actors
from tests.permissions.walking import Walk
from tests.world import addresses, apiwrites, making

SHORT = 80  # plies
SHOWN_MOST = ("owner", "staff")  # others are shown less of the same
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


class Asker:
    """Sends the writes of `tests.world.apiwrites`, each of which is taken back."""

    def __init__(self, actors):
        self.actors = actors
        self.last = "{}"

    def ask(self, question):
        """Send a question."""
        with transaction.atomic():
            self.last = self._answer(question).content.decode(errors="replace")
            transaction.set_rollback(True)

    def _answer(self, question):
        client, method, address = self._client(question.who), question.method, question.address
        body, headers = question.body, dict(question.headers)
        if isinstance(body, dict) and any(hasattr(value, "read") for value in body.values()):
            return client.post(address, body, headers=headers)
        sent = body if isinstance(body, bytes) else json.dumps(body or {})
        kind = headers.pop("Content-Type", "application/json")
        return client.generic(method, address, sent, kind, headers=headers)

    def _client(self, who):
        name, _, scope = who.partition("'s token")
        if scope:
            return self.actors.scoped[name, scope.removeprefix(" for ")]
        names = {"anonymous": "visitor", "user": "stranger"}
        return self.actors.tokens[names.get(name, name)]


def prepare():
    """Make the tables, and the role of runners."""
    settings.OPEN_TOURNAMENTS_PER_USER = 12
    settings.VISITOR_PAGES_KEPT_S = 0
    vars(CallerThrottle)["allow_request"] = lambda *_: True
    settings.ISOLATION, settings.TRUST_BOTS = "process", True
    call_command("migrate", verbosity=0)
    database_role.make()


def make_rows():
    """Create what a runner writes for a version and a match, and the rows of `tests.world`."""
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
    """Ask the site for all that anybody may, send all writes, and run what beat starts."""
    actors = Actors()
    Walk(actors, table.rows_of(table.FILE.read_text(encoding="utf-8"))).sections()
    for address in [*addresses.pages(), *addresses.api()]:
        clients = actors.tokens if address.startswith("/api/") else actors.sessions
        for who in SHOWN_MOST:
            clients[who].get(address)
    apiwrites.ask(Asker(actors))
    for task in TASKS:
        task()
