"""What all views of the API share."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypeVar, cast

from django.db.models import Model, QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.pagination import BasePagination
from rest_framework.parsers import BaseParser
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.routers import SimpleRouter
from rest_framework.serializers import CharField, Serializer
from rest_framework.viewsets import GenericViewSet

from arena.api import dry_run
from arena.api.authentication import BearerAuthentication, TokenScopes
from arena.api.dry_run import DryRuns
from arena.api.idempotency import done_once
from arena.api.parsers import SmallJSONParser
from arena.api.refusals import LengthRequired, NotYours, throttled
from arena.api.schema import ArenaSchema
from arena.api.throttling import CallerThrottle, CallsThrottle, rate_limit_headers
from arena.domain import addresses
from arena.domain.accounts import permissions
from arena.models import ANYBODY, ApiToken, Bot, Scope, User, Version, Viewer

M = TypeVar("M", bound=Model)


class AlwaysFirst(BaseContentNegotiation):
    """Answer in the one format that there is, whatever a client says that it accepts."""

    def select_parser(self, request: Request, parsers: Any) -> BaseParser | None:  # noqa: ANN401 - the types of REST framework
        media_type = (request.content_type or "").partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == media_type), None)

    def select_renderer(
        self,
        request: Request,  # noqa: ARG002 - the signature of REST framework
        renderers: Any,  # noqa: ANN401 - the types of REST framework
        format_suffix: str | None = None,  # noqa: ARG002 - the signature of REST framework
    ) -> tuple[BaseRenderer, str]:
        return renderers[0], renderers[0].media_type


ANY_TOKEN = ""


class ApiViewSet(GenericViewSet[Any]):
    """Bearer tokens, JSON in and out, problem JSON for refusals.

    A token needs `write_scope` for every write, and what `scopes` says for the actions in it:
    `ANY_TOKEN` takes one whatever its scopes. All other actions are open to everybody.
    `lookup_path` is how an address names a row, and `lookups` the fields that its parts are
    compared with.
    """

    write_scope: ClassVar[str | None] = None
    scopes: ClassVar[Mapping[str, str]] = {}
    lookup_path: ClassVar[str] = ""
    lookups: ClassVar[Mapping[str, str]] = {}
    dry_runs = DryRuns.REFUSED
    text_limit_bytes = 0

    authentication_classes = [BearerAuthentication]
    permission_classes = [TokenScopes]
    throttle_classes = [CallsThrottle]
    parser_classes = [SmallJSONParser]
    renderer_classes = [JSONRenderer]
    content_negotiation_class = AlwaysFirst
    filter_backends = []
    pagination_class: type[BasePagination] | None = None
    metadata_class = None
    limits: Sequence[CallerThrottle] = ()
    http_method_names = ["get", "head", "post", "put", "patch", "delete"]
    schema = ArenaSchema()

    def needed_scope(self, method: str) -> str | None:
        """Return the scope that the action needs, or ANY_TOKEN; None if it needs no token."""
        if not self.action:  # the address does not answer to the method
            return None
        return self.scopes.get(self.action, None if method in SAFE_METHODS else self.write_scope)

    @property
    def viewer(self) -> Viewer:
        """Return the caller of a write, and for a read the viewer that the token allows."""
        is_read = self.request.method in SAFE_METHODS
        return viewer_of(self.request) if is_read else signed_in(self.request)

    def get_object(self) -> Any:  # noqa: ANN401 - as REST framework has it
        """Return the row that the address names. Raise Http404, or what forbids it."""
        conditions = {field: self.kwargs[name] for name, field in self.lookups.items()}
        row = get_object_or_404(self.get_queryset(), **conditions)
        self.check_object_permissions(self.request, row)
        return row

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        """Refuse a body of unknown size, and wrap writes: done once per key, or rolled back.

        REST framework would read a chunked body as an empty one.
        """
        if "Transfer-Encoding" in request.headers and "Content-Length" not in request.headers:
            raise LengthRequired("The body is chunked, so its size cannot be checked first.")
        super().initial(request, *args, **kwargs)
        method = str(request.method)
        if method in SAFE_METHODS:
            return
        # REST framework looks the handler up on the view after this.
        handler = getattr(self, method.lower(), None)
        if handler and dry_run.is_requested(request, self.dry_runs):
            if self.dry_runs is DryRuns.TAKEN_BACK:
                setattr(self, method.lower(), dry_run.take_back(handler))
        elif handler and self.needed_scope(method) is not None:
            setattr(self, method.lower(), done_once(handler, signed_in(request)))

    def perform_authentication(self, request: Request) -> None:
        """Authenticate the caller and count the request, even if the token is refused.

        Raise TooManyRequests if it is beyond a limit of the view.
        """
        try:
            super().perform_authentication(request)
        finally:
            self.limits = cast("list[CallerThrottle]", self.get_throttles())
            reached = [limit for limit in self.limits if not limit.allow_request(request, self)]
            if reached:
                raise throttled(max(reached, key=lambda limit: limit.seconds))

    def check_throttles(self, request: Request) -> None:
        """Do nothing: `perform_authentication` has counted the request."""

    def finalize_response(
        self, request: Request, response: Response, *args: object, **kwargs: object
    ) -> Response:
        """Add to every answer how much is left of each limit."""
        for name, value in rate_limit_headers(self.limits).items():
            response[name] = value
        return super().finalize_response(request, response, *args, **kwargs)

    def page_of(self, rows: QuerySet[M]) -> Response:
        """Return one page of the rows; `pagination_class` says which order and size."""
        page: Any = self.paginate_queryset(rows)
        return self.get_paginated_response(self.get_serializer(page, many=True).data)


class ApiRouter(SimpleRouter):
    """Addresses without a slash at the end, named `api-bot-list`, `api-bot-pause`."""

    def __init__(self) -> None:
        super().__init__(trailing_slash=False, use_regex_path=False)

    def get_lookup_regex(self, viewset: Any, lookup_prefix: str = "") -> str:  # noqa: ANN401, ARG002 - the signature of REST framework
        """Return how an address names a row: `<slug:owner>/<slug:slug>`."""
        return str(viewset.lookup_path)


def signed_in(request: Request) -> User:
    """Return the caller of a view that needs a token."""
    return cast("User", request.user)


def viewer_of(request: Request) -> Viewer:
    """Return the caller, or the public if the token does not have the scope `read`."""
    if not request.user.is_authenticated or not cast("ApiToken", request.auth).allows(Scope.READ):
        return ANYBODY
    return signed_in(request)


def require_owner(request: Request, bot: Bot) -> None:
    """Raise NotYours unless the caller owns the bot."""
    if not permissions.may_edit_bot(signed_in(request), bot):
        raise NotYours(f"The bot {bot} belongs to {bot.owner.username}.")


def version_numbered(bot: Bot, number: int | None, *, field: str = "version") -> Version | None:
    """Return a version that a body names, None if it names none. Raise Refused."""
    return None if number is None else addresses.find_version(bot, number, field=field)


def validated(form_class: type[Serializer[dict[str, Any]]], data: Any, **options: Any) -> Any:  # noqa: ANN401 - of a serializer
    """Return the values of a request, checked by a serializer. Raise ValidationError.

    A text must be one: the framework would also take a number.
    """
    form = form_class(data=data, **options)
    form.is_valid(raise_exception=True)
    numbers = [
        name
        for name, field in form.fields.items()
        if isinstance(field, CharField) and isinstance(data.get(name), int | float)
    ]
    if numbers:
        raise ValidationError(dict.fromkeys(numbers, "This must be a text, not a number."))
    return form.validated_data


def location(request: Request, name: str, *args: object) -> dict[str, str]:
    """Return the `Location` header with an address of the API."""
    return {"Location": request.build_absolute_uri(reverse(name, args=args))}


def location_header(description: str) -> OpenApiParameter:
    """Return the description of the `Location` header for the schema."""
    return OpenApiParameter(
        "Location", str, OpenApiParameter.HEADER, response=True, description=description
    )


@extend_schema(exclude=True)
class NoSuchAddressViewSet(ApiViewSet):
    """Answers unknown addresses under the API with a problem."""

    def refuse(self, _request: Request, **_address: object) -> Response:
        """Raise NotFound."""
        raise NotFound("The API has no such address.")
