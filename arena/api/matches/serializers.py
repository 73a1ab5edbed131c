import base64
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from arena.api.choices import NamedChoiceField
from arena.domain.matches import evidence
from arena.domain.ratings.explanations import Explanation, GameLine
from arena.models import (
    Bot,
    Game,
    GameEvidence,
    GameLog,
    GameStatus,
    Match,
    MatchEntrant,
    MatchKind,
    MatchStatus,
    RatingEvent,
)
from engine.outcome import Termination


class RatingChangeSerializer(serializers.Serializer[RatingEvent]):
    before = serializers.FloatField()
    after = serializers.FloatField()
    expected = serializers.FloatField(help_text="Expected share of the points, from 0 to 1.")
    score = serializers.FloatField(help_text="The share it got.")
    k = serializers.FloatField()


class MatchEntrantSerializer(serializers.Serializer[MatchEntrant]):
    position = serializers.IntegerField(help_text="What `seats` of a game refer to.")
    owner = serializers.CharField(source="version.bot.owner.username")
    bot = serializers.CharField(source="version.bot.slug")
    name = serializers.CharField(source="version.bot.name")
    version = serializers.IntegerField(source="version.number")
    points = serializers.FloatField(
        allow_null=True, help_text="Its side's, over the games. Null until the match is finished."
    )
    rating = serializers.SerializerMethodField()

    @extend_schema_field(RatingChangeSerializer(allow_null=True))
    def get_rating(self, entrant: MatchEntrant) -> dict[str, float] | None:
        """Return what the match was worth; null where it is not rated for this entrant (yet)."""
        # Read from the prefetched rows of the match: a filter would ask the database again.
        for event in entrant.match.rating_events.all():
            if event.version_id == entrant.version_id:
                return dict(RatingChangeSerializer(event).data)
        return None


class GameSerializer(serializers.Serializer[Game]):
    number = serializers.IntegerField()
    status = NamedChoiceField(of=GameStatus)
    seats = serializers.DictField(
        child=serializers.IntegerField(), help_text="Seat to position of the entrant."
    )
    outcome = serializers.DictField(
        child=serializers.FloatField(), allow_null=True, help_text="Side to points."
    )
    termination = serializers.ChoiceField(choices=list(Termination), allow_blank=True)
    fault = serializers.CharField(help_text="The seat that forfeited, `platform`, or empty.")
    detail = serializers.CharField()
    plies = serializers.IntegerField()
    duration_ms = serializers.IntegerField(allow_null=True)
    isolation = serializers.CharField(help_text="What the programs ran in; empty until played.")
    is_unsafe = serializers.BooleanField(help_text="Whether they ran outside of containers.")
    url = serializers.CharField(source="get_absolute_url", help_text="The page of the game.")


class MatchSerializer(serializers.Serializer[Match]):
    id = serializers.CharField(source="public_id")
    ladder = serializers.CharField(source="ladder.slug")
    variant = serializers.CharField(source="ladder.variant")
    kind = NamedChoiceField(of=MatchKind)
    is_rated = serializers.BooleanField(
        help_text="Whether it counts for the ladder: no challenge does, nor what was annulled."
    )
    annulled = serializers.CharField(
        source="annulment.reason", allow_null=True, default=None, help_text="Why staff annulled it."
    )
    requested_by = serializers.CharField(
        source="requested_by.username", allow_null=True, default=None, help_text="If it was a user."
    )
    status = NamedChoiceField(of=MatchStatus)
    waiting_reason = serializers.CharField(help_text="Why it waits; else empty.")
    failure = serializers.CharField(help_text="Why it failed or was cancelled; else empty.")
    rerun_of = serializers.CharField(source="rerun_of.public_id", allow_null=True, default=None)
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    entrants = MatchEntrantSerializer(many=True)
    games = GameSerializer(many=True)
    url = serializers.CharField(source="get_absolute_url", help_text="The page of the match.")


class MatchFilterSerializer(serializers.Serializer[dict[str, Any]]):
    """Only describes the filters: `domain.filters` reads them."""

    bot = serializers.CharField(required=False, help_text="`owner/bot`: it was in the match.")
    opponent = serializers.CharField(
        required=False, help_text="`owner/bot`: it was there as well; needs `bot`."
    )
    ladder = serializers.CharField(required=False, help_text="Slug of a ladder.")
    termination = serializers.ChoiceField(
        choices=list(Termination), required=False, help_text="How one of its games ended."
    )
    rated = serializers.BooleanField(
        required=False, help_text="Whether it counts for its ladder, or will."
    )
    since = serializers.DateTimeField(
        required=False, help_text="A date or an instant (ISO 8601, UTC): it was made then or later."
    )
    kind = NamedChoiceField(of=MatchKind, required=False)
    status = NamedChoiceField(of=MatchStatus, required=False)


