"""Interventions of organizers in a running tournament, each with a dry run."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from arena.api import dry_run
from arena.api.authentication import require_scope
from arena.api.base import signed_in, validated
from arena.api.dry_run import DryRuns
from arena.api.preconditions import ETAG, IF_MATCH_TO_DO, require_match, tagged
from arena.api.refusals import PreconditionFailed
from arena.api.tournaments.serializers.interventions import (
    ActDryRunSerializer,
    ActedSerializer,
    NewActSerializer,
)
from arena.api.tournaments.views.base import TournamentActions
from arena.domain import addresses
from arena.domain.errors import Refused
from arena.domain.tournaments import changes, log
from arena.domain.tournaments.interventions import execution, inputs
from arena.domain.tournaments.interventions.base import REGISTRY, Intervention
from arena.domain.tournaments.interventions.execution import PreviewOutdated
from arena.models import Scope, Tournament

Body = Mapping[str, Any]


class InterventionActions(TournamentActions):
    @extend_schema(
        parameters=[IF_MATCH_TO_DO, ETAG], request=NewActSerializer, responses=ActedSerializer
    )
    @action(detail=True, methods=["post"], url_path="acts", url_name="acts", dry_runs=DryRuns.OWN)
    def act(self, request: Request, **_address: object) -> Response:
        """Intervene in a running tournament, or with `dry_run=1` show the standings after it.

        An intervention needs If-Match and a reason. With the `seen` of a dry run, exactly what it
        showed is done. If anything has changed since, the answer is 412 with a new dry run in
        `preview`. A dry run also needs the scope `read`.
        """
        tournament = self.get_object()
        changes.require_organizer(user=signed_in(request), tournament=tournament)
        body = validated(NewActSerializer, request.data)
        kind = REGISTRY[body["act"]]
        kind.require_permission(user=signed_in(request), tournament=tournament)
        intervention = _read(kind, tournament, body)
        try:
            return self._previewed_or_done(request, tournament, intervention, body)
        except Refused as refusal:
            if declared := kind.inputs().get(refusal.field):
                refusal.field = declared.api_name or refusal.field
            raise

    def _previewed_or_done(
        self, request: Request, tournament: Tournament, intervention: Intervention, body: Body
    ) -> Response:
        if dry_run.is_requested(request, self.dry_runs):
            require_scope(request, Scope.READ)  # it shows results, also those of hidden rounds
            shown = execution.preview(
                tournament=tournament, intervention=intervention, reason=body["reason"]
            )
            return _answer(tournament, shown=shown)
        revision = require_match(request, tournament)
        try:
            entry = execution.perform(
                tournament=tournament,
                intervention=intervention,
                by=signed_in(request),
                reason=body["reason"],
                revision=tournament.revision if revision is None else revision,
                seen=body.get("seen"),
            )
        except PreviewOutdated as refusal:
            fresh = ActDryRunSerializer(refusal.fresh).data
            raise PreconditionFailed(
                refusal.message, revision=refusal.revision, preview=fresh
            ) from refusal
        return _answer(tournament, entry=entry)


def _answer(tournament: Tournament, **content: object) -> Response:
    answer = {"done": "entry" in content, "shown": None, "entry": None, **content}
    context = {"say": log.say, "sees_all": True}
    return tagged(tournament, Response(ActedSerializer(answer, context=context).data))


def _read(kind: type[Intervention], tournament: Tournament, body: Body) -> Intervention:
    """Return the intervention that a body describes. Raise ValidationError."""
    values: dict[str, Any] = {}
    for field, declared in kind.inputs().items():
        name = declared.api_name or field
        may_be_all = isinstance(declared, inputs.PairingEntrantInput)
        if may_be_all and name not in body:
            raise ValidationError({name: ["Send an entrant, or null for all."]}, code="required")
        value = body.get(name)
        if value is None and declared.required and not may_be_all:
            raise ValidationError(
                {name: [f"The act {kind.slug} needs this field."]}, code="required"
            )
        names_entrant = isinstance(declared, inputs.EntrantInput | inputs.PairingEntrantInput)
        if value is not None and names_entrant:
            owner, slug = addresses.split(value, field=name)
            rows = tournament.entrants.filter(bot__owner__username=owner, bot__slug=slug)
            if (entrant := rows.first()) is None:
                raise ValidationError(
                    {name: ["This bot is not in the tournament."]}, code="no_such_entrant"
                )
            value = entrant.pk
        elif isinstance(declared, inputs.VersionInput):
            entrant = tournament.entrants.get(pk=values["entrant"])
            value = addresses.find_version(entrant.bot, body[name], field=name).pk
        values[field] = value
    return kind(**values)
