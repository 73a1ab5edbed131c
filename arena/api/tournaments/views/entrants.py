"""The entrants of a tournament."""

from typing import Any, ClassVar

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.status import HTTP_200_OK, HTTP_201_CREATED

from arena.api.base import signed_in, validated, version_numbered
from arena.api.fields import listed, listing
from arena.api.preconditions import IF_MATCH_AT_WILL
from arena.api.tournaments.serializers.entrants import (
    AnswerSerializer,
    EntrantChangesSerializer,
    LeaveQuerySerializer,
    NewEntrantSerializer,
    OwnEntrySerializer,
    TakeListSerializer,
    TakeTopSerializer,
    TournamentEntrantSerializer,
)
from arena.api.tournaments.views.base import TournamentActions, revision_seen
from arena.domain import addresses
from arena.domain.accounts import permissions
from arena.domain.tournaments import exports, listings
from arena.domain.tournaments.entry import entries, entry_lists
from arena.models import Bot, Match, Scope, Tournament, TournamentEntrant

ENTRANT = "entrants/<slug:owner>/<slug:bot>"


class EntrantActions(TournamentActions):
    scopes: ClassVar = {"mine": Scope.READ}

    @extend_schema(responses=listing(TournamentEntrantSerializer))
    @action(detail=True)
    def entrants(self, _request: Request, **_address: object) -> Response:
        """List the entrants by seed; before the freeze, in the order of entry."""
        return self._listed(self.get_object())

    @extend_schema(
        request=NewEntrantSerializer,
        responses={201: TournamentEntrantSerializer},
        parameters=[IF_MATCH_AT_WILL],
    )
    @entrants.mapping.post
    def enter(self, request: Request, **_address: object) -> Response:
        """Enter your bot. Organizers may enter any bot, or ask its owner with `invite`."""
        tournament, by = self.get_object(), signed_in(request)
        revision = revision_seen(request, tournament)
        body = validated(NewEntrantSerializer, request.data)
        bot = addresses.find_bot(body["bot"], field="bot")
        if body["invite"]:
            entrant = entries.invite(tournament=tournament, bot=bot, by=by, revision=revision)
        else:
            version = version_numbered(bot, body.get("version"))
            entrant = entries.enter(
                tournament=tournament, bot=bot, by=by, version=version, revision=revision
            )
        return self._entrant(tournament, entrant, status=HTTP_201_CREATED)

    @extend_schema(request=EntrantChangesSerializer, responses=TournamentEntrantSerializer)
    @action(detail=True, methods=["patch"], url_path=ENTRANT, url_name="entrant")
    def choose_version(
        self, request: Request, owner: str, bot: str, **_address: object
    ) -> Response:
        """Choose the version that your bot plays. This is possible until the freeze."""
        tournament = self.get_object()
        body = validated(EntrantChangesSerializer, request.data)
        row = _bot(owner, bot)
        version = version_numbered(row, body["version"])
        entrant = entries.choose_version(
            tournament=tournament, bot=row, by=signed_in(request), version=version
        )
        return self._entrant(tournament, entrant)

    @extend_schema(
        request=None,
        parameters=[LeaveQuerySerializer],
        responses={200: TournamentEntrantSerializer},
    )
    @choose_version.mapping.delete
    def leave(self, request: Request, owner: str, bot: str, **_address: object) -> Response:
        """Withdraw your bot. After the freeze this is final, and its results stand."""
        tournament = self.get_object()
        reason = validated(LeaveQuerySerializer, request.query_params)["reason"]
        entrant = entries.leave(
            tournament=tournament, bot=_bot(owner, bot), by=signed_in(request), reason=reason
        )
        return self._entrant(tournament, entrant)

    @extend_schema(request=AnswerSerializer, responses=TournamentEntrantSerializer)
    @action(detail=True, methods=["post"], url_path=f"{ENTRANT}/answer")
    def answer(self, request: Request, owner: str, bot: str, **_address: object) -> Response:
        """Accept or decline the invitation of your bot. Accepting enters the bot."""
        tournament = self.get_object()
        body = validated(AnswerSerializer, request.data)
        row = _bot(owner, bot)
        entrant = entries.answer(
            tournament=tournament,
            bot=row,
            by=signed_in(request),
            accept=body["accept"],
            version=version_numbered(row, body.get("version")),
        )
        return self._entrant(tournament, entrant)

    @extend_schema(
        request=TakeTopSerializer,
        responses=listing(TournamentEntrantSerializer),
        parameters=[IF_MATCH_AT_WILL],
    )
    @action(detail=True, methods=["post"], url_path="take-top")
    def take_top(self, request: Request, **_address: object) -> Response:
        """Enter the best bots of the ladder that are not in yet. The answer has all entrants."""
        tournament, by = self.get_object(), signed_in(request)
        revision = revision_seen(request, tournament)
        body = validated(TakeTopSerializer, request.data)
        entries.take_top(tournament=tournament, by=by, n=body["top_n"], revision=revision)
        return self._listed(tournament)

    @extend_schema(
        request=TakeListSerializer,
        responses=listing(TournamentEntrantSerializer),
        parameters=[IF_MATCH_AT_WILL],
    )
    @action(
        detail=True, methods=["post"], url_path="take-list", text_limit_bytes=entry_lists.MOST_BYTES
    )
    def take_list(self, request: Request, **_address: object) -> Response:
        """Enter all bots of a list, or none of them. The answer has all entrants."""
        tournament, by = self.get_object(), signed_in(request)
        revision = revision_seen(request, tournament)
        body = validated(TakeListSerializer, request.data)
        entries.take_csv(tournament=tournament, by=by, text=body["text"], revision=revision)
        return self._listed(tournament)

    @extend_schema(responses=listing(OwnEntrySerializer, "OwnEntries"))
    @action(detail=True)
    def mine(self, request: Request, **_address: object) -> Response:
        """Show your present, past and invited entrants, with the next match of each."""
        tournament, by = self.get_object(), signed_in(request)
        context = self._context(tournament)
        document = exports.document(tournament=tournament, rounds=context["rounds"])
        results = [
            self._own_entry(row, document)
            for row in listings.entrants(tournament=tournament, viewer=by)
            if permissions.may_edit_bot(by, row.bot)
        ]
        answer = listed(OwnEntrySerializer, results, context=context)
        return Response(answer, headers={"Cache-Control": "no-store"})

    def _own_entry(self, entrant: TournamentEntrant, document: dict[str, Any]) -> dict[str, Any]:
        """Return the last pairing of an entrant with its first open match."""
        bot = str(entrant.bot)
        pairings = [
            (row["number"], pairing)
            for row in document["rounds"]
            for pairing in row["pairings"]
            if bot in {side["bot"] for side in pairing["entrants"]}
        ]
        number, pairing = pairings[-1] if pairings else (None, None)
        ids = pairing["matches"] if pairing else []
        rows = Match.objects.visible_to(self.viewer).open().filter(public_id__in=ids)
        next_match = rows.order_by("pk").values_list("public_id", flat=True).first()
        return {"entrant": entrant, "round": number, "pairing": pairing, "next_match": next_match}

    def _listed(self, tournament: Tournament) -> Response:
        rows = listings.entrants(tournament=tournament, viewer=self.viewer)
        context = self._context(tournament)
        return Response(listed(TournamentEntrantSerializer, rows, context=context))

    def _entrant(
        self, tournament: Tournament, entrant: TournamentEntrant, status: int = HTTP_200_OK
    ) -> Response:
        context = self._context(tournament)
        return Response(TournamentEntrantSerializer(entrant, context=context).data, status=status)

    def _context(self, tournament: Tournament) -> dict[str, Any]:
        return {
            "viewer": self.viewer,
            "sees_all": permissions.may_organize(self.viewer, tournament),
            "rounds": self.rounds_seen(tournament),
        }


def _bot(owner: str, slug: str) -> Bot:
    rows = Bot.objects.select_related("owner")
    return get_object_or_404(rows, owner__username=owner, slug=slug)
