"""Matches and their games."""

from dataclasses import fields
from typing import Any, ClassVar

from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from arena.api.base import ApiView, viewer_of
from arena.api.matches.serializers.explanations import ExplanationsSerializer
from arena.api.matches.serializers.matches import (
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
from arena.models import Game, Match, MatchQuerySet, RatingEvent, Release, Scope, Viewer
from engine.variant import PUBLIC


def matches_to_show(*, viewer: Viewer) -> MatchQuerySet:
    """Return the matches that the viewer may see, with what is shown of them."""
    rows = Match.objects.visible_to(viewer).for_display().prefetch_related("rating_events")
    return rows.select_related("rerun_of", "requested_by", "annulment")


class MatchesView(ApiView):
    pagination_class = NewestFirst
    serializer_class = MatchSerializer

    @extend_schema(
        operation_id="match_list",
        parameters=[MatchFilterSerializer],
        responses=MatchSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        """List matches, newest first; all filters that are given have to hold."""
        wanted = filters.read(request.query_params)
        rows = matches_to_show(viewer=viewer_of(request))
        return self.page_of(filters.apply(rows, wanted), MatchSerializer)


class MatchView(ApiView):
    @extend_schema(operation_id="match_get", responses=MatchSerializer)
    def get(self, request: Request, match_id: str) -> Response:
        """Show a match with its entrants and games."""
        rows = matches_to_show(viewer=viewer_of(request))
        match = get_object_or_404(rows, public_id=match_id)
        return _fresh(match, Response(MatchSerializer(match).data))


class MatchExplanationsView(ApiView):
    @extend_schema(operation_id="match_explanations", responses=ExplanationsSerializer)
    def get(self, request: Request, match_id: str) -> Response:
        """Show for each entrant why the match was worth what it was, with all that went in."""
        seen = Match.objects.visible_to(viewer_of(request))
        match = get_object_or_404(seen, public_id=match_id)
        events = match.rating_events.select_related("version__bot__owner").order_by("pk")
        rows = [
            {"bot": event.version.bot, "version": event.version.number, **_told(event)}
            for event in events
        ]
        return Response(ExplanationsSerializer({"results": rows}).data)


class GameReplayView(ApiView):
    @extend_schema(
        operation_id="game_replay",
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
    def get(self, request: Request, match_id: str, number: int) -> Response:
        """Show a finished game as one observer may know it, step by step."""
        game = _game(request, match_id, number)
        view = request.query_params.get("view", PUBLIC)
        return _fresh(game.match, Response(replays.replay(game=game, view=view)))


class GameRecordView(ApiView):
    @extend_schema(operation_id="game_record", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, match_id: str, number: int) -> Response:
        """Return the record of a finished game: enough to play it again and verify it."""
        game = _game(request, match_id, number)
        return _fresh(game.match, Response(replays.record(game=game)))


class GameLogView(ApiView):
    scopes: ClassVar = {"GET": Scope.READ}

    @extend_schema(operation_id="game_log", responses=GameLogSerializer)
    def get(self, request: Request, match_id: str, number: int) -> Response:
        """Show what your own bot wrote to its standard error in a game, in each of its seats."""
        game = _game(request, match_id, number)
        logs = game.logs.filter(position__in=_own_positions(request, game, "log"))
        return Response(GameLogSerializer({"logs": logs.order_by("position", "pk")}).data)


class GameEvidenceView(ApiView):
    scopes: ClassVar = {"GET": Scope.READ}

    @extend_schema(operation_id="game_evidence", responses=GameEvidenceSerializer)
    def get(self, request: Request, match_id: str, number: int) -> Response:
        """Show what your own bot was asked and gave back when it forfeited a game."""
        game = _game(request, match_id, number)
        rows = game.evidence.filter(position__in=_own_positions(request, game, "evidence"))
        evidence = rows.order_by("position", "pk")
        return Response(GameEvidenceSerializer({"evidence": evidence}).data)


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


def _game(request: Request, match_id: str, number: int) -> Game:
    rows = Game.objects.visible_to(viewer_of(request)).select_related("match__ladder")
    return get_object_or_404(rows, match__public_id=match_id, number=number)
