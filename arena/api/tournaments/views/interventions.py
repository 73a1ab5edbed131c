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
from arena.domain.errors import Refused
from arena.domain.tournaments import log, stages
from arena.domain.tournaments.interventions import execution, inputs
from arena.domain.tournaments.interventions.base import REGISTRY, Intervention
from arena.domain.tournaments.interventions.execution import PreviewOutdated
from arena.models import Scope, Tournament, TournamentEntrant, Version

Said = Mapping[str, Any]
ENTRANTS = (inputs.EntrantInput, inputs.PairingEntrantInput)


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
        found = self.get_object()
        stages.require_organizer(user=signed_in(request), tournament=found)
        said = validated(NewActSerializer, request.data)
        kind = REGISTRY[said["act"]]
        kind.require_permission(user=signed_in(request), tournament=found)
        intervention = _read(kind, found, said)
        try:
            return self._previewed_or_done(request, found, intervention, said)
        except Refused as refusal:
            if stated := kind.inputs().get(refusal.field):
                refusal.field = stated.api_name or refusal.field
            raise

    def _previewed_or_done(
        self, request: Request, found: Tournament, intervention: Intervention, said: Said
    ) -> Response:
        if dry_run.asked(request, self.dry_runs):
            require_scope(request, Scope.READ)  # it shows results, also those of hidden rounds
            shown = execution.preview(
                tournament=found, intervention=intervention, reason=said["reason"]
            )
            return _answer(found, shown=shown)
        revision = require_match(request, found)
        try:
            entry = execution.perform(
                tournament=found,
                intervention=intervention,
                by=signed_in(request),
                reason=said["reason"],
                revision=found.revision if revision is None else revision,
                seen=said.get("seen"),
            )
        except PreviewOutdated as refusal:
            fresh = ActDryRunSerializer(refusal.fresh).data
            raise PreconditionFailed(
                refusal.message, revision=refusal.revision, preview=fresh
            ) from refusal
        return _answer(found, entry=entry)


def _answer(tournament: Tournament, **told: object) -> Response:
    answer = {"done": "entry" in told, "shown": None, "entry": None, **told}
    context = {"say": log.say, "sees_all": True}
    return tagged(tournament, Response(ActedSerializer(answer, context=context).data))


def _read(kind: type[Intervention], tournament: Tournament, said: Said) -> Intervention:
    """Return the intervention that a body describes. Raise ValidationError."""
    values: dict[str, Any] = {}
    for field, stated in kind.inputs().items():
        name = stated.api_name or field
        may_be_all = isinstance(stated, inputs.PairingEntrantInput)
        if may_be_all and name not in said:
            raise ValidationError({name: ["Send an entrant, or null for all."]}, code="required")
        value = said.get(name)
        if value is None and stated.required and not may_be_all:
            raise ValidationError(
                {name: [f"The act {kind.slug} needs this field."]}, code="required"
            )
        if value is not None and isinstance(stated, ENTRANTS):
            value = _entrant(tournament, name, value).pk
        elif isinstance(stated, inputs.VersionInput):
            value = _version(tournament.entrants.get(pk=values["entrant"]), name, said[name]).pk
        values[field] = value
    return kind(**values)


def _entrant(tournament: Tournament, name: str, bot: str) -> TournamentEntrant:
    owner, slug = bot.split("/")
    found = tournament.entrants.filter(bot__owner__username=owner, bot__slug=slug).first()
    if found is None:
        raise ValidationError(
            {name: ["This bot is not in the tournament."]}, code="no_such_entrant"
        )
    return found


def _version(entrant: TournamentEntrant, name: str, number: int) -> Version:
    found = entrant.bot.versions.filter(number=number).first()
    if found is None:
        words = f"{entrant.bot} has no version {number}."
        raise ValidationError({name: [words]}, code="no_such_version")
    return found
