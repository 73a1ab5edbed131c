"""The counts and times of requests, by route, method and status."""

import pytest
from asgiref.sync import async_to_sync
from django.test import AsyncClient, Client
from prometheus_client import REGISTRY

pytestmark = pytest.mark.django_db


def requests(route, method="GET", status=200):
    labels = {"route": route, "method": method, "status": str(status)}
    return REGISTRY.get_sample_value("drapeau_http_requests_total", labels) or 0


def timed(route, method="GET"):
    labels = {"route": route, "method": method}
    return REGISTRY.get_sample_value("drapeau_http_request_seconds_count", labels) or 0


def test_request_is_counted_and_timed_by_route_name():
    before = requests("healthz"), timed("healthz")

    Client().get("/healthz")
    async_to_sync(AsyncClient().get)("/healthz")  # as of the web server

    assert (requests("healthz"), timed("healthz")) == (before[0] + 2, before[1] + 2)


def test_unknown_addresses_and_methods_have_one_name_each():
    before = requests("none", status=404)
    for number in range(3):
        Client().get(f"/nowhere/{number}")
    assert requests("none", status=404) == before + 3

    before = requests("healthz", "other", 405)
    for method in ("BREW", "PROPFIND"):
        Client().generic(method, "/healthz")
    assert requests("healthz", "other", 405) == before + 2


def test_site_error_is_counted_as_500(monkeypatch):
    monkeypatch.setattr("arena.domain.queue.health.ready", lambda: 1 / 0)
    before = requests("readyz", status=500)

    answer = Client(raise_request_exception=False).get("/readyz")

    assert answer.status_code == 500
    assert requests("readyz", status=500) == before + 1
