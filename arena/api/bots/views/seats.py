"""Seats of programs at home: a user's own program plays against a bot, over the network."""

from typing import ClassVar

from django.conf import settings
from django.db.models import Q, QuerySet
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.status import HTTP_204_NO_CONTENT

from arena.api.base import ApiViewSet, location_header, require_owner, signed_in, validated
from arena.api.bots.serializers import (
    NewSeatSerializer,
    SeatAnswerSerializer,
    SeatListSerializer,
    SeatStreamSerializer,
)
from arena.api.matches.serializers import MatchSerializer
from arena.api.matches.views import accepted
from arena.domain import addresses
from arena.domain.bots import person_games, remote_bots
from arena.event_streams import EventStream
from arena.models import Bot, Match, PersonSeat, Scope


class SeatStream(EventStream):
    """What the program in a seat is asked."""

    def __init__(self, *, seat: PersonSeat, after: str) -> None:
        self.seat = seat.pk
        super().__init__(topic=f"seat:{self.seat}", after=after)


class BotStream(EventStream):
    """The matches that the program of a remote bot has to play; it takes so many `games`."""

    def __init__(self, *, bot: Bot, games: int, after: str) -> None:
        self.bot, self.games = bot.pk, games
        super().__init__(topic=f"bot:{bot.pk}:{games}", after=after)


class SeatViewSet(ApiViewSet):
    write_scope = Scope.SEATS_WRITE
    scopes: ClassVar = dict.fromkeys(("list", "messages", "stream"), Scope.SEATS_WRITE)
    lookup_path = "<slug:match_id>"
    lookups = {"match_id": "match__public_id"}

    def get_queryset(self) -> QuerySet[PersonSeat]:
        user = signed_in(self.request)
        mine = Q(bot__owner=user) | Q(bot=None, match__requested_by=user)
        return PersonSeat.objects.filter(mine, is_remote=True).select_related("match")

    @extend_schema(operation_id="seat_list", responses=SeatListSerializer)
    def list(self, _request: Request) -> Response:
        """List the games of your programs at home that are not over."""
        seats = self.get_queryset().filter(match__status__in=Match.OPEN)
        rows = seats.select_related("match__ladder", "bot__owner").order_by("-pk")
        found = {"limit": settings.PERSON_GAMES_PER_ADDRESS, "results": rows}
        return Response(SeatListSerializer(found).data)

    @extend_schema(
        request=NewSeatSerializer,
        responses={202: MatchSerializer},
        parameters=[location_header("The match.")],
    )
    def create(self, request: Request) -> Response:
        """Ask for a game of a program of yours, at home, against a bot. It is unrated."""
        body = validated(NewSeatSerializer, request.data)
        user = signed_in(request)
        seat = person_games.ask(
            by=user,
            address=f"user {user.pk}",  # from wherever it comes
            bot=addresses.find_bot(body["bot"], field="bot"),
            ladder=addresses.find_ladder(body["ladder"], field="ladder"),
            side=body["side"],
            is_remote=True,
        )
        return accepted(request, seat.match)

    @extend_schema(operation_id="seat_cancel", responses={204: None})
    def destroy(self, _request: Request, **_address: object) -> Response:
        """Cancel a game that you asked for, even while it is played. It has no result then."""
        person_games.cancel(seat=self.get_object())
        return Response(status=HTTP_204_NO_CONTENT)

    @extend_schema(
        operation_id="seat_stream",
        parameters=[SeatStreamSerializer],
        responses={
            (200, "text/event-stream"): OpenApiResponse(
                OpenApiTypes.STR,
                description="Events `matches`: a list with the ids of the matches in which your "
                "program has a seat now.",
            )
        },
    )
    @action(detail=False)
    def stream(self, request: Request) -> HttpResponseBase:
        """Stream which matches your remote bot plays. It is online while this is read."""
        query = validated(SeatStreamSerializer, request.query_params)
        bot = addresses.find_bot(query["bot"], field="bot")
        require_owner(request, bot)
        remote_bots.require_remote(bot=bot)
        after = request.headers.get("Last-Event-ID", "")
        return BotStream(bot=bot, games=query["games"], after=after)

    @extend_schema(
        operation_id="seat_messages",
        responses={
            (200, "text/event-stream"): OpenApiResponse(
                OpenApiTypes.STR,
                description="Events `message`: a JSON object with the `number` of the question, "
                "`answer_by`, and the lines of the protocol, `start` and `message`. "
                "An event `over` ends the stream.",
            )
        },
    )
    @action(detail=True)
    def messages(self, request: Request, **_address: object) -> HttpResponseBase:
        """Stream what your program is asked: the present question, and then each new one."""
        return SeatStream(seat=self.get_object(), after=request.headers.get("Last-Event-ID", ""))

    @extend_schema(operation_id="seat_answer", request=SeatAnswerSerializer, responses={204: None})
    @action(detail=True, methods=["post"])
    def answers(self, request: Request, **_address: object) -> Response:
        """Answer the present question. An action that the rules refuse is refused here too."""
        body = validated(SeatAnswerSerializer, request.data)
        person_games.answer(seat=self.get_object(), number=body["number"], text=body["action"])
        return Response(status=HTTP_204_NO_CONTENT)
