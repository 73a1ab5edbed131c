"""Tournaments: list, create, change, preview and export."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.exceptions import NotAuthenticated, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.status import HTTP_201_CREATED, HTTP_204_NO_CONTENT

from arena.api.base import location, location_header, signed_in, validated
from arena.api.fields import listed, listing
from arena.api.preconditions import ETAG, IF_MATCH_TO_DO
from arena.api.tournaments.serializers.rounds import ExportSerializer
from arena.api.tournaments.serializers.tournaments import (
    EstimateQuerySerializer,
    EstimateSerializer,
    PreviewSerializer,
    PreviewValuesSerializer,
    TemplateSerializer,
    TournamentFilterSerializer,
    TournamentSerializer,
    TournamentValuesSerializer,
)
from arena.api.tournaments.views.base import revision_seen
from arena.api.tournaments.views.entrants import EntrantActions
from arena.api.tournaments.views.interventions import InterventionActions
from arena.api.tournaments.views.rounds import ResultActions
from arena.api.tournaments.views.stages import StageActions
from arena.domain.formats.types import Unplayable
from arena.domain.tournaments import exports, listings, log
from arena.domain.tournaments.listings import Wanted
from arena.domain.tournaments.rehearsal import rehearsals
from arena.domain.tournaments.setup import drafts, durations


class TournamentViewSet(StageActions, EntrantActions, ResultActions, InterventionActions):
    scopes = {**StageActions.scopes, **EntrantActions.scopes}

    @extend_schema(parameters=[TournamentFilterSerializer])
    def list(self, request: Request) -> Response:
        """List tournaments, newest first. Several filters are combined with AND."""
        wanted = Wanted(**validated(TournamentFilterSerializer, request.query_params))
        if wanted.mine and not request.user.is_authenticated:
            raise NotAuthenticated
        return self.page_of(listings.tournaments(viewer=self.viewer, wanted=wanted))

    @extend_schema(
        request=TournamentValuesSerializer,
        responses={201: TournamentSerializer},
        parameters=[location_header("Where it can be read."), ETAG],
    )
    def create(self, request: Request) -> Response:
        """Create a draft with you as its organizer. Location is the tournament."""
        body = validated(TournamentValuesSerializer, request.data)
        tournament = drafts.create(by=signed_in(request), values=body)
        headers = location(request, "api-tournament-detail", tournament.slug)
        return self.respond(tournament, status=HTTP_201_CREATED, headers=headers)

    @extend_schema(parameters=[ETAG])
    def retrieve(self, _request: Request, **_address: object) -> Response:
        """Show the terms and the status of a tournament."""
        return self.respond(self.get_object())

    @extend_schema(request=TournamentValuesSerializer, parameters=[IF_MATCH_TO_DO, ETAG])
    def partial_update(self, request: Request, **_address: object) -> Response:
        """Change a tournament; for organizers.

        Before the freeze nearly everything can change, after it the texts, the release and the
        start.
        """
        tournament = self.get_object()
        revision = revision_seen(request, tournament, needed=True)
        body = validated(TournamentValuesSerializer, request.data, partial=True)
        drafts.edit(tournament=tournament, by=signed_in(request), values=body, revision=revision)
        return self.respond(tournament)

    @extend_schema(operation_id="tournament_discard", request=None, responses={204: None})
    def destroy(self, request: Request, **_address: object) -> Response:
        """Delete a finished rehearsal with all its matches; for organizers."""
        rehearsals.discard(rehearsal=self.get_object(), by=signed_in(request))
        return Response(status=HTTP_204_NO_CONTENT)

    @extend_schema(responses=listing(TemplateSerializer))
    def templates(self, _request: Request) -> Response:
        """List the templates for tournaments."""
        return Response(listed(TemplateSerializer, drafts.TEMPLATES))

    @extend_schema(request=PreviewValuesSerializer, responses=PreviewSerializer)
    def preview(self, request: Request) -> Response:
        """Show what a tournament with these values would be. Nothing is saved."""
        values = dict(validated(PreviewValuesSerializer, request.data))
        entrants = values.pop("entrants", None)
        return Response(PreviewSerializer(drafts.preview(values=values, entrants=entrants)).data)

    @extend_schema(parameters=[EstimateQuerySerializer], responses=EstimateSerializer)
    @action(detail=True)
    def estimate(self, request: Request, **_address: object) -> Response:
        """Estimate how long the tournament takes, from the duration of recent matches."""
        tournament = self.get_object()
        entrants = validated(EstimateQuerySerializer, request.query_params).get("entrants")
        try:
            estimate = durations.estimate(tournament=tournament, entrants=entrants)
        except Unplayable as unplayable:
            text = log.why_not(exc=unplayable)
            raise ValidationError({"entrants": [text]}, code=unplayable.code) from unplayable
        return Response(EstimateSerializer(estimate).data)

    @extend_schema(parameters=[ExportSerializer], responses=OpenApiTypes.OBJECT)
    @action(detail=True)
    def export(self, request: Request, **_address: object) -> Response:
        """Export everything that you may see as one document, or one table of it."""
        table = validated(ExportSerializer, request.query_params).get("table")
        if table is None:
            return Response(self.document())
        tournament = self.get_object()
        csv = exports.table(tournament=tournament, rounds=self.rounds_seen(tournament), what=table)
        return Response({"table": table, "csv": csv})
