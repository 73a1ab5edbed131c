"""Tournaments: listed, made, changed, looked at before and after."""

from typing import Any, ClassVar

from django.http import Http404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import NotAuthenticated, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.status import HTTP_201_CREATED, HTTP_204_NO_CONTENT

from arena.api import dry_run
from arena.api.base import ApiView, signed_in, viewer_of
from arena.api.dry_run import DryRuns
from arena.api.pagination import NewestFirst
from arena.api.preconditions import ETAG, IF_MATCH, require_match, tagged
from arena.api.tournaments.serializers.rounds import ExportSerializer
from arena.api.tournaments.serializers.tournaments import (
    EstimateQuerySerializer,
    EstimateSerializer,
    PreviewSerializer,
    PreviewValuesSerializer,
    TemplatesSerializer,
    TournamentFilterSerializer,
    TournamentSerializer,
    TournamentValuesSerializer,
)
from arena.domain.accounts import permissions
from arena.domain.formats.types import Unplayable
from arena.domain.tournaments import exports, listings, log, visibility
from arena.domain.tournaments.listings import Wanted
from arena.domain.tournaments.rehearsal import rehearsals
from arena.domain.tournaments.setup import drafts, durations
from arena.models import Scope, Tournament, Viewer

WRITE = Scope.TOURNAMENTS_WRITE
LOCATION = OpenApiParameter(
    "Location", str, OpenApiParameter.HEADER, response=True, description="Where it can be read."
)


def find(slug: str, viewer: Viewer) -> Tournament:
    """Return a tournament that the viewer may know of. Raise Http404."""
    found = listings.tournaments(viewer=viewer).filter(slug=slug).first()
    if found is None:
        raise Http404
    return found


def shown(tournament: Tournament, viewer: Viewer, **answer: Any) -> Response:  # noqa: ANN401 - of a response
    """Answer with a tournament as it is now, and for its organizers with its tag."""
    fresh = listings.tournaments(viewer=viewer).get(pk=tournament.pk)
    response = Response(TournamentSerializer(fresh, context={"viewer": viewer}).data, **answer)
    if permissions.may_organize(viewer, fresh):
        return tagged(fresh, response)
    return response


def revision_seen(request: Request, tournament: Tournament, *, needed: bool = False) -> int | None:
    """Return the revision that an organizer says to have looked at; None where any will do.

    Others, who are not told of it, learn nothing of it here: the domain refuses them. What is taken
    back needs none.
    """
    if not permissions.may_organize(signed_in(request), tournament):
        return None
    is_dry_run = dry_run.asked(request, DryRuns.TAKEN_BACK)
    return require_match(request, tournament, needed=needed and not is_dry_run)


