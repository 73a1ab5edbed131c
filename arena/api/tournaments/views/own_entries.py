"""What a tournament means for the bots of who asks."""

from collections.abc import Mapping
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from arena.api.base import ApiView, signed_in
from arena.api.tournaments.serializers.own_entries import OwnEntriesSerializer
from arena.api.tournaments.views.tournaments import find
from arena.domain.accounts import permissions
from arena.domain.tournaments import exports, listings, visibility
from arena.models import Match, Scope, Tournament, TournamentEntrant, User

Told = Mapping[str, Any]


class TournamentMineView(ApiView):
    scopes: ClassVar = {"GET": Scope.READ}

    @extend_schema(operation_id="tournament_mine", responses=OwnEntriesSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Show your bots that are in it, were, or are invited, and what each plays next."""
        viewer = signed_in(request)
        found = find(slug, viewer)
        seen = visibility.rounds_seen(tournament=found, viewer=viewer)
        told = exports.document(tournament=found, rounds=seen)
        results = [_entry(entrant, told) for entrant in _own(found, viewer)]
        for each in results:
            each["next_match"] = _next_match(each["pairing"], viewer)
        context = {
            "viewer": viewer,
            "sees_all": permissions.may_organize(viewer, found),
            "rounds": seen,
        }
        answer = OwnEntriesSerializer({"results": results}, context=context)
        return Response(answer.data, headers={"Cache-Control": "no-store"})


def _own(tournament: Tournament, viewer: User) -> list[TournamentEntrant]:
    rows = listings.entrants(tournament=tournament, viewer=viewer)
    return [row for row in rows if permissions.may_edit_bot(viewer, row.bot)]


def _entry(entrant: TournamentEntrant, told: Told) -> dict[str, Any]:
    bot = str(entrant.bot)
    pairings = [
        (row["number"], pairing)
        for row in told["rounds"]
        for pairing in row["pairings"]
        if bot in {side["bot"] for side in pairing["entrants"]}
    ]
    number, pairing = pairings[-1] if pairings else (None, None)
    return {"entrant": entrant, "round": number, "pairing": pairing}


def _next_match(pairing: Told | None, viewer: User) -> str | None:
    """Return the id of the first match of a pairing that is not over."""
    ids = pairing["matches"] if pairing else []
    rows = Match.objects.visible_to(viewer).open().filter(public_id__in=ids)
    return rows.order_by("pk").values_list("public_id", flat=True).first()
