"""The results of a tournament, as far as the caller may see its rounds."""

from collections.abc import Mapping
from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from arena.api.fields import listed, listing
from arena.api.tournaments.serializers.rounds import (
    BracketSerializer,
    CrosstableSerializer,
    TournamentLogEntrySerializer,
    TournamentRoundSerializer,
    TournamentStandingsSerializer,
)
from arena.api.tournaments.views.base import TournamentActions
from arena.domain.accounts import permissions
from arena.domain.tournaments import crosstables, log


class ResultActions(TournamentActions):
    @extend_schema(responses=TournamentStandingsSerializer)
    @action(detail=True)
    def standings(self, _request: Request, **_address: object) -> Response:
        """Show the standings after the rounds that you may see; empty before the freeze."""
        document = self.document()
        answer = {
            "rounds_shown": document["rounds_shown"],
            "scoring": document["tournament"]["scoring"],
            "tie_breaks": document["tournament"]["tie_breaks"],
            "results": document["standings"],
        }
        return _answer(TournamentStandingsSerializer(answer).data)

    @extend_schema(responses=listing(TournamentRoundSerializer))
    @action(detail=True)
    def rounds(self, _request: Request, **_address: object) -> Response:
        """Show the rounds that you may see, with pairings, results and ids of matches."""
        return _answer(listed(TournamentRoundSerializer, self.document()["rounds"]))

    @extend_schema(responses=TournamentRoundSerializer)
    @action(detail=True, url_path="rounds/<int:number>")
    def round(self, _request: Request, number: int, **_address: object) -> Response:
        """Show one round."""
        rounds = self.document()["rounds"]
        row = next((row for row in rounds if row["number"] == number), None)
        if row is None:
            raise Http404
        return _answer(TournamentRoundSerializer(row).data)

    @extend_schema(responses=CrosstableSerializer)
    @action(detail=True)
    def crosstable(self, _request: Request, **_address: object) -> Response:
        """Show the points of every entrant against every other, by rank."""
        picture = self.picture()
        rows = {row.entrant: row for row in picture.standings}
        results = [
            {
                "rank": rows[line.entrant].rank,
                "bot": str(picture.entrants[line.entrant].bot),
                "points": rows[line.entrant].points,
                "against": line.points,
            }
            for line in crosstables.of(picture)
        ]
        answer = {"rounds_shown": len(picture.rounds), "results": results}
        return _answer(CrosstableSerializer(answer).data)

    @extend_schema(responses=BracketSerializer)
    @action(detail=True)
    def bracket(self, _request: Request, **_address: object) -> Response:
        """Show the bracket with future slots, as far as you may see its rounds."""
        picture = self.picture()
        bracket = picture.bracket if picture.tournament.frozen_at else None
        bots = {pk: entrant.bot for pk, entrant in picture.entrants.items()}
        answer = {
            "rounds_shown": len(picture.rounds),
            "winner": str(bots[bracket.winner]) if bracket and bracket.winner is not None else None,
            "sections": bracket.sections if bracket else [],
        }
        return _answer(BracketSerializer(answer, context={"bots": bots}).data)

    @extend_schema(responses=listing(TournamentLogEntrySerializer, "TournamentLog"))
    @action(detail=True)
    def log(self, _request: Request, **_address: object) -> Response:
        """Show the log, oldest first, as far as you may see the rounds."""
        tournament = self.get_object()
        rows = log.of(tournament=tournament, viewer=self.viewer)
        sees_all = permissions.may_organize(self.viewer, tournament)
        context = {"say": log.say, "sees_all": sees_all}
        return _answer(listed(TournamentLogEntrySerializer, rows, context=context))


def _answer(data: Mapping[str, Any]) -> Response:
    """Return an answer that caches must not share, because it depends on the caller."""
    return Response(data, headers={"Cache-Control": "private, no-cache"})
