"""The stages of a tournament, taken by its organizers one at a time; and its rehearsals."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.status import HTTP_202_ACCEPTED, HTTP_204_NO_CONTENT

from arena.api.base import ApiView, signed_in
from arena.api.dry_run import DryRuns
from arena.api.preconditions import ETAG, IF_MATCH_AT_WILL
from arena.api.tournaments.serializers.interventions import (
    OrganizerSerializer,
    ReasonSerializer,
    RehearsalReportSerializer,
    RehearsalsSerializer,
)
from arena.api.tournaments.serializers.rounds import RoundReleaseSerializer
from arena.api.tournaments.serializers.tournaments import TournamentSerializer
from arena.api.tournaments.views.tournaments import LOCATION, WRITE, find, revision_seen, shown
from arena.domain.tournaments import organizers, releases, stages
from arena.domain.tournaments.rehearsal import rehearsals
from arena.models import Release, Scope, User

Step = Callable[..., object]
_SAID: dict[str, Any] = {
    "request": ReasonSerializer,
    "responses": TournamentSerializer,
    "parameters": [IF_MATCH_AT_WILL, ETAG],
}


class _StageView(ApiView):
    """Takes a tournament from one stage to another; a reason may be given, and is public."""

    scopes: ClassVar = {"POST": WRITE}
    dry_runs: ClassVar = DryRuns.TAKEN_BACK
    step: ClassVar[Step]

    def post(self, request: Request, slug: str) -> Response:
        found = find(slug, signed_in(request))
        revision = revision_seen(request, found)
        form = ReasonSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        type(self).step(
            tournament=found,
            by=signed_in(request),
            revision=revision,
            reason=form.validated_data["reason"],
        )
        return shown(found, signed_in(request))


@extend_schema_view(post=extend_schema(operation_id="tournament_open", **_SAID))
class TournamentOpenView(_StageView):
    """Publish a draft: bots are entered from now on, or from `opens_at` on."""

    step = staticmethod(stages.open_registration)


@extend_schema_view(post=extend_schema(operation_id="tournament_freeze", **_SAID))
class TournamentFreezeView(_StageView):
    """Pin the version of every entrant by its digest, and seed them."""

    step = staticmethod(stages.freeze)


@extend_schema_view(post=extend_schema(operation_id="tournament_start", **_SAID))
class TournamentStartView(_StageView):
    """Begin to play; rounds follow by themselves."""

    step = staticmethod(stages.start)


@extend_schema_view(post=extend_schema(operation_id="tournament_pause", **_SAID))
class TournamentPauseView(_StageView):
    """Hold it: no match is begun and no round drawn."""

    step = staticmethod(stages.pause)


@extend_schema_view(post=extend_schema(operation_id="tournament_resume", **_SAID))
class TournamentResumeView(_StageView):
    """Go on with a tournament that is paused."""

    step = staticmethod(stages.resume)


@extend_schema_view(post=extend_schema(operation_id="tournament_release", **_SAID))
class TournamentReleaseView(_StageView):
    """Show all of a tournament that is over to everybody, for ever."""

    step = staticmethod(stages.release)


@extend_schema_view(post=extend_schema(operation_id="tournament_cancel", **_SAID))
class TournamentCancelView(_StageView):
    """End it for good, with its matches that are not over."""

    step = staticmethod(stages.cancel)


class TournamentOrganizersView(ApiView):
    scopes: ClassVar = {"POST": WRITE}
    dry_runs: ClassVar = DryRuns.TAKEN_BACK

    @extend_schema(
        operation_id="tournament_add_organizer",
        request=OrganizerSerializer,
        responses=TournamentSerializer,
        parameters=[IF_MATCH_AT_WILL, ETAG],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Let somebody organize it too."""
        found = find(slug, signed_in(request))
        form = OrganizerSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        organizers.add(
            tournament=found,
            by=signed_in(request),
            username=form.validated_data["username"],
            revision=revision_seen(request, found),
        )
        return shown(found, signed_in(request))


class TournamentOrganizerView(ApiView):
    scopes: ClassVar = {"DELETE": WRITE}
    dry_runs: ClassVar = DryRuns.TAKEN_BACK

    @extend_schema(
        operation_id="tournament_remove_organizer",
        request=None,
        responses={204: None},
        parameters=[IF_MATCH_AT_WILL],
    )
    def delete(self, request: Request, slug: str, username: str) -> Response:
        """Let somebody organize it no longer; one stays in any case."""
        found = find(slug, signed_in(request))
        organizers.remove(
            tournament=found,
            by=signed_in(request),
            user=get_object_or_404(User, username=username),
            revision=revision_seen(request, found),
        )
        return Response(status=HTTP_204_NO_CONTENT)


class TournamentRoundReleaseView(ApiView):
    scopes: ClassVar = {"POST": WRITE}
    dry_runs: ClassVar = DryRuns.TAKEN_BACK

    @extend_schema(
        operation_id="tournament_round_release",
        request=RoundReleaseSerializer,
        responses=TournamentSerializer,
        parameters=[IF_MATCH_AT_WILL, ETAG],
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Return who sees a round. Those after it are never seen by more."""
        found = find(slug, signed_in(request))
        revision = revision_seen(request, found)
        form = RoundReleaseSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        releases.set_release(
            tournament=found,
            round_number=number,
            release=Release(form.validated_data["release"]),
            by=signed_in(request),
            revision=revision,
        )
        return shown(found, signed_in(request))


class TournamentRehearseView(ApiView):
    scopes: ClassVar = {"POST": WRITE}
    dry_runs: ClassVar = DryRuns.TAKEN_BACK

    @extend_schema(
        operation_id="tournament_rehearse",
        request=None,
        responses={202: TournamentSerializer},
        parameters=[LOCATION],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Play it through with house bots first; Location is the rehearsal, a tournament itself."""
        found = find(slug, signed_in(request))
        rehearsal = rehearsals.start(tournament=found, by=signed_in(request))
        where = request.build_absolute_uri(reverse("api-tournament", args=[rehearsal.slug]))
        headers = {"Location": where}
        return shown(rehearsal, signed_in(request), status=HTTP_202_ACCEPTED, headers=headers)


class TournamentRehearsalsView(ApiView):
    scopes: ClassVar = {"GET": Scope.READ}

    @extend_schema(operation_id="tournament_rehearsals", responses=RehearsalsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return what the rehearsals of a tournament have shown, the latest first."""
        found = find(slug, signed_in(request))
        stages.require_organizer(user=signed_in(request), tournament=found)
        rows = [
            {
                "slug": row.slug,
                "status": row.status,
                "report": RehearsalReportSerializer(rehearsals.report(rehearsal=row)).data,
            }
            for row in rehearsals.of(tournament=found)
        ]
        return Response({"results": rows})
