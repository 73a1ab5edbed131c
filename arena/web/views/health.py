from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from arena.domain import health

UNAVAILABLE = 503


@never_cache
@require_safe
def healthz(_request: HttpRequest) -> HttpResponse:
    """Say that the process answers, and nothing else."""
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def readyz(_request: HttpRequest) -> HttpResponse:
    """Say whether the site can work, with each thing it needs; 503 where it cannot."""
    found = health.ready()
    checks = {check.name: {"ok": check.ok, "detail": check.detail} for check in found.checks}
    words = {"status": "ok" if found.ok else "unavailable", "checks": checks}
    return JsonResponse(words, status=200 if found.ok else UNAVAILABLE)
