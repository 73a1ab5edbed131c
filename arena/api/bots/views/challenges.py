"""Challenges: unrated matches that a user asks for."""

from collections.abc import Sequence
from typing import ClassVar

from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.status import HTTP_202_ACCEPTED, HTTP_204_NO_CONTENT

from arena.api.base import ApiView, signed_in, viewer_of
from arena.api.bots.serializers.challenges import NewChallengeSerializer
from arena.api.matches.serializers.matches import MatchSerializer
from arena.api.matches.views import matches_to_show
from arena.api.pagination import NewestFirst
from arena.domain.bots import challenges
from arena.models import Bot, Ladder, Match, MatchKind, Scope

LOCATION = OpenApiParameter(
    "Location", str, OpenApiParameter.HEADER, response=True, description="The match."
)


class ChallengesView(ApiView):
    scopes: ClassVar = {"GET": Scope.READ, "POST": Scope.CHALLENGES_WRITE}
    pagination_class = NewestFirst
    serializer_class = MatchSerializer

    @extend_schema(operation_id="challenge_list", responses=MatchSerializer(many=True))
    def get(self, request: Request) -> Response:
        """List the challenges that you asked for, newest first."""
        mine = challenges.asked_by(user=signed_in(request))
        rows = matches_to_show(viewer=viewer_of(request)).filter(pk__in=mine.values("pk"))
        return self.page_of(rows, MatchSerializer)

    @extend_schema(
        operation_id="challenge_create",
        request=NewChallengeSerializer,
        responses={202: MatchSerializer},
        parameters=[LOCATION],
    )
    def post(self, request: Request) -> Response:
        """Ask for an unrated match of your bot against others; Location is the match."""
        form = NewChallengeSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        wanted = form.validated_data
        own, *opponents = _bots(wanted["bot"], wanted["opponents"])
        match = challenges.ask(
            by=signed_in(request),
            own=own,
            opponents=opponents,
            ladder=_ladder(wanted["ladder"]),
            number=wanted.get("version"),
        )
        where = reverse("api-match", args=[match.public_id])
        return Response(
            MatchSerializer(matches_to_show(viewer=signed_in(request)).get(pk=match.pk)).data,
            status=HTTP_202_ACCEPTED,
            headers={"Location": request.build_absolute_uri(where)},
        )


class ChallengeView(ApiView):
    scopes: ClassVar = {"DELETE": Scope.CHALLENGES_WRITE}

    @extend_schema(operation_id="challenge_cancel", responses={204: None})
    def delete(self, request: Request, match_id: str) -> Response:
        """Cancel a challenge that you asked for, even while it is played."""
        match = get_object_or_404(
            Match.objects.visible_to(signed_in(request)),
            public_id=match_id,
            kind=MatchKind.CHALLENGE,
        )
        challenges.cancel(match=match, by=signed_in(request))
        return Response(status=HTTP_204_NO_CONTENT)


def _bots(own: str, opponents: Sequence[str]) -> list[Bot]:
    """Return the bots of these names. Raise ValidationError with the field that names none."""
    named = [("bot", own), *(("opponents", name) for name in opponents)]
    return [_bot(field, name) for field, name in named]


def _bot(field: str, name: str) -> Bot:
    owner, slug = name.split("/")
    rows = Bot.objects.select_related("owner", "active_version__bot__owner")
    bot = rows.filter(owner__username=owner, slug=slug).first()
    if bot is None:
        raise ValidationError({field: [f"There is no bot {name}."]}, code="not_found")
    return bot


def _ladder(slug: str) -> Ladder:
    ladder = Ladder.objects.filter(slug=slug).first()
    if ladder is None:
        raise ValidationError({"ladder": [f"There is no ladder {slug}."]}, code="not_found")
    return ladder
