from typing import Any

from rest_framework import serializers

from arena.domain.accounts.quotas import WINDOW, Usage

BOT_NAME = r"\A[^/]+/[^/]+\Z"


class BotNameField(serializers.RegexField):
    """`owner/bot`."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 - those of a field
        super().__init__(
            BOT_NAME, error_messages={"invalid": "Write owner/bot, such as ada/greedy."}, **options
        )


class NewChallengeSerializer(serializers.Serializer[dict[str, Any]]):
    bot = BotNameField(help_text="A bot of yours, as `owner/bot`.")
    version = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=2**31 - 1,
        help_text="One of its ready versions; without it the active one.",
    )
    opponents = serializers.ListField(
        child=BotNameField(),
        max_length=8,
        allow_empty=False,
        help_text="Who it is to meet, as `owner/bot`: one, or two where three meet.",
    )
    ladder = serializers.CharField(
        max_length=40, help_text="Slug of the ladder whose rules and clock are played; unrated."
    )


class QuotaSerializer(serializers.Serializer[Usage]):
    """What you may have of something in a stretch of time, and what you have had."""

    key = serializers.CharField(source="kind", help_text="`uploads` or `challenges`.")
    limit = serializers.IntegerField(allow_null=True, help_text="Null: you have no limit.")
    used = serializers.IntegerField()
    remaining = serializers.IntegerField(allow_null=True)
    window_s = serializers.SerializerMethodField(help_text="The latest so many seconds count.")
    reset_at = serializers.DateTimeField(
        allow_null=True, help_text="When one more is free; null: none is used."
    )

    def get_window_s(self, usage: Usage) -> int:  # noqa: ARG002 - the same for every quota
        return int(WINDOW.total_seconds())
