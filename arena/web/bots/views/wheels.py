"""The bot kit of this site's version, for authors to install."""

from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

REQUIREMENTS = {"drapeau": "drapeau[cli]"}  # with the command


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show how to install each wheel, and its digest, which pip checks."""
    wheels = [
        {
            "project": _project(wheel),
            "requirement": REQUIREMENTS.get(_project(wheel), _project(wheel)),
            "name": wheel.name,
            "address": request.build_absolute_uri(reverse("wheel", args=[wheel.name])),
            "digest": _digest(wheel, wheel.stat().st_mtime_ns),
        }
        for wheel in _wheels()
    ]
    return render(request, "bots/wheels.html", {"wheels": wheels})


@require_safe
def download(_request: HttpRequest, name: str) -> HttpResponse:
    """Send a wheel."""
    for wheel in _wheels():
        if wheel.name == name:
            headers = {"Content-Disposition": f'attachment; filename="{name}"'}
            return HttpResponse(wheel.read_bytes(), "application/zip", headers=headers)
    raise Http404


@lru_cache(maxsize=16)
def _digest(wheel: Path, _changed_ns: int) -> str:
    return sha256(wheel.read_bytes()).hexdigest()


def _project(wheel: Path) -> str:
    return wheel.name.partition("-")[0].replace("_", "-")


def _wheels() -> list[Path]:
    return sorted(settings.WHEELS_DIR.glob("*.whl"))
