import base64
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from arena.api.fields import NamedChoiceField, shown
from arena.domain.matches import evidence
from arena.models import (
    Game,
    GameEvidence,
    GameLog,
    GameStatus,
    Match,
    MatchEntrant,
    MatchKind,
    MatchStatus,
    RatingEvent,
    RecordKey,
)
from engine import registry, signature
from engine.story import Moment, Story, TurningPoint

StorySerializer = shown(
    Story,
    seats="In the order of turns.",
    moments=shown(
        Moment,
        name="StoryMoment",
        hidden_bits="By seat: log2 of how many ways to deal the ranks that it does not see fit all"
        " it has seen: 0 also where no rank is hidden. Empty for a game whose rules cannot tell.",
        lost="By seat: pieces that have left the board.",
        used_ms="By seat: time charged to its clock; 0 for a person.",
    )(many=True),
    turning_points=shown(
        TurningPoint,
        seat="Who learned more than the other at this ply.",
        bits="How much more.",
    )(many=True),
)


class RatingChangeSerializer(serializers.Serializer[RatingEvent]):
    before = serializers.FloatField(
        allow_null=True, help_text="Its Elo in the latest fit before the match ended; null: none."
    )
    after = serializers.FloatField(
        allow_null=True, help_text="Its Elo in the first fit with the match; null until then."
    )
    expected = serializers.FloatField(
        help_text="The share of the points that the ratings before predict, from 0 to 1."
    )
    score = serializers.FloatField(help_text="The actual share.")


class MatchEntrantSerializer(serializers.Serializer[MatchEntrant]):
    position = serializers.IntegerField(help_text="The number that `seats` of a game refers to.")
    owner = serializers.CharField(source="version.bot.owner.username")
    bot = serializers.CharField(source="version.bot.slug")
    name = serializers.CharField(source="version.bot.name")
    version = serializers.IntegerField(source="version.number")
    is_remote = serializers.BooleanField(
        source="version.is_remote", help_text="Whether it plays from home, over the network."
    )
    points = serializers.FloatField(
        allow_null=True,
        help_text="Points of its side over all games. Null until the match is finished.",
    )
    rating = serializers.SerializerMethodField()

    @extend_schema_field(RatingChangeSerializer(allow_null=True))
    def get_rating(self, entrant: MatchEntrant) -> dict[str, float] | None:
        """Return the change of the rating; null if the match is not rated (yet)."""
        # Loops over the prefetched rows of the match, because a filter would query again.
        for event in entrant.match.rating_events.all():
            if event.version_id == entrant.version_id:
                return dict(RatingChangeSerializer(event).data)
        return None


class GameSerializer(serializers.Serializer[Game]):
    number = serializers.IntegerField()
    status = NamedChoiceField(of=GameStatus)
    seats = serializers.DictField(
        child=serializers.IntegerField(), help_text="The position of the entrant, by seat."
    )
    outcome = serializers.DictField(
        child=serializers.FloatField(), allow_null=True, help_text="Points by side."
    )
    termination = serializers.ChoiceField(choices=registry.terminations(), allow_blank=True)
    fault = serializers.CharField(help_text="The seat that forfeited, or `platform`; may be empty.")
    detail = serializers.CharField(
        source="told_detail", help_text="Explains the termination; empty until the match is over."
    )
    plies = serializers.IntegerField()
    duration_ms = serializers.IntegerField(allow_null=True)
    isolation = serializers.CharField(
        help_text="The isolation of the programs, such as `docker (runsc)`; empty until played."
    )
    is_unsafe = serializers.BooleanField(help_text="Whether it ran without a container.")
    url = serializers.CharField(source="get_absolute_url", help_text="The page of the game.")


class MatchSerializer(serializers.Serializer[Match]):
    id = serializers.CharField(source="public_id")
    ladder = serializers.CharField(source="ladder.slug")
    variant = serializers.CharField(source="ladder.variant")
    kind = NamedChoiceField(of=MatchKind)
    is_rated = serializers.BooleanField(
        help_text="Whether it counts for the ladder. Challenges and annulled matches do not."
    )
    annulled = serializers.CharField(
        source="annulment.reason",
        allow_null=True,
        default=None,
        help_text="Why staff annulled it; null: it is not annulled.",
    )
    requested_by = serializers.CharField(
        source="requested_by.username",
        allow_null=True,
        default=None,
        help_text="The user who requested it; null: nobody did.",
    )
    status = NamedChoiceField(of=MatchStatus)
    waiting_reason = serializers.CharField(help_text="Why it is waiting; otherwise empty.")
    failure = serializers.CharField(help_text="Why it failed or was cancelled; otherwise empty.")
    rerun_of = serializers.CharField(source="rerun_of.public_id", allow_null=True, default=None)
    commitment = serializers.CharField(
        help_text="The SHA-256 of `drapeau/commitment of match ID/SECRET`."
    )
    secret = serializers.CharField(
        source="shown_secret",
        help_text="What all chance of the match follows from. Empty until the match is over.",
    )
    place = serializers.CharField(
        help_text="Its place in its tournament, from which and from the secret of the tournament "
        "the secret of the match follows; otherwise empty."
    )
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    entrants = MatchEntrantSerializer(
        many=True, help_text="Empty for a rated match that no runner has begun."
    )
    games = GameSerializer(many=True, help_text="Empty as long as `entrants` is.")
    url = serializers.CharField(source="get_absolute_url", help_text="The page of the match.")


