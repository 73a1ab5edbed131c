"""Matches and their games."""

from dataclasses import fields
from typing import Any, ClassVar

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from arena.api.base import ApiViewSet, viewer_of
from arena.api.matches.serializers import (
    ExplanationsSerializer,
    GameEvidenceSerializer,
    GameLogSerializer,
    MatchFilterSerializer,
    MatchSerializer,
)
from arena.api.pagination import NewestFirst
from arena.api.refusals import NotYours
from arena.domain.accounts import permissions, staff_log
from arena.domain.matches import filters, replays
from arena.domain.ratings import explanations
from arena.models import (
    Game,
    Match,
    MatchQuerySet,
    RatingEvent,
    Release,
    Scope,
    Viewer,
)
from engine.variant import PUBLIC


def matches_to_show(*, viewer: Viewer) -> MatchQuerySet:
    """Return the matches that the viewer may see, with what is shown of them."""
    rows = Match.objects.visible_to(viewer).for_display().prefetch_related("rating_events")
    return rows.select_related("rerun_of", "requested_by", "annulment")


class MatchViewSet(ApiViewSet):
    lookup_path = "<slug:match_id>"
    lookups = {"match_id": "public_id"}
    pagination_class = NewestFirst
    serializer_class = MatchSerializer

    def get_queryset(self) -> MatchQuerySet:
        return matches_to_show(viewer=self.viewer)

    @extend_schema(parameters=[MatchFilterSerializer])
    def list(self, request: Request) -> Response:
        """List matches, newest first; all filters that are given have to hold."""
        return self.page_of(filters.apply(self.get_queryset(), filters.read(request.query_params)))

    def retrieve(self, _request: Request, **_address: object) -> Response:
        """Show a match with its entrants and games."""
        match = self.get_object()
        return _fresh(match, Response(MatchSerializer(match).data))

    @extend_schema(responses=ExplanationsSerializer)
    @action(detail=True)
    def explanations(self, _request: Request, **_address: object) -> Response:
        """Show for each entrant why the match was worth what it was, with all that went in."""
        events = (
            self.get_object().rating_events.select_related("version__bot__owner").order_by("pk")
        )
        rows = [
            {"bot": event.version.bot, "version": event.version.number, **_told(event)}
            for event in events
        ]
        return Response(ExplanationsSerializer({"results": rows}).data)


class GameViewSet(ApiViewSet):
    scopes: ClassVar = {"log": Scope.READ, "evidence": Scope.READ}
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
                description="Whose eyes: a seat of the variant, `public` or `full`.",
            )
        ],
        responses=OpenApiTypes.OBJECT,
    )
    @action(detail=True)
    def replay(self, request: Request, **_address: object) -> Response:
        """Show a finished game as one observer may know it, step by step."""
        game = self.get_object()
        view = request.query_params.get("view", PUBLIC)
        return _fresh(game.match, Response(replays.replay(game=game, view=view)))

    @extend_schema(responses=OpenApiTypes.OBJECT)
    @action(detail=True)
    def record(self, _request: Request, **_address: object) -> Response:
        """Return the record of a finished game: enough to play it again and verify it."""
        game = self.get_object()
        return _fresh(game.match, Response(replays.record(game=game)))

    @extend_schema(responses=GameLogSerializer)
    @action(detail=True)
    def log(self, request: Request, **_address: object) -> Response:
        """Show what your own bot wrote to its standard error in a game, in each of its seats."""
        game = self.get_object()
        logs = game.logs.filter(position__in=_own_positions(request, game, "log"))
        return Response(GameLogSerializer({"logs": logs.order_by("position", "pk")}).data)

    @extend_schema(responses=GameEvidenceSerializer)
    @action(detail=True)
    def evidence(self, request: Request, **_address: object) -> Response:
        """Show what your own bot was asked and gave back when it forfeited a game."""
        game = self.get_object()
        rows = game.evidence.filter(position__in=_own_positions(request, game, "evidence"))
        return Response(GameEvidenceSerializer({"evidence": rows.order_by("position", "pk")}).data)


def _own_positions(request: Request, game: Game, what: str) -> set[int]:
    """Return the positions of which the caller may read what is the owner's. Raise NotYours."""
    mine = {
        entrant.position: entrant.version.bot
        for entrant in game.match.entrants.select_related("version__bot__owner")
        if permissions.may_see_logs(viewer_of(request), entrant.version.bot)
    }
    if not mine:
        raise NotYours("This is for the owners of the bots that played the game.")
    staff_log.note_look(
        by=request.user,
        bots=mine.values(),
        what=f"{what} of {game}",
        url=game.get_absolute_url(),
    )
    return set(mine)


def _fresh(match: Match, response: Response) -> Response:
    """See that nobody on the way keeps what not everybody may see."""
    if match.release != Release.PUBLIC:
        response["Cache-Control"] = "private, no-store"
    return response


def _told(event: RatingEvent) -> dict[str, Any]:
    why = explanations.explain(event=event)
    return {field.name: getattr(why, field.name) for field in fields(why)}
