"""Challenges: unrated matches that a user requests."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.status import HTTP_204_NO_CONTENT

from arena.api.base import ApiViewSet, location_header, signed_in, validated
from arena.api.bots.serializers import NewChallengeSerializer
from arena.api.matches.serializers import MatchSerializer
from arena.api.matches.views import accepted, with_details
from arena.api.pagination import NewestFirst
from arena.domain import addresses
from arena.domain.bots import challenges
from arena.models import Match, MatchKind, MatchQuerySet, Scope


class ChallengeViewSet(ApiViewSet):
    write_scope = Scope.CHALLENGES_WRITE
    scopes: ClassVar = {"list": Scope.READ}
    lookup_path = "<slug:match_id>"
    lookups = {"match_id": "public_id"}
    pagination_class = NewestFirst
    serializer_class = MatchSerializer

    def get_queryset(self) -> MatchQuerySet:
        seen = Match.objects.visible_to(self.viewer).filter(kind=MatchKind.CHALLENGE)
        return seen if self.action == "destroy" else with_details(seen)

    def list(self, request: Request) -> Response:
        """List the challenges that you requested, newest first."""
        mine = challenges.asked_by(user=signed_in(request))
        return self.page_of(self.get_queryset().filter(pk__in=mine.values("pk")))

    @extend_schema(
        request=NewChallengeSerializer,
        responses={202: MatchSerializer},
        parameters=[location_header("The match.")],
    )
    def create(self, request: Request) -> Response:
        """Request an unrated match of your bot against others. Location is the match."""
        body = validated(NewChallengeSerializer, request.data)
        match = challenges.ask(
            by=signed_in(request),
            own=addresses.find_bot(body["bot"], field="bot"),
            opponents=[addresses.find_bot(name, field="opponents") for name in body["opponents"]],
            ladder=addresses.find_ladder(body["ladder"], field="ladder"),
            number=body.get("version"),
        )
        return accepted(request, match)

    @extend_schema(operation_id="challenge_cancel", responses={204: None})
    def destroy(self, request: Request, **_address: object) -> Response:
        """Cancel a challenge that you requested, even while it is running."""
        challenges.cancel(match=self.get_object(), by=signed_in(request))
        return Response(status=HTTP_204_NO_CONTENT)
