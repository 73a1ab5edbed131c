"""Matches and their games."""

from typing import ClassVar

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.status import HTTP_202_ACCEPTED

from arena.api.base import ApiViewSet, location, signed_in, viewer_of
from arena.api.fields import listed, listing
from arena.api.matches.serializers import (
    MatchFilterSerializer,
    MatchSerializer,
    RecordKeySerializer,
    SeatEvidenceSerializer,
    SeatLogSerializer,
    SeatRemarksSerializer,
    StorySerializer,
)
from arena.api.pagination import AsOrdered
from arena.api.refusals import NotYours
from arena.domain.accounts import permissions, staff_log
from arena.domain.matches import filters, record_keys, remarks, replays, unannounced
from arena.models import Game, Match, MatchQuerySet, Release, Scope
from engine.variant import PUBLIC


def with_details(matches: MatchQuerySet) -> MatchQuerySet:
    """Load the related rows that the serializer of matches needs."""
    rows = matches.for_display().prefetch_related("rating_events")
    return rows.select_related("rerun_of", "requested_by", "annulment")


def accepted(request: Request, match: Match) -> Response:
    """Return the answer to who has asked for a match: 202, and where it is."""
    row = with_details(Match.objects.visible_to(signed_in(request))).get(pk=match.pk)
    return Response(
        MatchSerializer(row).data,
        status=HTTP_202_ACCEPTED,
        headers=location(request, "api-match-detail", row.public_id),
    )


class MatchViewSet(ApiViewSet):
    lookup_path = "<slug:match_id>"
    lookups = {"match_id": "public_id"}
    pagination_class = AsOrdered
    serializer_class = MatchSerializer

    def get_queryset(self) -> MatchQuerySet:
        return with_details(Match.objects.visible_to(self.viewer))

    @extend_schema(parameters=[MatchFilterSerializer])
    def list(self, request: Request) -> Response:
        """List matches, newest first. Several filters are combined with AND."""
        wanted = filters.read(request.query_params)
        return self.page_of(filters.apply(self.get_queryset(), wanted))

    def retrieve(self, _request: Request, **_address: object) -> Response:
        """Show a match with its entrants and games; of an unannounced match, neither."""
        unnamed = unannounced.find(public_id=self.kwargs["match_id"], viewer=self.viewer)
        match = unnamed or self.get_object()
        return _fresh(match, Response(MatchSerializer(match).data))


class GameViewSet(ApiViewSet):
    scopes: ClassVar = {"log": Scope.READ, "remarks": Scope.READ, "evidence": Scope.READ}
    lookup_path = "<slug:match_id>/<int:number>"
    lookups = {"match_id": "match__public_id", "number": "number"}

    def get_queryset(self) -> QuerySet[Game]:
        return Game.objects.visible_to(self.viewer).select_related("match__ladder")

    @extend_schema(
        parameters=[
            OpenApiParameter(
                "view",
                str,
                default=PUBLIC,
                description="The observer: a seat of the variant, `public` or `full`.",
            )
        ],
        responses=OpenApiTypes.OBJECT,
    )
    @action(detail=True)
    def replay(self, request: Request, **_address: object) -> Response:
        """Show a game of a match that is over step by step, as one observer may see it."""
        game = self.get_object()
        view = request.query_params.get("view", PUBLIC)
        return _fresh(game.match, Response(replays.replay(game=game, view=view)))

    @extend_schema(responses=StorySerializer)
    @action(detail=True)
    def story(self, _request: Request, **_address: object) -> Response:
        """Return what each seat of a game did not know, lost and used after each ply."""
        game = self.get_object()
        story = replays.story(game=game)
        return _fresh(game.match, Response(StorySerializer(story).data))

    @extend_schema(responses=OpenApiTypes.OBJECT)
    @action(detail=True)
    def record(self, _request: Request, **_address: object) -> Response:
        """Return the record of a game, enough to replay and verify it, once its match is over."""
        game = self.get_object()
        return _fresh(game.match, Response(replays.record(game=game)))

    @extend_schema(responses=listing(SeatLogSerializer, "GameLog", key="logs"))
    @action(detail=True)
    def log(self, request: Request, **_address: object) -> Response:
        """Show the standard error of your own bot in a game, for each of its seats."""
        game = self.get_object()
        logs = game.logs.filter(position__in=_own_positions(request, game, "log"))
        rows = logs.defer("remarks").order_by("position", "pk")
        return Response(listed(SeatLogSerializer, rows, key="logs"))

    @extend_schema(responses=listing(SeatRemarksSerializer, "GameRemarks", key="seats"))
    @action(detail=True)
    def remarks(self, request: Request, **_address: object) -> Response:
        """Show the notes and beliefs of your own bot in a game, for each of its seats."""
        game = self.get_object()
        logs = game.logs.filter(position__in=_own_positions(request, game, "remarks"))
        return Response({"seats": remarks.documents(logs=logs.order_by("position", "pk"))})

    @extend_schema(responses=listing(SeatEvidenceSerializer, "GameEvidence", key="evidence"))
    @action(detail=True)
    def evidence(self, request: Request, **_address: object) -> Response:
        """Show the last request and response of your own bot in a game that it forfeited.

        Empty if none of your bots forfeited.
        """
        game = self.get_object()
        rows = game.evidence.filter(position__in=_own_positions(request, game, "evidence"))
        ordered = rows.order_by("position", "pk")
        return Response(listed(SeatEvidenceSerializer, ordered, key="evidence"))


class RecordKeyViewSet(ApiViewSet):
    @extend_schema(operation_id="record_key_list", responses=listing(RecordKeySerializer))
    def list(self, _request: Request) -> Response:
        """List the public keys with which this site has signed records, oldest first."""
        return Response(listed(RecordKeySerializer, record_keys.published()))


def _own_positions(request: Request, game: Game, what: str) -> set[int]:
    """Return the positions whose owner's data the caller may read. Raise NotYours or Refused."""
    mine = {
        entrant.position: entrant.version.bot
        for entrant in game.match.entrants.select_related("version__bot__owner")
        if permissions.may_see_logs(viewer_of(request), entrant.version.bot)
    }
    if not mine:
        raise NotYours("Only owners of bots that played the game may read this.")
    replays.check_disclosed(game=game)
    staff_log.note_look(
        by=request.user, bots=mine.values(), what=f"{what} of {game}", url=game.get_absolute_url()
    )
    return set(mine)


def _fresh(match: Match, response: Response) -> Response:
    """Forbid caches to keep an answer that is not public."""
    if match.release != Release.PUBLIC:
        response["Cache-Control"] = "private, no-store"
    return response
