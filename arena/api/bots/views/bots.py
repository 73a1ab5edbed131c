"""Bots, and the uploads of their owners."""

from collections.abc import Callable

from django.db.models import Prefetch, QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.status import HTTP_201_CREATED, HTTP_202_ACCEPTED, HTTP_204_NO_CONTENT

from arena.api.base import (
    ApiViewSet,
    location,
    location_header,
    require_owner,
    signed_in,
    validated,
)
from arena.api.bots.serializers import (
    BotChangesSerializer,
    BotDetailSerializer,
    BotFilterSerializer,
    BotSerializer,
    CheckedVersionSerializer,
    NewBotSerializer,
    NewRemoteVersionSerializer,
    UploadSerializer,
    VersionSerializer,
)
from arena.api.bots.views.versions import log_context
from arena.api.fields import listed
from arena.api.overview.serializers import PointsListSerializer, PointsSerializer
from arena.api.pagination import DEFAULT_ROWS, NewestFirst
from arena.api.parsers import UploadParser
from arena.api.refusals import SlugTaken
from arena.domain import slugs
from arena.domain.bots import activation, bots, challenges, remote_bots
from arena.domain.bots import points as bot_points
from arena.domain.errors import InvalidInput
from arena.domain.ladders import idle_reasons
from arena.models import Bot, Scope, Version
from botkit.package import UPLOAD_MAX_BYTES

LOCATION = location_header("Where it can be read.")


