from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from arena.domain.queue import site_status
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
