"""Bearer tokens: who the caller is, and what the token allows.

The API ignores the session cookie, so a page of another site cannot make a browser use the API.
"""

import re
from typing import TYPE_CHECKING, Any, cast

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from knox.auth import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from arena.api.refusals import Banned, MissingScope
from arena.domain.accounts import accounts

if TYPE_CHECKING:
    from drf_spectacular.openapi import AutoSchema

    from arena.api.base import ApiViewSet
    from arena.models import ApiToken

TOKEN_SHAPE = re.compile(rb"[A-Za-z0-9_]{16,128}")


class BearerAuthentication(TokenAuthentication):  # type: ignore[misc] # knox has no types
    """`Authorization: Bearer <token>`; a known token sets `request.user` and `request.auth`."""

    def authenticate_credentials(self, token: bytes) -> tuple[Any, Any]:
        if not TOKEN_SHAPE.fullmatch(token):
            raise AuthenticationFailed("This is not a token of this site: its format is wrong.")
        try:
            user, auth = super().authenticate_credentials(token)
        except AuthenticationFailed as exc:
            raise AuthenticationFailed("No such token: it is unknown, revoked or expired.") from exc
        if user.is_banned:
            raise Banned.of(user)
        if accounts.lacks_second_factor(user):
            raise AuthenticationFailed(
                "This token rests. Staff and organizers need a second factor here: add one on your "
                "account page."
            )
        accounts.record_token_use(token=auth)
        return user, auth


class TokenScopes(BasePermission):
    """Allows callers whose token has the scope that the action needs, if it needs one."""

    def has_permission(self, request: Request, view: Any) -> bool:  # noqa: ANN401 - the signature of REST framework
        needed = cast("ApiViewSet", view).needed_scope(str(request.method))
        if needed is None:
            return True
        if not request.user.is_authenticated:
            return False
        if needed:
            require_scope(request, needed)
        return True


def require_scope(request: Request, needed: str) -> None:
    """Raise MissingScope unless the token of the signed-in caller has the scope."""
    token = cast("ApiToken", request.auth)
    if not token.allows(needed):
        raise MissingScope(
            f"This needs the scope '{needed}'; the token '{token.name}' has "
            f"{', '.join(token.scopes) or 'none'}.",
            hint=f"Make a token with the scope '{needed}'.",
            scope=needed,
        )


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call] # registers itself
    """Describes the tokens in the schema."""

    target_class = BearerAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: "AutoSchema") -> dict[str, Any]:  # noqa: ARG002 - the signature of spectacular
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A token from POST /api/v1/tokens or from the page of your tokens.",
        }
