from itertools import groupby
from operator import itemgetter
from textwrap import fill
from typing import Any

from rest_framework import serializers

from arena.api.fields import BotNameField, ReasonField, shown
from arena.api.strict import StrictSerializer
from arena.api.tournaments.serializers.rounds import TournamentLogEntrySerializer
from arena.domain.formats.types import StandingsRow
from arena.domain.tournaments.interventions import inputs
from arena.domain.tournaments.interventions.base import REGISTRY
from arena.domain.tournaments.interventions.execution import InterventionDryRun, StandingChange
from arena.domain.tournaments.rehearsal.findings import Report, Sight


class ReasonSerializer(StrictSerializer):
    reason = ReasonField(help_text="Public and permanent; required to pause and to cancel.")


class OrganizerSerializer(StrictSerializer):
    username = serializers.CharField(max_length=150)


def _field(asked_for: inputs.Input) -> serializers.Field[Any, Any, Any, Any]:
    """Return the field for an input. It is optional: not all interventions need it."""
    shown: dict[str, Any] = {"required": False, "help_text": str(asked_for.help) or None}
    match asked_for:
        case inputs.MatchInput():
            return serializers.CharField(**shown | {"help_text": "Id of a match."}, max_length=32)
        case inputs.PairingInput():
            return serializers.CharField(**shown | {"help_text": "Id of a pairing."}, max_length=32)
        case inputs.EntrantInput() | inputs.PairingEntrantInput():
            words = {"help_text": "`owner/bot` of an entrant."}
            return BotNameField(**shown | words, allow_null=True)
        case inputs.VersionInput():
            return serializers.IntegerField(
                **shown | {"help_text": "The number of the version."}, min_value=1
            )
        case inputs.CountInput():
            return serializers.IntegerField(**shown | {"help_text": "How many more."})
        case inputs.TimeInput():
            return serializers.DateTimeField(**shown, allow_null=True)
        case _:
            raise TypeError(asked_for)


def _bodies() -> str:
    """Return the fields that each intervention needs, grouped by equal fields."""
    needs = []
    for kind in REGISTRY.values():
        names = [asked_for.api_name or name for name, asked_for in kind.inputs().items()]
        needs.append((f"`{kind.slug}`", kind.request_body or ", ".join(names)))
    together = groupby(needs, key=itemgetter(1))
    return " · ".join(f"{', '.join(slug for slug, _ in acts)}: {body}" for body, acts in together)


class NewActSerializer(StrictSerializer):
    __doc__ = f"An intervention; each act needs its own fields.\n\n{fill(_bodies() + '.', 96)}"

    act = serializers.ChoiceField(choices=list(REGISTRY))
    reason = ReasonField(help_text="Public and permanent.")
    seen = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=10_000,
        help_text="The `seen` of a dry run, to do exactly what it showed.",
    )

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Add the inputs of all interventions; inputs with the same name share a field."""
        fields = super().get_fields()
        values: dict[str, serializers.Field[Any, Any, Any, Any]] = {}
        for kind in REGISTRY.values():
            for name, asked_for in kind.inputs().items():
                values.setdefault(asked_for.api_name or name, _field(asked_for))
        return {"act": fields.pop("act"), **values, **fields}


PLACE = shown(StandingsRow, only="rank points games", name="Place")


class StandingsLineSerializer(serializers.Serializer[StandingChange]):
    bot = serializers.CharField(source="entrant.bot.__str__")
    before = PLACE()
    after = PLACE()
    moves = serializers.BooleanField(help_text="Whether its rank would change.")


ActDryRunSerializer = shown(
    InterventionDryRun,
    name="ActDryRun",
    doc="The standings before and after, best first. Send `seen` to have exactly this done.",
    lines=StandingsLineSerializer(many=True),
    notes="Remarks on the intervention.",
)


class ActedSerializer(serializers.Serializer[dict[str, Any]]):
    """What an act would do, or the log entry of an act that is done."""

    done = serializers.BooleanField()
    shown = ActDryRunSerializer(allow_null=True, help_text="Only for a dry run; otherwise null.")
    entry = TournamentLogEntrySerializer(
        allow_null=True, help_text="The log entry; null for a dry run."
    )


SIGHT = shown(
    Sight,
    only="code seen round",
    code=serializers.ChoiceField(choices=["bye", "tie", "crash", "withdrawal"]),
    round="The first round in which it happened.",
)
REPORT = shown(
    Report,
    only="sights complete rounds matches games failed took_s game_s",
    name="RehearsalReport",
    doc="The report of a rehearsal so far.",
    sights=SIGHT(many=True),
    complete="Whether everything has happened at least once.",
)


class RehearsalSerializer(serializers.Serializer[dict[str, Any]]):
    slug = serializers.CharField()
    status = serializers.CharField()
    report = REPORT()
