from typing import Any

from rest_framework import serializers

from arena.models import Notice


class NoticeSerializer(serializers.Serializer[Notice]):
    """A message of the site."""

    text = serializers.CharField()
    url = serializers.CharField(help_text="The page that it is about, or empty.")
    created_at = serializers.DateTimeField()
    read_at = serializers.DateTimeField(allow_null=True)


class ReadSerializer(serializers.Serializer[dict[str, Any]]):
    marked = serializers.IntegerField(help_text="How many had not been read.")
