"""What organizers put right while a tournament is played, each with a dry run."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from arena.api import dry_run
from arena.api.authentication import require_scope
from arena.api.base import ApiView, signed_in
from arena.api.dry_run import DryRuns
from arena.api.preconditions import ETAG, IF_MATCH_TO_DO, require_match, tagged
from arena.api.refusals import PreconditionFailed
from arena.api.tournaments.serializers.interventions import (
    ActDryRunSerializer,
    ActedSerializer,
    NewActSerializer,
)
from arena.api.tournaments.views.tournaments import WRITE, find
from arena.domain.errors import Refused
from arena.domain.tournaments import log, stages
from arena.domain.tournaments.interventions import entrant_acts, extensions, match_acts, trying
from arena.domain.tournaments.interventions.acts import Act
from arena.domain.tournaments.interventions.trying import NotAsSeen
from arena.models import Scope, Tournament, TournamentEntrant

Said = Mapping[str, Any]
# What acts call the value at fault, as pages do; a body has one name for all of these.
FIELDS: Said = {"to": "entrant", "rounds": "count", "matches": "count"}


class TournamentActsView(ApiView):
    scopes: ClassVar = {"POST": WRITE}
    dry_runs: ClassVar = DryRuns.OWN

    @extend_schema(
        operation_id="tournament_act",
        parameters=[IF_MATCH_TO_DO, ETAG],
        request=NewActSerializer,
        responses={200: ActedSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Do something to a tournament that runs, or with `dry_run=1` show the standings after it.

        What is done needs If-Match and a reason. With `seen`, as the dry run gave it, exactly that
        is done; where anything has changed since, the answer is 412 with a new dry run in
        `preview`. A dry run needs the scope `read` too.
        """
        found = find(slug, signed_in(request))
        stages.require_organizer(user=signed_in(request), tournament=found)
        try:
            return self._tried_or_done(request, found)
        except Refused as refusal:
            refusal.field = FIELDS.get(refusal.field, refusal.field)
            raise

    def _tried_or_done(self, request: Request, found: Tournament) -> Response:
        form = NewActSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        said = form.validated_data
        act = READERS[said["act"]](found, said)
        if dry_run.asked(request, self.dry_runs):
            require_scope(request, Scope.READ)  # it tells results, also of rounds that are hidden
            shown = trying.try_act(tournament=found, act=act, reason=said["reason"])
            return _answer(found, shown=shown)
        return self._do(request, found, act, said)

    def _do(self, request: Request, found: Tournament, act: Act, said: Said) -> Response:
        revision = require_match(request, found)
        try:
            entry = trying.do_act(
                tournament=found,
                act=act,
                by=signed_in(request),
                reason=said["reason"],
                revision=found.revision if revision is None else revision,
                seen=said.get("seen"),
            )
        except NotAsSeen as refusal:
            fresh = ActDryRunSerializer(refusal.fresh).data
            raise PreconditionFailed(
                refusal.message, revision=refusal.revision, preview=fresh
            ) from refusal
        return _answer(found, entry=entry)


def _answer(tournament: Tournament, **told: object) -> Response:
    answer = {"done": "entry" in told, "shown": None, "entry": None, **told}
    context = {"say": log.say, "sees_all": True}
    return tagged(tournament, Response(ActedSerializer(answer, context=context).data))


def _needs(said: Said, name: str) -> Any:  # noqa: ANN401 - what the form read
    value = said.get(name)
    if value is None:
        raise ValidationError({name: [f"The act {said['act']} needs it."]}, code="required")
    return value


def _entrant(tournament: Tournament, said: Said) -> TournamentEntrant:
    owner, slug = _needs(said, "entrant").split("/")
    rows = tournament.entrants.select_related("bot")
    found = rows.filter(bot__owner__username=owner, bot__slug=slug).first()
    if found is None:
        raise ValidationError(
            {"entrant": ["This bot is not in the tournament."]}, code="no_such_entrant"
        )
    return found


def _award(tournament: Tournament, said: Said) -> Act:
    if "entrant" not in said:
        raise ValidationError({"entrant": ["Name one, or null for all."]}, code="required")
    to = None if said["entrant"] is None else _entrant(tournament, said).pk
    return match_acts.Award(pairing=_needs(said, "pairing"), to=to)


def _substitute(tournament: Tournament, said: Said) -> Act:
    entrant, number = _entrant(tournament, said), _needs(said, "version")
    version = entrant.bot.versions.filter(number=number).first()
    if version is None:
        words = f"{entrant.bot} has no version {number}."
        raise ValidationError({"version": [words]}, code="no_such_version")
    return entrant_acts.Substitute(entrant=entrant.pk, version=version.pk)


READERS: Mapping[str, Callable[[Tournament, Said], Act]] = {
    "void": lambda _, said: match_acts.Void(_needs(said, "match")),
    "rerun": lambda _, said: match_acts.Rerun(_needs(said, "match")),
    "award": _award,
    "substitute": _substitute,
    "withdraw": lambda row, said: entrant_acts.Withdraw(_entrant(row, said).pk),
    "disqualify": lambda row, said: entrant_acts.Disqualify(_entrant(row, said).pk),
    "add_rounds": lambda _, said: extensions.AddRounds(_needs(said, "count")),
    "add_matches": lambda _, said: extensions.AddMatches(
        _needs(said, "pairing"), _needs(said, "count")
    ),
    "postpone": lambda _, said: extensions.Postpone(said.get("freezes_at"), said.get("starts_at")),
}
