"""Traces and errors reach a collector, which here is a few lines of HTTP."""

import http.server
import sys
import threading

import httpx2
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from arena import telemetry
from arena.celery_app import app
from arena.embedded.tcp import LOOPBACK, free_port
from arena.jobs import MATCHMAKE
from tests.integration.runner import workers
from tests.waiting import until

BROKEN = """
import sys
import django
django.setup()
from celery.__main__ import main
from arena.domain.queue import matchmaking

def fail(**_):
    raise RuntimeError("the matchmaker of this test fails")

matchmaking.fill = fail
sys.argv = ["celery", "-A", "arena", "worker", "-Q", "default", "-c", "1"]
sys.exit(main())
"""
pytestmark = [pytest.mark.django_db(transaction=True)]


class Collector(http.server.BaseHTTPRequestHandler):
    """Takes traces as OTLP over HTTP and keeps the spans, with the name of their service."""

    spans: list[tuple[str, Span]] = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        for group in ExportTraceServiceRequest.FromString(body).resource_spans:
            names = {each.key: each.value.string_value for each in group.resource.attributes}
            for scope in group.scope_spans:
                self.spans += [(names["service.name"], span) for span in scope.spans]
        self.send_response(200 if self.path == "/v1/traces" else 404)
        self.end_headers()

    def log_message(self, *_):
        """Print nothing."""


@pytest.fixture
def collector(monkeypatch):
    """Return the address of a collector."""
    monkeypatch.setattr(Collector, "spans", [])
    server = http.server.ThreadingHTTPServer((LOOPBACK, 0), Collector)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://{LOOPBACK}:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def spans(service, **attributes):
    """Return the spans of a service that have these attributes, dots as underscores."""
    return [
        span
        for name, span in Collector.spans
        if name == service
        and attributes.items()
        <= {each.key.replace(".", "_"): each.value.string_value for each in span.attributes}.items()
    ]


def exceptions(span):
    facts = [
        each for event in span.events if event.name == "exception" for each in event.attributes
    ]
    return {each.key: each.value.string_value for each in facts}


@pytest.mark.slow
def test_a_request_is_a_trace_with_its_queries(collector, tmp_path):
    port = free_port()
    command = ["-m", "arena.server", "--port", str(port)]
    variables = {"DATABASE_URL": workers.database_url(), "DRAPEAU_OTLP_URL": f"{collector}/"}
    with workers.running(command, tmp_path / "log", **variables):

        def ask():
            try:
                return httpx2.get(f"http://{LOOPBACK}:{port}/queue/", timeout=20).status_code == 200
            except httpx2.TransportError:
                return False

        until(ask)
        (request, *_) = until(lambda: spans("web", http_route="queue/"))

        assert request.name == "GET queue/"
        of_it = until(lambda: [s for s in spans("web") if s.trace_id == request.trace_id][1:])
        assert any(span.name == "SELECT" for span in of_it)


@pytest.mark.slow
def test_failing_task_is_trace_with_error(collector, tmp_path):
    variables = {"DATABASE_URL": workers.database_url(), "DRAPEAU_OTLP_URL": collector}
    with workers.running(["-c", BROKEN], tmp_path / "log", **variables):
        app.send_task(MATCHMAKE)
        (task, *_) = until(lambda: spans("worker", celery_task_name=MATCHMAKE))

    assert task.name == f"run/{MATCHMAKE}"
    assert exceptions(task)["exception.message"] == "the matchmaker of this test fails"


def test_start_without_libraries_ends_with_sentence(settings, monkeypatch):
    settings.OTLP_URL = "http://collector.example:4318"
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)

    with pytest.raises(SystemExit, match=r"not installed .*drapeau-server\[telemetry\]"):
        telemetry.start_if_wanted(service="web")
