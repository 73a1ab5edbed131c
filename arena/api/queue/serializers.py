from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from arena.api.fields import shown
from arena.api.pagination import NumberedPageSerializer
from arena.domain.queue.alarms import Alarm
from arena.domain.queue.first_game_waits import Waits
from arena.domain.queue.queue_places import LATEST, QueueRow, WaitsFor
from arena.models import Match, MatchKind


class QueuePlaceSerializer(serializers.Serializer[QueueRow]):
    """A match or a version that is waiting or running."""

    position = serializers.IntegerField(
        allow_null=True, help_text="From 1, in the order in which they begin; null: running."
    )
    kind = serializers.ChoiceField(
        choices=["version", *MatchKind.values],
        help_text="`version`: the checks of an upload; otherwise the kind of the match.",
    )
    status = serializers.CharField()
    waits_for = serializers.ChoiceField(choices=list(WaitsFor))
    reason = serializers.CharField(help_text="The same in words, with details.")
    since = serializers.DateTimeField(
        allow_null=True, help_text="When it was started, or entered the queue."
    )
    match = serializers.SerializerMethodField(
        help_text="Id of the match; null for a version, and if you may not see it."
    )
    ladder = serializers.SerializerMethodField(
        help_text="The ladder of the match; null if `match` is null."
    )
    bots = serializers.SerializerMethodField(
        help_text="`owner/bot` of its bots; empty for a rated match until a runner begins it, and "
        "for a match of a tournament that you may not see yet."
    )
    url = serializers.SerializerMethodField(help_text="Its page; null if you may not see it.")

    def get_match(self, place: QueueRow) -> str | None:
        return place.row.public_id if isinstance(place.row, Match) else None

    def get_ladder(self, place: QueueRow) -> str | None:
        return place.row.ladder.slug if isinstance(place.row, Match) else None

    def get_bots(self, place: QueueRow) -> list[str]:
        if isinstance(place.row, Match):
            return [str(entrant.version.bot) for entrant in place.row.entrants.all()]
        return [str(place.row.bot)] if place.row else []

    def get_url(self, place: QueueRow) -> str | None:
        return place.row.get_absolute_url() if place.row else None


class QueueAlarmSerializer(serializers.Serializer[Alarm]):
    """The oldest due entry has waited too long; the operators are alerted."""

    oldest_s = serializers.IntegerField()
    limit_s = serializers.IntegerField()


FirstGameSerializer = shown(
    Waits,
    name="FirstGame",
    doc="""The time from an upload to its first rated game, of all uploads since then.

Those that are still waiting count as taking longer than they have waited (Kaplan and Meier,
1958). A quantile is null if so many are waiting that it is longer than any measured time.""",
    longest_s="The longest time that one took or has waited; null: there is none.",
    counted="Versions that have played that game.",
    waiting="Versions that have not played it yet.",
)


@extend_schema_serializer(many=False)
class QueueSerializer(serializers.Serializer[dict[str, Any]]):
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    in_work = serializers.IntegerField(help_text="In the whole queue, as the next three.")
    waiting = serializers.IntegerField()
    runners = serializers.IntegerField(
        help_text="Active runners, judged by their jobs; 0: none is active although jobs wait."
    )
    longest_wait_s = serializers.IntegerField(
        help_text="Of the oldest entry that a free runner would take."
    )
    latest_began_s = serializers.IntegerField(
        allow_null=True,
        help_text=f"The latest {LATEST} matches began within it; null: fewer have begun.",
    )
    alarm = QueueAlarmSerializer(allow_null=True)
    first_game = FirstGameSerializer()
    results = QueuePlaceSerializer(many=True)


class QueuePageSerializer(NumberedPageSerializer):
    """Which page of the queue is requested."""

    mine = serializers.BooleanField(
        default=False, help_text="Only entries of your bots; needs a token."
    )
