"""The stages of a tournament, its organizers, and its rehearsals."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.status import HTTP_202_ACCEPTED, HTTP_204_NO_CONTENT

from arena.api.base import location, location_header, signed_in, validated
from arena.api.fields import listed, listing
from arena.api.preconditions import ETAG, IF_MATCH_AT_WILL
from arena.api.tournaments.serializers.interventions import (
    OrganizerSerializer,
    ReasonSerializer,
    RehearsalSerializer,
)
from arena.api.tournaments.serializers.rounds import RoundReleaseSerializer
from arena.api.tournaments.serializers.tournaments import TournamentSerializer
from arena.api.tournaments.views.base import TournamentActions, revision_seen
from arena.domain.tournaments import changes, organizers, releases, stages
from arena.domain.tournaments.rehearsal import rehearsals
from arena.models import Release, Scope, User


def _stage(handler: Callable[..., Response]) -> Any:  # noqa: ANN401 - as `action` has it
    """Route an action that moves a tournament to another stage, with a public reason."""
    schema = extend_schema(
        request=ReasonSerializer,
        responses=TournamentSerializer,
        parameters=[IF_MATCH_AT_WILL, ETAG],
    )
    return schema(action(detail=True, methods=["post"])(handler))


class StageActions(TournamentActions):
    scopes: ClassVar = {"rehearsals": Scope.READ}

    @_stage
    def open(self, _request: Request, **_address: object) -> Response:
        """Publish a draft. Bots can enter from now on, or from `opens_at`."""
        return self._take(stages.open_registration)

    @_stage
    def freeze(self, _request: Request, **_address: object) -> Response:
        """Pin the version of every entrant by its digest, and seed the entrants."""
        return self._take(stages.freeze)

    @_stage
    def start(self, _request: Request, **_address: object) -> Response:
        """Start the tournament. Its rounds follow automatically."""
        return self._take(stages.start)

    @_stage
    def pause(self, _request: Request, **_address: object) -> Response:
        """Pause the tournament. No match begins and no round is drawn."""
        return self._take(stages.pause)

    @_stage
    def resume(self, _request: Request, **_address: object) -> Response:
        """Resume a paused tournament."""
        return self._take(stages.resume)

    @_stage
    def release(self, _request: Request, **_address: object) -> Response:
        """Show everything of a finished tournament to everybody. This cannot be undone."""
        return self._take(stages.release)

    @_stage
    def cancel(self, _request: Request, **_address: object) -> Response:
        """Cancel the tournament and its open matches. This cannot be undone."""
        return self._take(stages.cancel)

    def _take(self, step: Callable[..., object]) -> Response:
        tournament = self.get_object()
        revision = revision_seen(self.request, tournament)
        reason = validated(ReasonSerializer, self.request.data)["reason"]
        step(tournament=tournament, by=signed_in(self.request), revision=revision, reason=reason)
        return self.respond(tournament)

    @extend_schema(
        request=OrganizerSerializer,
        responses=TournamentSerializer,
        parameters=[IF_MATCH_AT_WILL, ETAG],
    )
    @action(detail=True, methods=["post"], url_path="organizers", url_name="organizers")
    def add_organizer(self, request: Request, **_address: object) -> Response:
        """Add an organizer."""
        tournament = self.get_object()
        organizers.add(
            tournament=tournament,
            by=signed_in(request),
            username=validated(OrganizerSerializer, request.data)["username"],
            revision=revision_seen(request, tournament),
        )
        return self.respond(tournament)

    @extend_schema(request=None, responses={204: None}, parameters=[IF_MATCH_AT_WILL])
    @action(
        detail=True, methods=["delete"], url_path="organizers/<slug:username>", url_name="organizer"
    )
    def remove_organizer(self, request: Request, username: str, **_address: object) -> Response:
        """Remove an organizer. At least one always remains."""
        tournament = self.get_object()
        organizers.remove(
            tournament=tournament,
            by=signed_in(request),
            user=get_object_or_404(User, username=username),
            revision=revision_seen(request, tournament),
        )
        return Response(status=HTTP_204_NO_CONTENT)

    @extend_schema(
        request=RoundReleaseSerializer,
        responses=TournamentSerializer,
        parameters=[IF_MATCH_AT_WILL, ETAG],
    )
    @action(detail=True, methods=["post"], url_path="rounds/<int:number>/release")
    def round_release(self, request: Request, number: int, **_address: object) -> Response:
        """Set who may see a round. Later rounds are never more visible."""
        tournament = self.get_object()
        revision = revision_seen(request, tournament)
        release = validated(RoundReleaseSerializer, request.data)["release"]
        releases.set_release(
            tournament=tournament,
            round_number=number,
            release=Release(release),
            by=signed_in(request),
            revision=revision,
        )
        return self.respond(tournament)

    @extend_schema(
        request=None,
        responses={202: TournamentSerializer},
        parameters=[location_header("Where it can be read.")],
    )
    @action(detail=True, methods=["post"])
    def rehearse(self, request: Request, **_address: object) -> Response:
        """Start a rehearsal with house bots. Location is the rehearsal, which is a tournament."""
        rehearsal = rehearsals.start(tournament=self.get_object(), by=signed_in(request))
        headers = location(request, "api-tournament-detail", rehearsal.slug)
        return self.respond(rehearsal, status=HTTP_202_ACCEPTED, headers=headers)

    @extend_schema(responses=listing(RehearsalSerializer))
    @action(detail=True)
    def rehearsals(self, request: Request, **_address: object) -> Response:
        """List the rehearsals of a tournament with their reports, the latest first."""
        tournament = self.get_object()
        changes.require_organizer(user=signed_in(request), tournament=tournament)
        rows = [
            {"slug": row.slug, "status": row.status, "report": rehearsals.report(rehearsal=row)}
            for row in rehearsals.of(tournament=tournament)
        ]
        return Response(listed(RehearsalSerializer, rows))
