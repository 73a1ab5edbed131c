"""What came of a tournament, as far as the caller may see its rounds."""

from collections.abc import Mapping
from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from arena.api.base import ApiView, viewer_of
from arena.api.tournaments.serializers.rounds import (
    BracketSerializer,
    CrosstableSerializer,
    TournamentLogSerializer,
    TournamentRoundSerializer,
    TournamentRoundsSerializer,
    TournamentStandingsSerializer,
)
from arena.api.tournaments.views.tournaments import find
from arena.domain.accounts import permissions
from arena.domain.tournaments import exports, log, snapshot, visibility


class TournamentStandingsView(ApiView):
    @extend_schema(operation_id="tournament_standings", responses=TournamentStandingsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Show the standings after the rounds that you may see; none before the freeze."""
        told = _told(request, slug)
        answer = {
            "rounds_shown": told["rounds_shown"],
            "scoring": told["tournament"]["scoring"],
            "tie_breaks": told["tournament"]["tie_breaks"],
            "results": told["standings"],
        }
        return _fresh(Response(TournamentStandingsSerializer(answer).data))


class TournamentRoundsView(ApiView):
    @extend_schema(operation_id="tournament_rounds", responses=TournamentRoundsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Show the rounds that you may see, with pairings, results and the ids of matches."""
        told = _told(request, slug)
        return _fresh(Response(TournamentRoundsSerializer({"results": told["rounds"]}).data))


class TournamentRoundView(ApiView):
    @extend_schema(operation_id="tournament_round", responses=TournamentRoundSerializer)
    def get(self, request: Request, slug: str, number: int) -> Response:
        """Show one round."""
        told = _told(request, slug)
        found = next((row for row in told["rounds"] if row["number"] == number), None)
        if found is None:
            raise Http404
        return _fresh(Response(TournamentRoundSerializer(found).data))


class TournamentCrosstableView(ApiView):
    @extend_schema(operation_id="tournament_crosstable", responses=CrosstableSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Show what everybody's games against everybody were worth, by rank."""
        told = _told(request, slug)
        lines, worth = told["standings"], _worth(told)
        results = [
            {
                "rank": line["rank"],
                "bot": line["bot"],
                "points": line["points"],
                "against": [worth.get((line["bot"], other["bot"])) for other in lines],
            }
            for line in lines
        ]
        answer = {"rounds_shown": told["rounds_shown"], "results": results}
        return _fresh(Response(CrosstableSerializer(answer).data))


class TournamentBracketView(ApiView):
    @extend_schema(operation_id="tournament_bracket", responses=BracketSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Show the bracket, as far as you may see its rounds, with the places to come."""
        viewer = viewer_of(request)
        found = find(slug, viewer)
        rounds = visibility.rounds_seen(tournament=found, viewer=viewer)
        picture = snapshot.load(tournament=found, rounds=rounds)
        laid = picture.bracket if found.frozen_at else None
        bots = {pk: entrant.bot for pk, entrant in picture.entrants.items()}
        answer = {
            "rounds_shown": len(picture.rounds),
            "winner": str(bots[laid.winner]) if laid and laid.winner is not None else None,
            "sections": laid.sections if laid else [],
        }
        return _fresh(Response(BracketSerializer(answer, context={"bots": bots}).data))


class TournamentLogView(ApiView):
    @extend_schema(operation_id="tournament_log", responses=TournamentLogSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Show what happened and why, oldest first; of rounds, those that you may see."""
        viewer = viewer_of(request)
        found = find(slug, viewer)
        rows = log.of(tournament=found, viewer=viewer)
        sees_all = permissions.may_organize(viewer, found)
        context = {"say": log.say, "sees_all": sees_all}
        answer = TournamentLogSerializer({"results": rows}, context=context)
        return _fresh(Response(answer.data))


def _told(request: Request, slug: str) -> dict[str, Any]:
    viewer = viewer_of(request)
    found = find(slug, viewer)
    rounds = visibility.rounds_seen(tournament=found, viewer=viewer)
    return exports.document(tournament=found, rounds=rounds)


def _fresh(response: Response) -> Response:
    """See that nobody on the way keeps it: what one caller sees another may not."""
    response["Cache-Control"] = "private, no-cache"
    return response


def _worth(told: Mapping[str, Any]) -> dict[tuple[str, str], float]:
    """Return what the games of one against another were worth, over all rounds."""
    scoring = told["tournament"]["scoring"]
    found: dict[tuple[str, str], float] = {}
    for row in told["rounds"]:
        for pairing in row["pairings"]:
            for one in pairing["entrants"]:
                for other in pairing["entrants"]:
                    if one is not other and one["wins"] is not None:
                        pair = (one["bot"], other["bot"])
                        found[pair] = found.get(pair, 0.0) + _points(scoring, one)
    return found


def _points(scoring: Mapping[str, float], games: Mapping[str, int]) -> float:
    by_play = games["losses"] - games["forfeits"]
    return (
        games["wins"] * scoring["win"]
        + games["draws"] * scoring["draw"]
        + by_play * scoring["loss"]
        + games["forfeits"] * scoring["forfeit"]
    )