class TournamentsView(ApiView):
    scopes: ClassVar = {"POST": WRITE}
    dry_runs: ClassVar = DryRuns.TAKEN_BACK
    pagination_class = NewestFirst
    serializer_class = TournamentSerializer

    @extend_schema(
        operation_id="tournament_list",
        parameters=[TournamentFilterSerializer],
        responses=TournamentSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        """List tournaments, newest first; all filters that are given have to hold."""
        form = TournamentFilterSerializer(data=request.query_params)
        form.is_valid(raise_exception=True)
        wanted = Wanted(**form.validated_data)
        if wanted.mine and not request.user.is_authenticated:
            raise NotAuthenticated
        rows = listings.tournaments(viewer=viewer_of(request), wanted=wanted)
        page: Any = self.paginate_queryset(rows)
        context = {"viewer": viewer_of(request)}
        told = TournamentSerializer(page, many=True, context=context)
        return self.get_paginated_response(told.data)

    @extend_schema(
        operation_id="tournament_create",
        request=TournamentValuesSerializer,
        responses={201: TournamentSerializer},
        parameters=[LOCATION, ETAG],
    )
    def post(self, request: Request) -> Response:
        """Make a draft, with you as its organizer; Location is the tournament."""
        form = TournamentValuesSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        made = drafts.create(by=signed_in(request), values=form.validated_data)
        where = request.build_absolute_uri(reverse("api-tournament", args=[made.slug]))
        headers = {"Location": where}
        return shown(made, signed_in(request), status=HTTP_201_CREATED, headers=headers)


class TournamentView(ApiView):
    scopes: ClassVar = {"PATCH": WRITE, "DELETE": WRITE}
    dry_runs: ClassVar = DryRuns.TAKEN_BACK

    @extend_schema(operation_id="tournament_get", responses=TournamentSerializer, parameters=[ETAG])
    def get(self, request: Request, slug: str) -> Response:
        """Show a tournament: what was agreed, and where it stands."""
        viewer = viewer_of(request)
        return shown(find(slug, viewer), viewer)

    @extend_schema(
        operation_id="tournament_change",
        request=TournamentValuesSerializer,
        responses=TournamentSerializer,
        parameters=[IF_MATCH, ETAG],
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Change what may be changed where the tournament stands; only organizers may.

        Before the freeze that is nearly everything, after it the texts, the release and the start.
        """
        found = find(slug, signed_in(request))
        revision = revision_seen(request, found, needed=True)
        form = TournamentValuesSerializer(data=request.data, partial=True)
        form.is_valid(raise_exception=True)
        drafts.edit(
            tournament=found, by=signed_in(request), values=form.validated_data, revision=revision
        )
        return shown(found, signed_in(request))

    @extend_schema(operation_id="tournament_discard", request=None, responses={204: None})
    def delete(self, request: Request, slug: str) -> Response:
        """Delete a rehearsal that is over, with all that was played in it; only organizers may."""
        found = find(slug, signed_in(request))
        rehearsals.discard(rehearsal=found, by=signed_in(request))
        return Response(status=HTTP_204_NO_CONTENT)


class TournamentTemplatesView(ApiView):
    @extend_schema(operation_id="tournament_templates", responses=TemplatesSerializer)
    def get(self, request: Request) -> Response:  # noqa: ARG002 - the same for everybody
        """List what a tournament may begin with."""
        return Response(TemplatesSerializer({"results": drafts.TEMPLATES}).data)


class TournamentPreviewView(ApiView):
    scopes: ClassVar = {"POST": WRITE}
    dry_runs: ClassVar = DryRuns.TAKEN_BACK

    @extend_schema(
        operation_id="tournament_preview",
        request=PreviewValuesSerializer,
        responses=PreviewSerializer,
    )
    def post(self, request: Request) -> Response:
        """Show what a tournament would be, before there is any of it; nothing is kept."""
        form = PreviewValuesSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        values = dict(form.validated_data)
        entrants = values.pop("entrants", None)
        return Response(PreviewSerializer(drafts.preview(values=values, entrants=entrants)).data)


class TournamentEstimateView(ApiView):
    @extend_schema(
        operation_id="tournament_estimate",
        parameters=[EstimateQuerySerializer],
        responses=EstimateSerializer,
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return how long it should take, from how long matches took lately."""
        found = find(slug, viewer_of(request))
        form = EstimateQuerySerializer(data=request.query_params)
        form.is_valid(raise_exception=True)
        entrants = form.validated_data.get("entrants")
        try:
            estimate = durations.estimate(tournament=found, entrants=entrants)
        except Unplayable as unplayable:
            said = log.why_not(exc=unplayable)
            raise ValidationError({"entrants": [said]}, code=unplayable.code) from unplayable
        return Response(EstimateSerializer(estimate).data)


class TournamentExportView(ApiView):
    @extend_schema(
        operation_id="tournament_export",
        parameters=[ExportSerializer],
        responses=OpenApiTypes.OBJECT,
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return all that you may see of it as one document, or one table of it."""
        form = ExportSerializer(data=request.query_params)
        form.is_valid(raise_exception=True)
        viewer = viewer_of(request)
        found = find(slug, viewer)
        rounds = visibility.rounds_seen(tournament=found, viewer=viewer)
        table = form.validated_data.get("table")
        if table is None:
            return Response(exports.document(tournament=found, rounds=rounds))
        csv = exports.table(tournament=found, rounds=rounds, what=table)
        return Response({"table": table, "csv": csv})
