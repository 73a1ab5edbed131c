from types import SimpleNamespace

import pytest
from django.conf import settings
from prometheus_client import REGISTRY

from arena.server.connections import BoundedConnection, Stage


class Connection(BoundedConnection):
    """A connection without a socket, in a stage that the test chooses."""

    stage = Stage.ANSWER

    def __init__(self):
        self.seen, self.left_s = None, 0.0
        self._received_bytes = self._drains = 0
        self.cycle = self.flow = SimpleNamespace(resume_writing=lambda: None)  # type: ignore[assignment] # only what is used
        self.ended = False

    def _end(self, stage):
        self.ended = True


def refused(reason):
    return REGISTRY.get_sample_value("drapeau_http_refused_total", {"reason": reason})


@pytest.fixture
def connection():
    made = Connection()
    made.look(1.0)
    return made


def test_client_still_taking_answer_gets_time_anew(connection):
    for _ in range(3):
        connection.look(settings.ANSWER_S - 1)
        connection.resume_writing()
        connection.look(1.0)
    assert not connection.ended

    before = refused("too_slow")
    connection.look(settings.ANSWER_S)
    assert connection.ended
    assert refused("too_slow") == before + 1


def test_idle_connection_end_is_no_refusal(connection):
    connection.stage = Stage.IDLE
    connection.look(1.0)
    before = refused("too_slow")
    connection.look(settings.KEEP_ALIVE_S)

    assert connection.ended
    assert refused("too_slow") == before


def test_site_may_work_without_time_limit(connection):
    connection.stage = Stage.WORK
    for _ in range(3):
        connection.look(10_000.0)
    assert not connection.ended
