"""Banned users: they are signed out, and read until when and why."""

from collections.abc import Callable
from http import HTTPStatus

from django.conf import settings
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from arena.domain.accounts import accounts
from arena.models import User

API = "/api/"  # has no session, and refuses the tokens


class BanMiddleware:
    """Middleware that ends the session of a banned user, and says why."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.SESSION_COOKIE_NAME in request.COOKIES and not request.path.startswith(API):
            user = request.user
            if isinstance(user, User) and user.is_banned:
                if request.accepts("text/html"):  # a stream of an open page shows nobody why
                    logout(request)
                return banned(request, user)
        return self.get_response(request)


def banned(request: HttpRequest, user: User) -> HttpResponse:
    """Return the page for a banned user who signs in or is signed in."""
    context = {"why": accounts.ban_notice(user)}
    return render(request, "accounts/banned.html", context, status=HTTPStatus.FORBIDDEN)
