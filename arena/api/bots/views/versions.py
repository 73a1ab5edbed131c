"""What an owner does with a version that has passed its checks, and what it has done."""

from collections.abc import Callable
from typing import ClassVar

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from arena.api.base import ApiView, require_owner
from arena.api.bots.serializers.bots import VersionSerializer
from arena.api.bots.serializers.trials import VersionRecordsSerializer
from arena.api.bots.views.bots import versions_to_show
from arena.domain.bots import activation, crash_streaks
from arena.domain.ladders import leaderboards
from arena.models import Scope, Version


def find(owner: str, slug: str, number: int) -> Version:
    """Return a version with what is shown of it. Raise Http404."""
    rows = versions_to_show().select_related("bot__active_version")
    return get_object_or_404(rows, bot__owner__username=owner, bot__slug=slug, number=number)


def find_own(request: Request, owner: str, slug: str, number: int) -> Version:
    """Return a version of the caller's. Raise Http404 or NotYours."""
    version = find(owner, slug, number)
    require_owner(request, version.bot)
    return version


class _OwnersVersionView(ApiView):
    scopes: ClassVar = {"POST": Scope.BOTS_WRITE}

    def changed(
        self, request: Request, address: tuple[str, str, int], change: Callable[..., object]
    ) -> Response:
        change(version=find_own(request, *address))
        return Response(VersionSerializer(find(*address)).data)


class VersionActivateView(_OwnersVersionView):
    @extend_schema(operation_id="version_activate", request=None, responses=VersionSerializer)
    def post(self, request: Request, owner: str, slug: str, number: int) -> Response:
        """Let a ready version of your bot play, a newer or an older one.

        It takes the bot's number over and has its own count of games back. Rated matches of the
        version before that have not begun are cancelled.
        """
        return self.changed(request, (owner, slug, number), activation.activate)


class VersionRetireView(_OwnersVersionView):
    @extend_schema(operation_id="version_retire", request=None, responses=VersionSerializer)
    def post(self, request: Request, owner: str, slug: str, number: int) -> Response:
        """Retire a version for good: it never plays again.

        Where it is the one that plays, the bot leaves its ladders until you activate another.
        """
        return self.changed(request, (owner, slug, number), activation.retire)


class VersionResumeView(_OwnersVersionView):
    @extend_schema(operation_id="version_resume", request=None, responses=VersionSerializer)
    def post(self, request: Request, owner: str, slug: str, number: int) -> Response:
        """Let a version that was paused for its forfeits be matched again at once."""
        return self.changed(request, (owner, slug, number), crash_streaks.resume)


class VersionRecordView(ApiView):
    @extend_schema(operation_id="version_record", responses=VersionRecordsSerializer)
    def get(self, request: Request, owner: str, slug: str, number: int) -> Response:  # noqa: ARG002 - as routed
        """Show what a version has done on each ladder, and between which numbers."""
        rows = leaderboards.versions_record(version=find(owner, slug, number))
        return Response(VersionRecordsSerializer({"results": rows}).data)
