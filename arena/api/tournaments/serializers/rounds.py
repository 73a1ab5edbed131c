from typing import TYPE_CHECKING, Any

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.plumbing import build_array_type
from drf_spectacular.utils import Direction
from rest_framework import serializers

from arena.api.fields import NamedChoiceField, shown
from arena.api.strict import StrictSerializer
from arena.domain.formats.brackets import BracketCell, BracketColumn, BracketLine, BracketSection
from arena.domain.formats.trees import Source
from arena.domain.formats.types import StandingsRow
from arena.domain.tournaments import exports
from arena.models import Release, TournamentLogEntry

if TYPE_CHECKING:
    from drf_spectacular.openapi import AutoSchema

Document = dict[str, Any]
SOURCE = shown(
    Source,
    doc="Where the entrant of a slot comes from: a seed, or a place in another slot (1: winner).",
    seed="0: the entrant comes from a slot.",
)


class TournamentScoreSerializer(serializers.Serializer[Document]):
    name = serializers.CharField()
    win = serializers.FloatField()
    draw = serializers.FloatField()
    loss = serializers.FloatField()
    forfeit = serializers.FloatField()


TournamentStandingSerializer = shown(
    StandingsRow,
    only="rank bot points games wins draws losses forfeits byes tie_breaks decided_by stage group",
    name="TournamentStanding",
    bot=serializers.CharField(help_text="`owner/bot`."),
    forfeits="Included in the losses.",
    tie_breaks=serializers.DictField(child=serializers.FloatField()),
    decided_by="What ranks it above the next line: `stage`, `points`, `points_per_game`, "
    "a tie-break or `coin`; empty in the last line.",
    group=serializers.IntegerField(allow_null=True),
)


class TournamentStandingsSerializer(serializers.Serializer[Document]):
    """The standings after the rounds that you may see."""

    rounds_shown = serializers.IntegerField()
    scoring = TournamentScoreSerializer()
    tie_breaks = serializers.ListField(child=serializers.CharField())
    results = TournamentStandingSerializer(many=True)


class PairingEntrantSerializer(serializers.Serializer[Document]):
    bot = serializers.CharField()
    wins = serializers.IntegerField(
        allow_null=True, help_text="Null until the pairing is finished, as the next three."
    )
    draws = serializers.IntegerField(allow_null=True)
    losses = serializers.IntegerField(allow_null=True)
    forfeits = serializers.IntegerField(allow_null=True)


class PairingSerializer(serializers.Serializer[Document]):
    id = serializers.CharField()
    number = serializers.IntegerField()
    slot = serializers.CharField(help_text="Its slot in the bracket; otherwise empty.")
    decision = serializers.CharField(
        help_text="`bye`, `walkover`, `award` or `void`; empty if its games decide."
    )
    is_over = serializers.BooleanField()
    entrants = PairingEntrantSerializer(many=True)
    matches = serializers.ListField(child=serializers.CharField(), help_text="Ids of its matches.")


class TournamentRoundSerializer(serializers.Serializer[Document]):
    number = serializers.IntegerField()
    is_finished = serializers.BooleanField()
    pairings = PairingSerializer(many=True)


class CrosstableLineSerializer(serializers.Serializer[Document]):
    rank = serializers.IntegerField()
    bot = serializers.CharField()
    points = serializers.FloatField()
    against = serializers.ListField(
        child=serializers.FloatField(allow_null=True),
        help_text="Its points against the entrant of each line; null: no games.",
    )


class CrosstableSerializer(serializers.Serializer[Document]):
    rounds_shown = serializers.IntegerField()
    results = CrosstableLineSerializer(many=True)


class BracketLineSerializer(serializers.Serializer[BracketLine]):
    bot = serializers.SerializerMethodField(help_text="Null: not known yet.")
    seed = serializers.IntegerField()
    comes_from = SOURCE(source="source")
    has_won = serializers.BooleanField()

    def get_bot(self, line: BracketLine) -> str | None:
        return None if line.entrant is None else str(self.context["bots"][line.entrant])


class BracketCellSerializer(serializers.Serializer[BracketCell]):
    slot = serializers.CharField(help_text="The same as in pairings.")
    is_over = serializers.BooleanField()
    is_idle = serializers.BooleanField(help_text="Whether it is a final that need not be played.")
    lines = BracketLineSerializer(many=True)


class CellsField(serializers.ListField):
    """The slots of a column from top to bottom, with None for an unused one."""

    child = BracketCellSerializer(allow_null=True)


class CellsInSchema(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call] # registers itself
    """Describes the slots as nullable, which spectacular does not do for lists of serializers."""

    target_class = CellsField

    def map_serializer_field(self, auto_schema: "AutoSchema", direction: Direction) -> Any:  # noqa: ANN401 - a piece of JSON schema
        cell = auto_schema.resolve_serializer(BracketCellSerializer, direction).ref
        return build_array_type({"oneOf": [cell, {"type": "null"}]})


class BracketColumnSerializer(serializers.Serializer[BracketColumn]):
    number = serializers.IntegerField()
    round = serializers.IntegerField(help_text="The round in which it is played.")
    cells = CellsField(help_text="Null: an unused slot.")


class BracketSerializer(serializers.Serializer[Document]):
    """The bracket with future slots; no sections before the freeze or without a bracket."""

    rounds_shown = serializers.IntegerField()
    winner = serializers.CharField(allow_null=True)
    sections = shown(BracketSection, columns=BracketColumnSerializer(many=True))(many=True)


class TournamentLogEntrySerializer(serializers.Serializer[TournamentLogEntry]):
    at = serializers.DateTimeField()
    action = serializers.CharField()
    text = serializers.SerializerMethodField(help_text="A description in words.")
    round = serializers.IntegerField(source="round_number", allow_null=True)
    by = serializers.CharField(
        source="by.username",
        allow_null=True,
        default=None,
        help_text="Null: it happened automatically.",
    )
    reason = serializers.CharField()
    revision = serializers.SerializerMethodField(
        help_text="The revision of the tournament after it; null except for organizers."
    )

    def get_revision(self, entry: TournamentLogEntry) -> int | None:
        return entry.revision if self.context["sees_all"] else None

    def get_text(self, entry: TournamentLogEntry) -> str:
        return str(self.context["say"](entry))


class RoundReleaseSerializer(StrictSerializer):
    release = NamedChoiceField(of=Release)


class ExportSerializer(serializers.Serializer[Document]):
    table = serializers.ChoiceField(
        choices=sorted(exports.TABLES),
        required=False,
        help_text="One table, as comma-separated text in `csv`. Default: everything as JSON.",
    )
