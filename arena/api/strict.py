from typing import Any

from rest_framework import serializers


class StrictSerializer(serializers.Serializer[dict[str, Any]]):
    """A body of which every field is known: a typing error is no field that was left out."""

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse names that are none. Raise ValidationError."""
        unknown = sorted(set(self.initial_data) - set(self.fields))
        if unknown:
            known = ", ".join(self.fields) or "none"
            raise serializers.ValidationError(
                dict.fromkeys(unknown, f"There is no such field; there are: {known}."),
                code="unknown_field",
            )
        return attrs
