from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from arena.domain.accounts import permissions
from arena.models import User
from arena.web import read_models


@require_safe
def user(request: HttpRequest, username: str) -> HttpResponse:
    """Show a user and their bots."""
    person = get_object_or_404(User, username=username, is_active=True)
    context = {
        "person": person,
        "is_self": permissions.may_edit_account(request.user, person),
        "bots": list(read_models.bots_of(owner=person)),
    }
    return render(request, "accounts/user.html", context)
