"""Users and tokens."""

from typing import ClassVar, cast

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.status import HTTP_201_CREATED, HTTP_204_NO_CONTENT
from rest_framework.throttling import BaseThrottle

from arena.api.accounts.serializers.accounts import (
    MeSerializer,
    NewTokenSerializer,
    RegisterSerializer,
    SignInSerializer,
    TokenSerializer,
    UserSerializer,
)
from arena.api.base import ApiView, signed_in
from arena.api.pagination import LatestTokens
from arena.api.refusals import MissingScope, NameTaken, WrongCredentials
from arena.api.throttling import CallsThrottle, RegisterThrottle, TokenThrottle
from arena.domain.accounts import accounts
from arena.domain.errors import InvalidInput
from arena.models import ApiToken, Scope, User


class UsersView(ApiView):
    throttle_classes = [CallsThrottle, RegisterThrottle]

    @extend_schema(
        operation_id="user_register",
        request=RegisterSerializer,
        responses={201: UserSerializer},
        auth=[],
    )
    def post(self, request: Request) -> Response:
        """Register a user."""
        form = RegisterSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        try:
            user = accounts.create_user(**form.validated_data)
        except InvalidInput as refused:
            if set(refused.errors) == {"username"} and _is_taken(form.validated_data["username"]):
                raise NameTaken(refused.message) from refused
            raise
        return Response(UserSerializer(user).data, status=HTTP_201_CREATED)


class MeView(ApiView):
    scopes: ClassVar = {"GET": Scope.READ}

    @extend_schema(operation_id="me", responses=MeSerializer)
    def get(self, request: Request) -> Response:
        """Show whom the token belongs to, and what they may still have of what is limited."""
        return Response(MeSerializer(signed_in(request)).data)


class TokensView(ApiView):
    scopes: ClassVar = {"GET": Scope.READ}
    pagination_class = LatestTokens
    serializer_class = TokenSerializer

    def get_throttles(self) -> list[BaseThrottle]:
        """Slow down the guessing of passwords, not the reading of one's own list."""
        limits = super().get_throttles()
        return [*limits, TokenThrottle()] if self.request.method == "POST" else limits

    @extend_schema(operation_id="token_list", responses=TokenSerializer(many=True))
    def get(self, request: Request) -> Response:
        """List your tokens, without the tokens themselves."""
        return self.page_of(ApiToken.objects.filter(user=signed_in(request)), TokenSerializer)

    @extend_schema(
        operation_id="token_create",
        request=SignInSerializer,
        responses={201: NewTokenSerializer},
        auth=[],
    )
    def post(self, request: Request) -> Response:
        """Sign in with name and password and get a token; it is shown this once."""
        form = SignInSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        given = form.validated_data
        user = accounts.sign_in(username=given["username"], password=given["password"])
        if user is None:
            raise WrongCredentials("No active user has this name and password.")
        row, token = accounts.issue_token(user=user, name=given["name"], scopes=given.get("scopes"))
        answer = {**TokenSerializer(row).data, "token": token}
        return Response(answer, status=HTTP_201_CREATED, headers={"Cache-Control": "no-store"})


class TokenView(ApiView):
    scopes: ClassVar = {"DELETE": Scope.READ}

    @extend_schema(operation_id="token_revoke", responses={204: None})
    def delete(self, request: Request, token_id: str) -> Response:
        """Revoke one of your tokens at once.

        Every token may revoke itself; another one only with the scope `bots:write`.
        """
        own = cast("ApiToken", request.auth)
        if own.public_id != token_id and not own.allows(Scope.BOTS_WRITE):
            raise MissingScope(
                "A token that may only read can revoke itself but no other token.",
                hint=f"Use a token with the scope '{Scope.BOTS_WRITE}'.",
                scope=str(Scope.BOTS_WRITE),
            )
        if not accounts.revoke_token(user=signed_in(request), public_id=token_id):
            raise NotFound("You have no token of this id.")
        return Response(status=HTTP_204_NO_CONTENT)


def _is_taken(username: str) -> bool:
    return User.objects.filter(username__iexact=username).exists()
