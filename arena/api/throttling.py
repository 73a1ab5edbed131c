"""How often one caller may ask: by user for signed-in callers, by address for the others."""

from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView


class CallerThrottle(SimpleRateThrottle):
    """Counts per user, or per address where nobody is signed in."""

    def get_cache_key(self, request: Request, view: APIView) -> str | None:  # noqa: ARG002 - the signature of REST framework
        signed_in = request.user.is_authenticated
        ident = f"user-{request.user.pk}" if signed_in else self.get_ident(request)
        return self.cache_format % {"scope": self.scope, "ident": ident}

    def get_ident(self, request: Request) -> str:
        """Trust X-Forwarded-For only as far as the operator has said that there are proxies."""
        if api_settings.NUM_PROXIES is None:
            return str(request.META.get("REMOTE_ADDR", ""))
        return str(super().get_ident(request))


class AnyThrottle(CallerThrottle):
    """The bound on everything; polling once a second stays far below it."""

    scope = "any"
    rate = "600/min"


class RegisterThrottle(CallerThrottle):
    scope = "register"


class TokenThrottle(CallerThrottle):
    """Slows down the guessing of passwords from one address."""

    scope = "token"


class SubmitThrottle(CallerThrottle):
    scope = "submit"
