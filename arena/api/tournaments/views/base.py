"""What all actions of a tournament share."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from arena.api import dry_run
from arena.api.base import ApiViewSet, signed_in
from arena.api.dry_run import DryRuns
from arena.api.pagination import NewestFirst
from arena.api.preconditions import require_match, tagged
from arena.api.tournaments.serializers.tournaments import TournamentSerializer
from arena.domain.accounts import permissions
from arena.domain.tournaments import exports, listings, snapshot, visibility
from arena.domain.tournaments.snapshot import TournamentSnapshot
from arena.models import Scope, Tournament


class TournamentActions(ApiViewSet):
    """Actions of tournaments. A tournament that the caller may not see is not found."""

    write_scope = Scope.TOURNAMENTS_WRITE
    dry_runs = DryRuns.TAKEN_BACK
    lookup_path = "<slug:slug>"
    lookups = {"slug": "slug"}
    pagination_class = NewestFirst
    serializer_class = TournamentSerializer

    def get_queryset(self) -> QuerySet[Tournament]:
        return listings.tournaments(viewer=self.viewer)

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "viewer": self.viewer}

    def rounds_seen(self, tournament: Tournament) -> int:
        """Return how many rounds, from the first on, the viewer may see."""
        return visibility.rounds_seen(tournament=tournament, viewer=self.viewer)

    def document(self) -> Mapping[str, Any]:
        """Return everything that the viewer may see of the tournament."""
        tournament = self.get_object()
        return exports.document(tournament=tournament, rounds=self.rounds_seen(tournament))

    def picture(self) -> TournamentSnapshot:
        """Return the tournament with the rounds that the viewer may see."""
        tournament = self.get_object()
        return snapshot.load(tournament=tournament, rounds=self.rounds_seen(tournament))

    def respond(self, tournament: Tournament, **answer: Any) -> Response:  # noqa: ANN401 - of a response
        """Return the current state of a tournament, for organizers with its tag."""
        fresh = self.get_queryset().get(pk=tournament.pk)
        response = Response(self.get_serializer(fresh).data, **answer)
        if permissions.may_organize(self.viewer, fresh):
            return tagged(fresh, response)
        return response


def revision_seen(request: Request, tournament: Tournament, *, needed: bool = False) -> int | None:
    """Return the revision that an organizer has seen; None if any revision is acceptable.

    The domain refuses other callers, who must not learn the revision here. A dry run needs none.
    """
    if not permissions.may_organize(signed_in(request), tournament):
        return None
    is_dry_run = dry_run.is_requested(request, DryRuns.TAKEN_BACK)
    return require_match(request, tournament, needed=needed and not is_dry_run)