class BotViewSet(ApiViewSet):
    write_scope = Scope.BOTS_WRITE
    lookup_path = "<slug:owner>/<slug:slug>"
    lookups = {"owner": "owner__username", "slug": "slug"}
    pagination_class = NewestFirst
    serializer_class = BotSerializer
    upload_limit_bytes = UPLOAD_MAX_BYTES

    def get_queryset(self) -> QuerySet[Bot]:
        rows = Bot.objects.select_related("owner", "active_version")
        if self.action != "retrieve":
            return rows
        newest = Version.objects.order_by("-number")[:DEFAULT_ROWS]
        return rows.prefetch_related(
            "entries__ladder",
            "entries__version",
            Prefetch("versions", queryset=newest, to_attr="newest_versions"),
        )

    def check_object_permissions(self, request: Request, obj: Bot) -> None:
        """Raise NotYours if a caller changes the bot of somebody else."""
        if request.method not in SAFE_METHODS:
            require_owner(request, obj)

    @extend_schema(parameters=[BotFilterSerializer])
    def list(self, request: Request) -> Response:
        """List bots, newest first."""
        query = validated(BotFilterSerializer, request.query_params)
        rows = Bot.objects.listed().select_related("active_version")
        if "owner" in query:
            rows = rows.filter(owner__username=query["owner"])
        return self.page_of(rows)

    @extend_schema(request=NewBotSerializer, responses={201: BotSerializer}, parameters=[LOCATION])
    def create(self, request: Request) -> Response:
        """Create a bot. Upload its first version next."""
        owner, values = signed_in(request), validated(NewBotSerializer, request.data)
        try:
            bot = bots.create(owner=owner, **values)
        except InvalidInput as refused:
            slug = values["slug"] or slugs.of_name(values["name"], model=Bot)
            if not owner.bots.filter(slug=slug).exists():
                raise
            error = {
                "field": "slug",
                "code": "slug_taken",
                "message": f"You already have a bot {slug}.",
            }
            raise SlugTaken(f"There is a bot {owner.username}/{slug}.", errors=[error]) from refused
        return Response(
            BotSerializer(bot).data,
            status=HTTP_201_CREATED,
            headers=location(request, "api-bot-detail", bot.owner.username, bot.slug),
        )

    @extend_schema(responses=BotDetailSerializer)
    def retrieve(self, _request: Request, **_address: object) -> Response:
        """Show a bot with its entry in every ladder."""
        bot = self.get_object()
        idle = idle_reasons.of_bot(bot=bot, viewer=self.viewer)
        return Response(BotDetailSerializer(bot, context={"idle": idle}).data)

    @extend_schema(request=BotChangesSerializer, responses=BotSerializer)
    def partial_update(self, request: Request, **_address: object) -> Response:
        """Change your bot: its name, its description, and its settings."""
        bot = self.get_object()
        body = validated(BotChangesSerializer, request.data)
        if texts := {key: body[key] for key in ("name", "description") if key in body}:
            bots.edit(bot=bot, **texts)
        if "accepts_challenges" in body:
            challenges.let_challenge(bot=bot, allowed=body["accepts_challenges"])
        if "gate_new_versions" in body:
            bots.configure(bot=bot, gate_new_versions=body["gate_new_versions"])
        return Response(BotSerializer(bot).data)

    @extend_schema(request=None, responses=BotSerializer)
    @action(detail=True, methods=["post"])
    def pause(self, _request: Request, **_address: object) -> Response:
        """Take your bot out of matchmaking. Its matches that have not begun are cancelled."""
        return self._changed(bots.pause)

    @extend_schema(request=None, responses=BotSerializer)
    @action(detail=True, methods=["post"])
    def resume(self, _request: Request, **_address: object) -> Response:
        """Resume your bot. It is matched again from now on."""
        return self._changed(bots.resume)

    @extend_schema(request=None, responses=BotSerializer)
    @action(detail=True, methods=["post"])
    def retire(self, _request: Request, **_address: object) -> Response:
        """Retire all versions of your bot. Its page and its matches stay."""
        return self._changed(activation.retire_bot)

    @extend_schema(operation_id="bot_points", responses=PointsListSerializer)
    @action(detail=True)
    def points(self, _request: Request, **_address: object) -> Response:
        """Show where the points of a bot go on each ladder, in its latest rated games."""
        found = bot_points.of_bot(bot=self.get_object(), viewer=self.viewer)
        return Response(listed(PointsSerializer, found, key="ladders"))

    @extend_schema(request=None, responses={204: None})
    def destroy(self, _request: Request, **_address: object) -> Response:
        """Delete your bot, if it has played no match."""
        bots.delete(bot=self.get_object())
        return Response(status=HTTP_204_NO_CONTENT)

    @extend_schema(
        operation_id="version_remote",
        request=NewRemoteVersionSerializer,
        responses={201: VersionSerializer},
        parameters=[LOCATION],
    )
    @action(detail=True, methods=["post"], url_path="versions/remote")
    def remote(self, request: Request, **_address: object) -> Response:
        """Make the next version of your remote bot. Your program plays it from home.

        It is active at once, on the remote ladders of its variants. Its rating begins anew.
        """
        bot = self.get_object()
        body = validated(NewRemoteVersionSerializer, request.data)
        version = remote_bots.add_version(bot=bot, variants=body["variants"])
        address = bot.owner.username, bot.slug, version.number
        return Response(
            VersionSerializer(version).data,
            status=HTTP_201_CREATED,
            headers=location(request, "api-version-detail", *address),
        )

    def _changed(self, change: Callable[..., None]) -> Response:
        bot = self.get_object()
        change(bot=bot)
        return Response(BotSerializer(bot).data)

    @extend_schema(operation_id="version_list", responses=VersionSerializer(many=True))
    @action(detail=True, serializer_class=VersionSerializer, parser_classes=[UploadParser])
    def versions(self, _request: Request, **_address: object) -> Response:
        """List the versions of a bot, newest first."""
        return self.page_of(
            Version.objects.select_related("bot__owner").filter(bot=self.get_object())
        )

    @extend_schema(
        operation_id="version_submit",
        request=UploadSerializer,
        responses={202: CheckedVersionSerializer},
        parameters=[LOCATION],
    )
    @versions.mapping.post
    def upload(self, request: Request, **_address: object) -> Response:
        """Upload the next version of your bot. Location is the version with its checklist."""
        bot = self.get_object()
        body = validated(UploadSerializer, request.data)
        version = bots.submit_version(
            bot=bot, filename=body["file"].name, data=body["file"].read(), variants=body["variants"]
        )
        return Response(
            CheckedVersionSerializer(version, context=log_context(request, version)).data,
            status=HTTP_202_ACCEPTED,
            headers=location(
                request, "api-version-detail", bot.owner.username, bot.slug, version.number
            ),
        )
