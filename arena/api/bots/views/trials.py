"""Trials of versions."""

from typing import ClassVar

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.status import HTTP_202_ACCEPTED

from arena.api.base import ApiView, require_owner, signed_in
from arena.api.bots.serializers.trials import NewTrialSerializer, TrialSerializer
from arena.api.bots.views.versions import find, find_own
from arena.api.pagination import NewestFirst
from arena.domain.bots import trials
from arena.models import Ladder, Scope, Version, VersionTrial

LOCATION = OpenApiParameter(
    "Location", str, OpenApiParameter.HEADER, response=True, description="Where it is followed."
)


def trials_to_show() -> QuerySet[VersionTrial]:
    """Return trials with what is shown of them."""
    return VersionTrial.objects.select_related("version__bot__owner", "against", "ladder")


class TrialsView(ApiView):
    scopes: ClassVar = {"POST": Scope.BOTS_WRITE}
    pagination_class = NewestFirst
    serializer_class = TrialSerializer

    @extend_schema(operation_id="trial_list", responses=TrialSerializer(many=True))
    def get(self, request: Request, owner: str, slug: str, number: int) -> Response:  # noqa: ARG002 - as routed
        """List the trials of a version, newest first."""
        rows = trials_to_show().filter(version=find(owner, slug, number))
        return self.page_of(rows, TrialSerializer)

    @extend_schema(
        operation_id="trial_start",
        request=NewTrialSerializer,
        responses={202: TrialSerializer},
        parameters=[LOCATION],
    )
    def post(self, request: Request, owner: str, slug: str, number: int) -> Response:
        """Ask whether a version of your bot is better than another; Location is the trial."""
        version = find_own(request, owner, slug, number)
        form = NewTrialSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        wanted = form.validated_data
        trial = trials.start(
            version=version,
            against=_against(version, wanted.get("against")),
            ladder=_ladder(wanted.get("ladder")),
            by=signed_in(request),
            activates=wanted["activate"],
        )
        where = reverse("api-trial", args=[trial.public_id])
        return Response(
            TrialSerializer(trial).data,
            status=HTTP_202_ACCEPTED,
            headers={"Location": request.build_absolute_uri(where)},
        )


class TrialView(ApiView):
    @extend_schema(operation_id="trial_get", responses=TrialSerializer)
    def get(self, request: Request, trial_id: str) -> Response:  # noqa: ARG002 - as routed
        """Show where a trial stands."""
        trial = get_object_or_404(trials_to_show(), public_id=trial_id)
        return Response(TrialSerializer(trial).data)


class TrialCancelView(ApiView):
    scopes: ClassVar = {"POST": Scope.BOTS_WRITE}

    @extend_schema(operation_id="trial_cancel", request=None, responses=TrialSerializer)
    def post(self, request: Request, trial_id: str) -> Response:
        """End a trial of your bot without a verdict."""
        trial = get_object_or_404(trials_to_show(), public_id=trial_id)
        require_owner(request, trial.version.bot)
        trials.cancel(trial=trial)
        return Response(TrialSerializer(trial).data)


def _against(version: Version, number: int | None) -> Version | None:
    if number is None:
        return None
    found = version.bot.versions.filter(number=number).first()
    if found is None:
        raise ValidationError({"against": [f"There is no version {number}."]}, code="not_found")
    return found


def _ladder(slug: str | None) -> Ladder | None:
    if slug is None:
        return None
    found = Ladder.objects.filter(slug=slug).first()
    if found is None:
        raise ValidationError({"ladder": [f"There is no ladder {slug}."]}, code="not_found")
    return found