class MatchFilterSerializer(serializers.Serializer[dict[str, Any]]):
    """Describes the filters for the schema; `domain.matches.filters` reads them."""

    bot = serializers.CharField(required=False, help_text="`owner/bot`: a bot in the match.")
    opponent = serializers.CharField(
        required=False, help_text="`owner/bot`: another bot in the match; needs `bot`."
    )
    ladder = serializers.CharField(required=False, help_text="Slug of a ladder.")
    termination = serializers.ChoiceField(
        choices=registry.terminations(),
        required=False,
        help_text="How at least one of its games ended.",
    )
    rated = serializers.BooleanField(
        required=False, help_text="Whether it counts for its ladder, or will when it is finished."
    )
    since = serializers.DateTimeField(
        required=False, help_text="A date or a time (ISO 8601, UTC): created then or later."
    )
    kind = NamedChoiceField(of=MatchKind, required=False)
    status = NamedChoiceField(of=MatchStatus, required=False)


class SeatLogSerializer(serializers.Serializer[GameLog]):
    position = serializers.IntegerField()
    seat = serializers.CharField()
    stderr = serializers.CharField()


class RemarkSerializer(serializers.Serializer[dict[str, Any]]):
    ply = serializers.IntegerField(help_text="Of the action; 0 in the opening deployment.")
    note = serializers.CharField(required=False)
    belief = serializers.DictField(
        child=serializers.DictField(child=serializers.FloatField()),
        required=False,
        help_text="By id of a piece and rank, the probability that the bot gave.",
    )


class SeatRemarksSerializer(serializers.Serializer[dict[str, Any]]):
    seat = serializers.CharField()
    cut_at_ply = serializers.IntegerField(
        allow_null=True, help_text="From which ply on there was no room, or null."
    )
    remarks = RemarkSerializer(many=True)


class SeatEvidenceSerializer(serializers.Serializer[GameEvidence]):
    position = serializers.IntegerField()
    seat = serializers.CharField()
    request = serializers.SerializerMethodField(
        help_text="The last line that the bot got, as text."
    )
    received = serializers.SerializerMethodField(
        help_text="Its answer: text with escapes, or a hex dump if it is not UTF-8."
    )
    request_base64 = serializers.SerializerMethodField()
    received_base64 = serializers.SerializerMethodField()
    charged_ms = serializers.FloatField(help_text="Charged for this request.")
    allowance_ms = serializers.FloatField(help_text="The time that was allowed for this request.")
    wall_ms = serializers.FloatField()
    cpu_ms = serializers.FloatField(allow_null=True, help_text="Since the start of the bot.")
    peak_memory_bytes = serializers.IntegerField(allow_null=True)
    exit_status = serializers.IntegerField(allow_null=True, help_text="Null: the bot did not exit.")
    signal = serializers.IntegerField(
        allow_null=True, help_text="The signal that ended the bot; null: none."
    )

    def get_request(self, row: GameEvidence) -> str:
        return evidence.readable(row.request)

    def get_received(self, row: GameEvidence) -> str:
        return evidence.readable(row.received)

    def get_request_base64(self, row: GameEvidence) -> str:
        return base64.b64encode(row.request).decode()

    def get_received_base64(self, row: GameEvidence) -> str:
        return base64.b64encode(row.received).decode()


class RecordKeySerializer(serializers.Serializer[RecordKey]):
    id = serializers.CharField(
        source="key_id", help_text="The first digits of the SHA-256 of the public key."
    )
    algorithm = serializers.CharField(default=signature.ALGORITHM)
    public_key = serializers.CharField(help_text="32 bytes, hexadecimal.")
    valid_from = serializers.DateTimeField(format=signature.INSTANT)
    retired_at = serializers.DateTimeField(
        format=signature.INSTANT,
        allow_null=True,
        help_text="Signatures dated later do not hold. Null while the key signs.",
    )
    revoked_at = serializers.DateTimeField(
        format=signature.INSTANT,
        allow_null=True,
        help_text="Since when no signature of the key holds, because others may know the key.",
    )
