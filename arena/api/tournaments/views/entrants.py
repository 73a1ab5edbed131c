"""Who is in a tournament: entered, invited, taken from a ladder or a list, changed, gone."""

from typing import Any, ClassVar

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.status import HTTP_200_OK, HTTP_201_CREATED

from arena.api.base import ApiView, signed_in, viewer_of
from arena.api.dry_run import DryRuns
from arena.api.preconditions import IF_MATCH_AT_WILL
from arena.api.tournaments.serializers.entrants import (
    AnswerSerializer,
    EntrantChangesSerializer,
    LeaveQuerySerializer,
    NewEntrantSerializer,
    TakeListSerializer,
    TakeTopSerializer,
    TournamentEntrantSerializer,
    TournamentEntrantsSerializer,
)
from arena.api.tournaments.views.tournaments import WRITE, find, revision_seen
from arena.domain.accounts import permissions
from arena.domain.errors import Refused
from arena.domain.matches import filters
from arena.domain.tournaments import listings, visibility
from arena.domain.tournaments.entry import entries, sheets
from arena.models import Bot, Tournament, TournamentEntrant, Version, Viewer


class TournamentEntrantsView(ApiView):
    scopes: ClassVar = {"POST": WRITE}
    dry_runs: ClassVar = DryRuns.TAKEN_BACK

    @extend_schema(operation_id="tournament_entrants", responses=TournamentEntrantsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """List the entrants as they are seeded; before the freeze, as they entered."""
        return _listed(find(slug, viewer_of(request)), viewer_of(request))

    @extend_schema(
        operation_id="tournament_enter",
        request=NewEntrantSerializer,
        responses={201: TournamentEntrantSerializer},
        parameters=[IF_MATCH_AT_WILL],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Enter your bot; organizers may enter any, or ask its owner with `invite`."""
        found, by = find(slug, signed_in(request)), signed_in(request)
        revision = revision_seen(request, found)
        said = _said(NewEntrantSerializer, request)
        bot = _named(said["bot"])
        if said["invite"]:
            made = entries.invite(tournament=found, bot=bot, by=by, revision=revision)
        else:
            version = _version(bot, said.get("version"))
            made = entries.enter(
                tournament=found, bot=bot, by=by, version=version, revision=revision
            )
        return _shown(found, made, by, status=HTTP_201_CREATED)


class TournamentEntrantView(ApiView):
    scopes: ClassVar = {"PATCH": WRITE, "DELETE": WRITE}
    dry_runs: ClassVar = DryRuns.TAKEN_BACK

    @extend_schema(
        operation_id="tournament_choose_version",
        request=EntrantChangesSerializer,
        responses=TournamentEntrantSerializer,
    )
    def patch(self, request: Request, slug: str, owner: str, bot: str) -> Response:
        """Choose what your bot plays, until versions are frozen."""
        found, by = find(slug, signed_in(request)), signed_in(request)
        said = _said(EntrantChangesSerializer, request)
        row = _bot(owner, bot)
        version = _version(row, said["version"])
        made = entries.choose_version(tournament=found, bot=row, by=by, version=version)
        return _shown(found, made, by)

    @extend_schema(
        operation_id="tournament_leave",
        request=None,
        parameters=[LeaveQuerySerializer],
        responses=TournamentEntrantSerializer,
    )
    def delete(self, request: Request, slug: str, owner: str, bot: str) -> Response:
        """Take your bot out. After the freeze it has withdrawn for good; results stand."""
        found, by = find(slug, signed_in(request)), signed_in(request)
        form = LeaveQuerySerializer(data=request.query_params)
        form.is_valid(raise_exception=True)
        row, reason = _bot(owner, bot), form.validated_data["reason"]
        made = entries.leave(tournament=found, bot=row, by=by, reason=reason)
        return _shown(found, made, by)


class TournamentAnswerView(ApiView):
    scopes: ClassVar = {"POST": WRITE}
    dry_runs: ClassVar = DryRuns.TAKEN_BACK

    @extend_schema(
        operation_id="tournament_answer",
        request=AnswerSerializer,
        responses=TournamentEntrantSerializer,
    )
    def post(self, request: Request, slug: str, owner: str, bot: str) -> Response:
        """Accept the invitation of your bot, which enters it, or decline."""
        found, by = find(slug, signed_in(request)), signed_in(request)
        said = _said(AnswerSerializer, request)
        row = _bot(owner, bot)
        version = _version(row, said.get("version"))
        made = entries.answer(
            tournament=found, bot=row, by=by, accept=said["accept"], version=version
        )
        return _shown(found, made, by)


class TournamentTakeTopView(ApiView):
    scopes: ClassVar = {"POST": WRITE}
    dry_runs: ClassVar = DryRuns.TAKEN_BACK

    @extend_schema(
        operation_id="tournament_take_top",
        request=TakeTopSerializer,
        responses=TournamentEntrantsSerializer,
        parameters=[IF_MATCH_AT_WILL],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Enter the best of the ladder who are not in yet; answers with all entrants."""
        found, by = find(slug, signed_in(request)), signed_in(request)
        revision = revision_seen(request, found)
        said = _said(TakeTopSerializer, request)
        entries.take_top(tournament=found, by=by, n=said["top_n"], revision=revision)
        return _listed(found, by)


class TournamentTakeListView(ApiView):
    scopes: ClassVar = {"POST": WRITE}
    dry_runs: ClassVar = DryRuns.TAKEN_BACK
    text_limit_bytes = sheets.MOST_BYTES

    @extend_schema(
        operation_id="tournament_take_list",
        request=TakeListSerializer,
        responses=TournamentEntrantsSerializer,
        parameters=[IF_MATCH_AT_WILL],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Enter all bots of a list, or none; answers with all entrants."""
        found, by = find(slug, signed_in(request)), signed_in(request)
        revision = revision_seen(request, found)
        said = _said(TakeListSerializer, request)
        entries.take_csv(tournament=found, by=by, text=said["text"], revision=revision)
        return _listed(found, by)


def _said(form_class: type[Serializer[dict[str, Any]]], request: Request) -> dict[str, Any]:
    form = form_class(data=request.data)
    form.is_valid(raise_exception=True)
    said: dict[str, Any] = form.validated_data
    return said


def _listed(tournament: Tournament, viewer: Viewer) -> Response:
    rows = listings.entrants(tournament=tournament, viewer=viewer)
    context = _context(tournament, viewer)
    return Response(TournamentEntrantsSerializer({"results": rows}, context=context).data)


def _shown(
    tournament: Tournament,
    entrant: TournamentEntrant,
    viewer: Viewer,
    status: int = HTTP_200_OK,
) -> Response:
    context = _context(tournament, viewer)
    return Response(TournamentEntrantSerializer(entrant, context=context).data, status=status)


def _context(tournament: Tournament, viewer: Viewer) -> dict[str, Any]:
    return {
        "viewer": viewer,
        "sees_all": permissions.may_organize(viewer, tournament),
        "rounds": visibility.rounds_seen(tournament=tournament, viewer=viewer),
    }


def _named(name: str) -> Bot:
    """Find `owner/bot`. Raise ValidationError."""
    try:
        return filters.find_bot(name)
    except Refused as refused:
        raise ValidationError({"bot": [refused.message]}, code=refused.code) from refused


def _bot(owner: str, slug: str) -> Bot:
    rows = Bot.objects.select_related("owner")
    return get_object_or_404(rows, owner__username=owner, slug=slug)


def _version(bot: Bot, number: int | None) -> Version | None:
    if number is None:
        return None
    found = bot.versions.filter(number=number).first()
    if found is None:
        raise ValidationError({"version": [f"There is no version {number}."]}, code="not_found")
    return found
