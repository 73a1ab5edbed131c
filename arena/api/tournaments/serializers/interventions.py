from typing import Any

from rest_framework import serializers

from arena.api.strict import StrictSerializer
from arena.api.tournaments.serializers.entrants import BOT
from arena.api.tournaments.serializers.rounds import TournamentLogEntrySerializer
from arena.domain.formats.shapes import Row
from arena.domain.tournaments.interventions import trying
from arena.domain.tournaments.interventions.trying import DryRun, Line
from arena.domain.tournaments.rehearsal.findings import Report, Sight


class ReasonSerializer(StrictSerializer):
    reason = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=500,
        help_text="Public, and kept; needed to pause and to cancel.",
    )


class OrganizerSerializer(StrictSerializer):
    username = serializers.CharField(max_length=150)


class NewActSerializer(StrictSerializer):
    """What is done; each act needs something of its own.

    `void`, `rerun`: match · `award`: pairing, and entrant (null: all share it) · `substitute`:
    entrant, and version (another of its bot) · `withdraw`, `disqualify`: entrant · `add_rounds`:
    count · `add_matches`: pairing, count · `postpone`: freezes_at, starts_at or both.
    """

    act = serializers.ChoiceField(choices=list(trying.ACTS))
    match = serializers.CharField(required=False, max_length=32, help_text="Id of a match.")
    pairing = serializers.CharField(required=False, max_length=32, help_text="Id of a pairing.")
    entrant = serializers.RegexField(
        BOT, required=False, allow_null=True, help_text="`owner/bot`, one that is in."
    )
    version = serializers.IntegerField(required=False, min_value=1, help_text="Its number.")
    count = serializers.IntegerField(required=False, help_text="How many more.")
    freezes_at = serializers.DateTimeField(required=False, allow_null=True)
    starts_at = serializers.DateTimeField(required=False, allow_null=True)
    reason = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=500, help_text="Public, and kept."
    )
    seen = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=10_000,
        help_text="As the dry run said, to do exactly that.",
    )


class PlaceSerializer(serializers.Serializer[Row]):
    rank = serializers.IntegerField()
    points = serializers.FloatField()
    games = serializers.IntegerField()


class StandingsLineSerializer(serializers.Serializer[Line]):
    bot = serializers.CharField(source="entrant.bot.__str__")
    before = PlaceSerializer()
    after = PlaceSerializer()
    moves = serializers.BooleanField(help_text="Whether its rank would be another.")


class ActDryRunSerializer(serializers.Serializer[DryRun]):
    """The standings before and after, best first. `seen` is sent along to have this done."""

    lines = StandingsLineSerializer(many=True)
    notes = serializers.ListField(child=serializers.CharField(), help_text="What to know of it.")
    revision = serializers.IntegerField()
    seen = serializers.CharField()


class ActedSerializer(serializers.Serializer[dict[str, Any]]):
    """What an act would do, or the log entry of one that is done."""

    done = serializers.BooleanField()
    shown = ActDryRunSerializer(allow_null=True, help_text="Of a dry run; else null.")
    entry = TournamentLogEntrySerializer(allow_null=True, help_text="Null for a dry run.")


class SightSerializer(serializers.Serializer[Sight]):
    code = serializers.ChoiceField(choices=["bye", "tie", "crash", "withdrawal"])
    seen = serializers.BooleanField()
    round = serializers.IntegerField(allow_null=True, help_text="The first in which it was seen.")


class RehearsalReportSerializer(serializers.Serializer[Report]):
    """What a rehearsal has shown so far."""

    sights = SightSerializer(many=True)
    complete = serializers.BooleanField(help_text="Whether all was seen.")
    rounds = serializers.IntegerField()
    matches = serializers.IntegerField()
    games = serializers.IntegerField()
    failed = serializers.IntegerField()
    took_s = serializers.SerializerMethodField()
    game_s = serializers.FloatField(allow_null=True)

    def get_took_s(self, report: Report) -> float | None:
        return report.took.total_seconds() if report.took else None


class RehearsalSerializer(serializers.Serializer[dict[str, Any]]):
    slug = serializers.CharField()
    status = serializers.CharField()
    report = RehearsalReportSerializer()


class RehearsalsSerializer(serializers.Serializer[dict[str, Any]]):
    results = RehearsalSerializer(many=True)
