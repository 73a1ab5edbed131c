"""Users, their tokens and their notices."""

from typing import ClassVar, cast

from allauth.account.models import EmailAddress
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.status import HTTP_201_CREATED, HTTP_204_NO_CONTENT
from rest_framework.throttling import BaseThrottle

from arena.api.accounts.serializers import (
    MeSerializer,
    NewTokenSerializer,
    NoticeSerializer,
    ReadSerializer,
    RegisterSerializer,
    SignInSerializer,
    TokenSerializer,
    UserSerializer,
)
from arena.api.base import ANY_TOKEN, ApiViewSet, signed_in, validated
from arena.api.pagination import LatestTokens, NewestFirst
from arena.api.refusals import (
    Banned,
    MissingScope,
    NameTaken,
    RegistrationClosed,
    SecondFactorNeeded,
    WrongCredentials,
)
from arena.api.throttling import (
    AccountThrottle,
    CallsThrottle,
    RegisterThrottle,
    TokenThrottle,
)
from arena.domain.accounts import accounts, notices, permissions
from arena.domain.errors import InvalidInput
from arena.models import ApiToken, Scope, User

Throttles = list[BaseThrottle]


class UserViewSet(ApiViewSet):
    throttle_classes = [CallsThrottle, RegisterThrottle]

    @extend_schema(
        operation_id="user_register",
        request=RegisterSerializer,
        responses={201: UserSerializer},
        auth=[],
    )
    def create(self, request: Request) -> Response:
        """Register a user. Confirm the address by the link that the site mails to it."""
        if not permissions.registration_is_open():
            raise RegistrationClosed("The operators of this site make the accounts.")
        body = validated(RegisterSerializer, request.data)
        try:
            user = accounts.create_user(**body)
        except InvalidInput as refused:
            is_taken = User.objects.filter(username__iexact=body["username"]).exists()
            if set(refused.errors) == {"username"} and is_taken:
                raise NameTaken(refused.message) from refused
            raise
        if user.email:
            address = EmailAddress.objects.create(user=user, email=user.email, primary=True)
            address.send_confirmation(request, signup=True)
        return Response(UserSerializer(user).data, status=HTTP_201_CREATED)


class MeViewSet(ApiViewSet):
    scopes: ClassVar = {"list": Scope.READ}

    @extend_schema(operation_id="me", responses=MeSerializer)
    def list(self, request: Request) -> Response:
        """Show the user of the token, and what is left of each quota."""
        return Response(MeSerializer(signed_in(request)).data)


class TokenViewSet(ApiViewSet):
    scopes: ClassVar = {"list": Scope.READ, "destroy": ANY_TOKEN}
    lookup_path = "<slug:token_id>"
    pagination_class = LatestTokens
    serializer_class = TokenSerializer

    def get_throttles(self) -> Throttles:
        """Slow down attempts to guess passwords, but not the list of tokens."""
        limits = super().get_throttles()
        if self.action != "create":
            return limits
        return [*limits, TokenThrottle(), AccountThrottle()]

    def list(self, request: Request) -> Response:
        """List your tokens, without their secrets."""
        return self.page_of(ApiToken.objects.filter(user=signed_in(request)))

    @extend_schema(request=SignInSerializer, responses={201: NewTokenSerializer}, auth=[])
    def create(self, request: Request) -> Response:
        """Sign in with name and password, and get a token. It is shown only once."""
        body = validated(SignInSerializer, request.data)
        user = accounts.sign_in(username=body["username"], password=body["password"])
        if user is None:
            raise WrongCredentials("No active user has this name and password.")
        if user.is_banned:
            raise Banned.of(user)
        if accounts.has_second_factor(user):
            raise SecondFactorNeeded("This account has a second factor, which the API cannot ask.")
        row, token = accounts.issue_token(user=user, name=body["name"], scopes=body.get("scopes"))
        answer = {**TokenSerializer(row).data, "token": token}
        return Response(answer, status=HTTP_201_CREATED, headers={"Cache-Control": "no-store"})

    @extend_schema(operation_id="token_revoke", responses={204: None})
    def destroy(self, request: Request, token_id: str) -> Response:
        """Revoke one of your tokens at once.

        Every token may revoke itself. To revoke another one, it needs the scope `bots:write`.
        """
        own = cast("ApiToken", request.auth)
        if own.public_id != token_id and not own.allows(Scope.BOTS_WRITE):
            raise MissingScope(
                "This token can revoke itself, but no other token.",
                hint=f"Use a token with the scope '{Scope.BOTS_WRITE}'.",
                scope=str(Scope.BOTS_WRITE),
            )
        if not accounts.revoke_token(user=signed_in(request), public_id=token_id):
            raise NotFound("You have no token with this id.")
        return Response(status=HTTP_204_NO_CONTENT)


class NoticeViewSet(ApiViewSet):
    scopes: ClassVar = {"list": Scope.READ, "read": Scope.BOTS_WRITE}
    pagination_class = NewestFirst
    serializer_class = NoticeSerializer

    def list(self, request: Request) -> Response:
        """List your notices, newest first."""
        return self.page_of(notices.of(user=signed_in(request)))

    @extend_schema(request=None, responses=ReadSerializer)
    @action(detail=False, methods=["post"])
    def read(self, request: Request) -> Response:
        """Mark all your notices as read."""
        return Response({"marked": notices.mark_read(user=signed_in(request))})
