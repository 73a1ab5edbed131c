"""Versions, their checklists and their trials."""

from collections.abc import Callable
from io import BytesIO
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.http import FileResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.exceptions import NotFound
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.status import HTTP_202_ACCEPTED

from arena.api.base import (
    ApiViewSet,
    location,
    location_header,
    require_owner,
    signed_in,
    validated,
    version_numbered,
    viewer_of,
)
from arena.api.bots.serializers import (
    CheckedVersionSerializer,
    NewTrialSerializer,
    StepLogSerializer,
    TrialSerializer,
    VersionRecordSerializer,
    VersionSerializer,
)
from arena.api.fields import listed, listing
from arena.api.pagination import NewestFirst
from arena.api.refusals import NotYours
from arena.domain import addresses
from arena.domain.accounts import permissions, staff_log
from arena.domain.bots import activation, crash_streaks, trials
from arena.domain.ladders import leaderboards
from arena.models import Scope, Version, VersionTrial


class VersionViewSet(ApiViewSet):
    write_scope = Scope.BOTS_WRITE
    scopes: ClassVar = {"log": Scope.READ, "archive": Scope.BOTS_WRITE}
    lookup_path = "<int:number>"
    lookups = {"owner": "bot__owner__username", "slug": "bot__slug", "number": "number"}
    pagination_class = NewestFirst
    serializer_class = VersionSerializer

    def get_queryset(self) -> QuerySet[Version]:
        rows = Version.objects.select_related("bot__owner", "bot__active_version")
        return rows.prefetch_related("checks") if self.action == "retrieve" else rows

    def check_object_permissions(self, request: Request, obj: Version) -> None:
        """Raise NotYours if a caller changes a version of somebody else."""
        if request.method not in SAFE_METHODS:
            require_owner(request, obj.bot)

    @extend_schema(responses=CheckedVersionSerializer)
    def retrieve(self, request: Request, **_address: object) -> Response:
        """Show a version with its checklist. Only its owner gets the address of the log."""
        version = self.get_object()
        context = log_context(request, version)
        return Response(CheckedVersionSerializer(version, context=context).data)

    @extend_schema(responses=listing(StepLogSerializer, "VersionLog", key="steps"))
    @action(detail=True)
    def log(self, request: Request, **_address: object) -> Response:
        """Show the output of your bot during its checks, step by step."""
        version = self.get_object()
        if not permissions.may_see_logs(self.viewer, version.bot):
            raise NotYours("Only the owner of the bot may read the log of a version.")
        staff_log.note_look(
            by=request.user,
            bots=[version.bot],
            what=f"log of the checks of version {version.number}",
            url=version.get_absolute_url(),
        )
        return Response(listed(StepLogSerializer, version.checks.exclude(log=""), key="steps"))

    @extend_schema(responses={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    @action(detail=True)
    def archive(self, request: Request, **_address: object) -> FileResponse:
        """Return the file of your upload, as it was sent. Only the owner of the bot may have it."""
        version = self.get_object()
        require_owner(request, version.bot)
        if version.is_remote:
            raise NotFound("The version plays from home: there is no file of it.")
        data = bytes(version.archive.data)
        return FileResponse(
            BytesIO(data),
            as_attachment=True,
            filename=version.filename,
            content_type="application/octet-stream",
            headers={"Cache-Control": "private, no-store"},
        )

    @extend_schema(responses=listing(VersionRecordSerializer))
    @action(detail=True)
    def record(self, _request: Request, **_address: object) -> Response:
        """Show the results of a version on each ladder, with its range of ratings."""
        rows = leaderboards.versions_record(version=self.get_object())
        return Response(listed(VersionRecordSerializer, rows))

    @extend_schema(request=None)
    @action(detail=True, methods=["post"])
    def activate(self, _request: Request, **_address: object) -> Response:
        """Let a ready version of your bot play, a newer or an older one.

        It inherits the rating of the bot and continues its own count of games. Rated matches of
        the previous version that have not begun are cancelled.
        """
        return self._changed(activation.activate)

    @extend_schema(request=None)
    @action(detail=True, methods=["post"])
    def retire(self, _request: Request, **_address: object) -> Response:
        """Retire a version. It never plays again, and this cannot be undone.

        If it is the active version, the bot leaves its ladders until you activate another one.
        """
        return self._changed(activation.retire)

    @extend_schema(request=None)
    @action(detail=True, methods=["post"])
    def resume(self, _request: Request, **_address: object) -> Response:
        """Resume a version that was paused for its forfeits. It is matched again at once."""
        return self._changed(crash_streaks.resume)

    def _changed(self, change: Callable[..., object]) -> Response:
        change(version=self.get_object())
        return Response(VersionSerializer(self.get_object()).data)

    @extend_schema(operation_id="trial_list", responses=TrialSerializer(many=True))
    @action(detail=True, serializer_class=TrialSerializer)
    def trials(self, _request: Request, **_address: object) -> Response:
        """List the trials of a version, newest first."""
        return self.page_of(TrialViewSet.queryset.filter(version=self.get_object()))

    @extend_schema(
        operation_id="trial_start",
        request=NewTrialSerializer,
        responses={202: TrialSerializer},
        parameters=[location_header("The trial.")],
    )
    @trials.mapping.post
    def start_trial(self, request: Request, **_address: object) -> Response:
        """Start a trial of a version of your bot against another one. Location is the trial."""
        version = self.get_object()
        body = validated(NewTrialSerializer, request.data)
        ladder = body.get("ladder")
        trial = trials.start(
            version=version,
            against=version_numbered(version.bot, body.get("against"), field="against"),
            ladder=None if ladder is None else addresses.find_ladder(ladder, field="ladder"),
            by=signed_in(request),
            activates=body["activate"],
        )
        return Response(
            TrialSerializer(trial).data,
            status=HTTP_202_ACCEPTED,
            headers=location(request, "api-trial-detail", trial.public_id),
        )


class TrialViewSet(ApiViewSet):
    write_scope = Scope.BOTS_WRITE
    queryset = VersionTrial.objects.select_related("version__bot__owner", "against", "ladder")
    lookup_path = "<slug:trial_id>"
    lookups = {"trial_id": "public_id"}
    serializer_class = TrialSerializer

    def retrieve(self, _request: Request, **_address: object) -> Response:
        """Show the state of a trial."""
        return Response(TrialSerializer(self.get_object()).data)

    @extend_schema(request=None)
    @action(detail=True, methods=["post"])
    def cancel(self, request: Request, **_address: object) -> Response:
        """End a trial of your bot without a result."""
        trial = self.get_object()
        require_owner(request, trial.version.bot)
        trials.cancel(trial=trial)
        return Response(TrialSerializer(trial).data)


def log_context(request: Request, version: Version) -> dict[str, Any]:
    """Return the address of the log for the serializer, if the caller may read the log."""
    if not permissions.may_see_logs(viewer_of(request), version.bot):
        return {"log_url": None}
    address = version.bot.owner.username, version.bot.slug, version.number
    return {"log_url": location(request, "api-version-log", *address)["Location"]}
