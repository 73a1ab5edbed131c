"""Bots, their versions and the checklists of those."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.db import IntegrityError, transaction
from django.db.models import Prefetch, QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.text import slugify
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.status import HTTP_201_CREATED, HTTP_202_ACCEPTED

from arena.api.base import ApiView, require_owner, signed_in, viewer_of
from arena.api.bots.serializers.bots import (
    BotChangesSerializer,
    BotDetailSerializer,
    BotFilterSerializer,
    BotSerializer,
    CheckedVersionSerializer,
    NewBotSerializer,
    UploadSerializer,
    VersionLogSerializer,
    VersionSerializer,
    version_address,
)
from arena.api.pagination import DEFAULT_ROWS, NewestFirst
from arena.api.parsers import UploadParser
from arena.api.refusals import NotYours, SlugTaken
from arena.domain.accounts import permissions, staff_log
from arena.domain.bots import bots, challenges
from arena.domain.errors import InvalidInput
from arena.domain.ladders import idle_reasons
from arena.domain.tournaments.rehearsal import casts
from arena.models import Bot, Scope, User, Version

LOCATION = OpenApiParameter(
    "Location", str, OpenApiParameter.HEADER, response=True, description="Where it can be read."
)


def bots_to_show() -> QuerySet[Bot]:
    """Return bots with what is shown of them."""
    return Bot.objects.select_related("owner", "active_version")


def versions_to_show() -> QuerySet[Version]:
    """Return versions with what is shown of them."""
    return Version.objects.select_related("bot__owner")


class BotsView(ApiView):
    scopes: ClassVar = {"POST": Scope.BOTS_WRITE}
    pagination_class = NewestFirst
    serializer_class = BotSerializer

    @extend_schema(
        operation_id="bot_list",
        parameters=[BotFilterSerializer],
        responses=BotSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        """List bots, newest first."""
        form = BotFilterSerializer(data=request.query_params)
        form.is_valid(raise_exception=True)
        rows = bots_to_show().exclude(owner__username=casts.OWNER)
        if "owner" in form.validated_data:
            rows = rows.filter(owner__username=form.validated_data["owner"])
        return self.page_of(rows, BotSerializer)

    @extend_schema(
        operation_id="bot_create",
        request=NewBotSerializer,
        responses={201: BotSerializer},
        parameters=[LOCATION],
    )
    def post(self, request: Request) -> Response:
        """Make a bot; its first version is uploaded next."""
        form = NewBotSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        bot = _create(signed_in(request), form.validated_data)
        where = reverse("api-bot", args=[bot.owner.username, bot.slug])
        return Response(
            BotSerializer(bot).data,
            status=HTTP_201_CREATED,
            headers={"Location": request.build_absolute_uri(where)},
        )


class BotView(ApiView):
    scopes: ClassVar = {"PATCH": Scope.BOTS_WRITE}

    @extend_schema(operation_id="bot_get", responses=BotDetailSerializer)
    def get(self, request: Request, owner: str, slug: str) -> Response:  # noqa: ARG002 - as routed
        """Show a bot and its place in every ladder."""
        newest = Version.objects.order_by("-number")[:DEFAULT_ROWS]
        rows = bots_to_show().prefetch_related(
            "entries__ladder",
            "entries__version",
            Prefetch("versions", queryset=newest, to_attr="newest_versions"),
        )
        bot = get_object_or_404(rows, owner__username=owner, slug=slug)
        idle = idle_reasons.of_bot(bot=bot)
        return Response(BotDetailSerializer(bot, context={"idle": idle}).data)

    @extend_schema(
        operation_id="bot_change", request=BotChangesSerializer, responses={200: BotSerializer}
    )
    def patch(self, request: Request, owner: str, slug: str) -> Response:
        """Change what your bot takes part in."""
        bot = get_object_or_404(bots_to_show(), owner__username=owner, slug=slug)
        require_owner(request, bot)
        form = BotChangesSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        if "accepts_challenges" in form.validated_data:
            challenges.let_challenge(bot=bot, allowed=form.validated_data["accepts_challenges"])
        if "gate_new_versions" in form.validated_data:
            bots.configure(bot=bot, gate_new_versions=form.validated_data["gate_new_versions"])
        return Response(BotSerializer(bot).data)


class _OwnersBotView(ApiView):
    scopes: ClassVar = {"POST": Scope.BOTS_WRITE}

    def changed(
        self, request: Request, owner: str, slug: str, change: Callable[..., None]
    ) -> Response:
        bot = get_object_or_404(bots_to_show(), owner__username=owner, slug=slug)
        require_owner(request, bot)
        change(bot=bot)
        return Response(BotSerializer(bot).data)


class BotPauseView(_OwnersBotView):
    @extend_schema(operation_id="bot_pause", request=None, responses={200: BotSerializer})
    def post(self, request: Request, owner: str, slug: str) -> Response:
        """Take your bot out of match-making; matches that have not begun are cancelled."""
        return self.changed(request, owner, slug, bots.pause)


class BotResumeView(_OwnersBotView):
    @extend_schema(operation_id="bot_resume", request=None, responses={200: BotSerializer})
    def post(self, request: Request, owner: str, slug: str) -> Response:
        """Let your bot be matched again."""
        return self.changed(request, owner, slug, bots.resume)


class VersionsView(ApiView):
    scopes: ClassVar = {"POST": Scope.BOTS_WRITE}
    pagination_class = NewestFirst
    serializer_class = VersionSerializer
    parser_classes = [UploadParser]
    upload_limit_bytes = bots.UPLOAD_MAX_BYTES

    @extend_schema(operation_id="version_list", responses=VersionSerializer(many=True))
    def get(self, request: Request, owner: str, slug: str) -> Response:  # noqa: ARG002 - as routed
        """List the versions of a bot, newest first."""
        bot = get_object_or_404(Bot, owner__username=owner, slug=slug)
        return self.page_of(versions_to_show().filter(bot=bot), VersionSerializer)

    @extend_schema(
        operation_id="version_submit",
        request=UploadSerializer,
        responses={202: CheckedVersionSerializer},
        parameters=[LOCATION],
    )
    def post(self, request: Request, owner: str, slug: str) -> Response:
        """Upload the next version of your bot; Location is where its checklist can be followed."""
        bot = get_object_or_404(bots_to_show(), owner__username=owner, slug=slug)
        require_owner(request, bot)
        form = UploadSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        upload = form.validated_data["file"]
        version = bots.submit_version(
            bot=bot,
            filename=upload.name,
            data=upload.read(),
            variants=form.validated_data["variants"],
        )
        where = request.build_absolute_uri(version_address(version))
        return Response(
            CheckedVersionSerializer(version, context=log_context(request, version)).data,
            status=HTTP_202_ACCEPTED,
            headers={"Location": where},
        )


class VersionView(ApiView):
    @extend_schema(operation_id="version_get", responses=CheckedVersionSerializer)
    def get(self, request: Request, owner: str, slug: str, number: int) -> Response:
        """Show a version with its checklist; only its owner is told where the log is."""
        rows = versions_to_show().prefetch_related("checks")
        version = get_object_or_404(rows, bot__owner__username=owner, bot__slug=slug, number=number)
        context = log_context(request, version)
        return Response(CheckedVersionSerializer(version, context=context).data)


class VersionLogView(ApiView):
    scopes: ClassVar = {"GET": Scope.READ}

    @extend_schema(operation_id="version_log", responses=VersionLogSerializer)
    def get(self, request: Request, owner: str, slug: str, number: int) -> Response:
        """Show what your bot wrote while it was checked, step by step."""
        version = get_object_or_404(
            versions_to_show(), bot__owner__username=owner, bot__slug=slug, number=number
        )
        if not permissions.may_see_logs(viewer_of(request), version.bot):
            raise NotYours("The log of a version is for the owner of the bot.")
        staff_log.note_look(
            by=request.user,
            bots=[version.bot],
            what=f"log of the checks of version {version.number}",
            url=version.get_absolute_url(),
        )
        steps = version.checks.exclude(log="")
        return Response(VersionLogSerializer({"steps": steps}).data)


def _create(owner: User, wanted: dict[str, str]) -> Bot:
    try:
        with transaction.atomic():
            return bots.create(owner=owner, **wanted)
    except (InvalidInput, IntegrityError) as refused:
        # Two requests at once can both find the name free; the database lets one of them through.
        slug = wanted["slug"] or slugify(wanted["name"])
        if owner.bots.filter(slug=slug).exists():
            row = {"field": "slug", "code": "slug_taken", "message": f"You have a bot {slug}."}
            raise SlugTaken(f"There is a bot {owner.username}/{slug}.", errors=[row]) from refused
        raise


def log_context(request: Request, version: Version) -> dict[str, Any]:
    """Tell the serializer of the checklist where the log is, if this caller may read it."""
    if not permissions.may_see_logs(viewer_of(request), version.bot):
        return {"log_url": None}
    return {"log_url": request.build_absolute_uri(version_address(version, "api-version-log"))}