class SeatLogSerializer(serializers.Serializer[GameLog]):
    position = serializers.IntegerField()
    seat = serializers.CharField()
    stderr = serializers.CharField()


class GameLogSerializer(serializers.Serializer[dict[str, Any]]):
    logs = SeatLogSerializer(many=True)


class SeatEvidenceSerializer(serializers.Serializer[GameEvidence]):
    position = serializers.IntegerField()
    seat = serializers.CharField()
    request = serializers.SerializerMethodField(help_text="The last line it was sent, as text.")
    received = serializers.SerializerMethodField(
        help_text="What came back: text with escapes, or a dump where it is not UTF-8."
    )
    request_base64 = serializers.SerializerMethodField()
    received_base64 = serializers.SerializerMethodField()
    charged_ms = serializers.FloatField(help_text="For this request.")
    allowance_ms = serializers.FloatField(help_text="What it might have cost.")
    wall_ms = serializers.FloatField()
    cpu_ms = serializers.FloatField(allow_null=True, help_text="Since the bot was started.")
    peak_memory_bytes = serializers.IntegerField(allow_null=True)
    exit_status = serializers.IntegerField(allow_null=True, help_text="Null: no such end.")
    signal = serializers.IntegerField(allow_null=True, help_text="That ended it; null: none did.")

    def get_request(self, row: GameEvidence) -> str:
        return evidence.readable(row.request)

    def get_received(self, row: GameEvidence) -> str:
        return evidence.readable(row.received)

    def get_request_base64(self, row: GameEvidence) -> str:
        return base64.b64encode(row.request).decode()

    def get_received_base64(self, row: GameEvidence) -> str:
        return base64.b64encode(row.received).decode()


class GameEvidenceSerializer(serializers.Serializer[dict[str, Any]]):
    """Empty where none of your bots forfeited."""

    evidence = SeatEvidenceSerializer(many=True)


class NumberedSerializer(serializers.Serializer[tuple[Bot, float]]):
    """A bot and its number before the match."""

    bot = serializers.CharField(help_text="`owner/bot`.")
    rating = serializers.FloatField()


class GameLineSerializer(serializers.Serializer[GameLine]):
    """What a game was worth: expected = 1 / (1 + 10 ** ((others - own) / 400))."""

    number = serializers.IntegerField()
    own = serializers.SerializerMethodField(help_text="The bots of its side.")
    others = serializers.SerializerMethodField(help_text="Those of the other side.")
    own_number = serializers.FloatField(help_text="The mean of its side.")
    others_number = serializers.FloatField()
    expected = serializers.FloatField()
    points = serializers.FloatField()
    weight = serializers.FloatField(help_text="In the means of the match.")

    @extend_schema_field(NumberedSerializer(many=True))
    def get_own(self, line: GameLine) -> list[dict[str, Any]]:
        return _numbered(line.own)

    @extend_schema_field(NumberedSerializer(many=True))
    def get_others(self, line: GameLine) -> list[dict[str, Any]]:
        return _numbered(line.others)


class ExplanationSerializer(serializers.Serializer[Explanation]):
    """Why a number changed: change = k * (score - expected), the last two means over the games."""

    bot = serializers.CharField(help_text="`owner/bot`.")
    version = serializers.IntegerField()
    before = serializers.FloatField()
    after = serializers.FloatField()
    change = serializers.FloatField()
    k = serializers.FloatField()
    k_reason = serializers.CharField(help_text="Why K is what it is, in words.")
    score = serializers.FloatField()
    expected = serializers.FloatField()
    annulled = serializers.BooleanField(help_text="Staff annulled the match: it counts no longer.")
    games = GameLineSerializer(many=True)


class ExplanationsSerializer(serializers.Serializer[dict[str, Any]]):
    """Empty where the match is not rated (yet)."""

    results = ExplanationSerializer(many=True)


def _numbered(pairs: list[tuple[Bot, float]]) -> list[dict[str, Any]]:
    return [{"bot": str(bot), "rating": number} for bot, number in pairs]
