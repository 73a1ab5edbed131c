from typing import TYPE_CHECKING, Any

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.plumbing import build_array_type
from drf_spectacular.utils import Direction, extend_schema_field
from rest_framework import serializers

from arena.api.choices import NamedChoiceField
from arena.api.strict import StrictSerializer
from arena.domain.formats.brackets import BracketCell, BracketColumn, BracketLine, BracketSection
from arena.domain.formats.trees import Part, Source
from arena.domain.tournaments import exports
from arena.models import Release, TournamentLogEntry

if TYPE_CHECKING:
    from drf_spectacular.openapi import AutoSchema

Told = dict[str, Any]


class TournamentScoreSerializer(serializers.Serializer[Told]):
    name = serializers.CharField()
    win = serializers.FloatField()
    draw = serializers.FloatField()
    loss = serializers.FloatField()
    forfeit = serializers.FloatField()


class TournamentStandingSerializer(serializers.Serializer[Told]):
    rank = serializers.IntegerField()
    bot = serializers.CharField(help_text="`owner/bot`.")
    points = serializers.FloatField()
    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    draws = serializers.IntegerField()
    losses = serializers.IntegerField()
    forfeits = serializers.IntegerField(help_text="Among the losses.")
    byes = serializers.IntegerField()
    tie_breaks = serializers.DictField(child=serializers.FloatField())
    decided_by = serializers.CharField(
        help_text="What puts it before the next line: `stage`, `points`, `points_per_game`, "
        "a tie-break, `coin`; empty in the last."
    )
    stage = serializers.IntegerField()
    group = serializers.IntegerField(allow_null=True)


class TournamentStandingsSerializer(serializers.Serializer[Told]):
    """The standings after the rounds that you may see."""

    rounds_shown = serializers.IntegerField()
    scoring = TournamentScoreSerializer()
    tie_breaks = serializers.ListField(child=serializers.CharField())
    results = TournamentStandingSerializer(many=True)


class PairingEntrantSerializer(serializers.Serializer[Told]):
    bot = serializers.CharField()
    wins = serializers.IntegerField(allow_null=True, help_text="Null until it is over, as all.")
    draws = serializers.IntegerField(allow_null=True)
    losses = serializers.IntegerField(allow_null=True)
    forfeits = serializers.IntegerField(allow_null=True)


class PairingSerializer(serializers.Serializer[Told]):
    id = serializers.CharField()
    number = serializers.IntegerField()
    slot = serializers.CharField(help_text="Its place in a bracket; else empty.")
    decision = serializers.CharField(
        help_text="`bye`, `walkover`, `award` or `void`; empty where its games say it."
    )
    is_over = serializers.BooleanField()
    entrants = PairingEntrantSerializer(many=True)
    matches = serializers.ListField(child=serializers.CharField(), help_text="Their ids.")


class TournamentRoundSerializer(serializers.Serializer[Told]):
    number = serializers.IntegerField()
    is_finished = serializers.BooleanField()
    pairings = PairingSerializer(many=True)


class TournamentRoundsSerializer(serializers.Serializer[Told]):
    """The rounds that you may see, from the first on."""

    results = TournamentRoundSerializer(many=True)


class CrosstableLineSerializer(serializers.Serializer[Told]):
    rank = serializers.IntegerField()
    bot = serializers.CharField()
    points = serializers.FloatField()
    against = serializers.ListField(
        child=serializers.FloatField(allow_null=True),
        help_text="What its games against each line were worth; null where there were none.",
    )


class CrosstableSerializer(serializers.Serializer[Told]):
    rounds_shown = serializers.IntegerField()
    results = CrosstableLineSerializer(many=True)


class SourceSerializer(serializers.Serializer[Source]):
    """Where an entrant of a slot comes from: a seed, or a place in another slot, 1 its winner."""

    seed = serializers.IntegerField(help_text="0: it comes from a slot.")
    slot = serializers.CharField()
    place = serializers.IntegerField()


class BracketLineSerializer(serializers.Serializer[BracketLine]):
    bot = serializers.SerializerMethodField(help_text="Null while it is not known who comes.")
    seed = serializers.IntegerField()
    comes_from = SourceSerializer(source="source")
    has_won = serializers.BooleanField()

    @extend_schema_field({"type": ["string", "null"]})
    def get_bot(self, line: BracketLine) -> str | None:
        return None if line.entrant is None else str(self.context["bots"][line.entrant])


class BracketCellSerializer(serializers.Serializer[BracketCell]):
    slot = serializers.CharField(help_text="As pairings have it.")
    is_over = serializers.BooleanField()
    is_idle = serializers.BooleanField(help_text="A final that needs no playing.")
    lines = BracketLineSerializer(many=True)


class CellsField(serializers.ListField):
    """The places of a column from the top down, with None for one that nobody needs."""

    child = BracketCellSerializer(allow_null=True)


class CellsInSchema(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call] # registers itself
    """Says of the places that they may be null, as spectacular does not of serializers in lists."""

    target_class = CellsField

    def map_serializer_field(self, auto_schema: "AutoSchema", direction: Direction) -> Any:  # noqa: ANN401 - a piece of JSON schema
        cell = auto_schema.resolve_serializer(BracketCellSerializer, direction).ref
        return build_array_type({"oneOf": [cell, {"type": "null"}]})


class BracketColumnSerializer(serializers.Serializer[BracketColumn]):
    number = serializers.IntegerField()
    round = serializers.IntegerField(help_text="In which it is played.")
    cells = CellsField(help_text="Null: a place that nobody needs.")


class BracketSectionSerializer(serializers.Serializer[BracketSection]):
    part = serializers.ChoiceField(choices=list(Part))
    columns = BracketColumnSerializer(many=True)


class BracketSerializer(serializers.Serializer[Told]):
    """The bracket with the places to come; no sections where the format has none, or not yet."""

    rounds_shown = serializers.IntegerField()
    winner = serializers.CharField(allow_null=True)
    sections = BracketSectionSerializer(many=True)


class TournamentLogEntrySerializer(serializers.Serializer[TournamentLogEntry]):
    at = serializers.DateTimeField()
    action = serializers.CharField()
    text = serializers.SerializerMethodField(help_text="The same in words.")
    round = serializers.IntegerField(source="round_number", allow_null=True)
    by = serializers.CharField(
        source="by.username", allow_null=True, default=None, help_text="Null: by itself."
    )
    reason = serializers.CharField()
    revision = serializers.SerializerMethodField(
        help_text="That it made of the tournament's; null but for organizers."
    )

    @extend_schema_field({"type": ["integer", "null"]})
    def get_revision(self, entry: TournamentLogEntry) -> int | None:
        return entry.revision if self.context["sees_all"] else None

    def get_text(self, entry: TournamentLogEntry) -> str:
        return str(self.context["say"](entry))


class TournamentLogSerializer(serializers.Serializer[Told]):
    results = TournamentLogEntrySerializer(many=True)


class RoundReleaseSerializer(StrictSerializer):
    release = NamedChoiceField(of=Release)


class ExportSerializer(serializers.Serializer[Told]):
    table = serializers.ChoiceField(
        choices=sorted(exports.TABLES),
        required=False,
        help_text="One table, as comma-separated text in `csv`; without it, the whole as JSON.",
    )
