"""The state of the site: for people in words, for programs that watch it as numbers."""

import secrets

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from arena.domain.accounts import permissions
from arena.domain.queue import health, site_status
from arena.domain.queue.metrics import CONTENT_TYPE, exposition
from arena.domain.queue.site_status import Activity
from arena.texts import queries as texts


@never_cache
@require_safe
def status(request: HttpRequest) -> HttpResponse:
    """Show what the arena does, and in plain words what is wrong with it."""
    state = site_status.present()
    context = {
        "status": state,
        "activity": texts.ACTIVITIES[state.activity],
        "problems": [texts.PROBLEMS.get(name, texts.SOME_PROBLEM) for name in state.problems],
        "is_well": state.activity != Activity.STUCK and not state.problems,
    }
    return render(request, "overview/status.html", context)


@never_cache
@require_safe
def healthz(_request: HttpRequest) -> HttpResponse:
    """Return that the process responds, without checking anything else."""
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def readyz(_request: HttpRequest) -> HttpResponse:
    """Return whether the site can answer requests, with the state of what it uses.

    The status is 503 if it cannot. A site that is degraded answers: it gets its requests.
    """
    state = health.ready()
    checks = {check.name: {"ok": check.ok, "detail": check.detail} for check in state.checks}
    words = {"status": state.status, "checks": checks}
    return JsonResponse(words, status=200 if state.ok else 503)


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics to requests with the metrics token and to staff only.

    The address of the client does not matter: behind a proxy, all requests may come from this
    machine.
    """
    given = request.headers.get("Authorization", "").encode()
    wanted = f"Bearer {settings.METRICS_TOKEN}".encode()
    has_token = bool(settings.METRICS_TOKEN) and secrets.compare_digest(given, wanted)
    if permissions.may_see_staff_pages(request.user) or has_token:
        return HttpResponse(exposition(), content_type=CONTENT_TYPE)
    refusal = HttpResponse(status=401, content_type="text/plain")
    refusal.headers["WWW-Authenticate"] = 'Bearer realm="metrics"'
    return refusal
