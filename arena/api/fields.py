from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from django.db.models import TextChoices
from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

if TYPE_CHECKING:
    from drf_spectacular.openapi import AutoSchema


@cache
def listing(
    row: type[serializers.Serializer[Any]], name: str = "", key: str = "results"
) -> type[serializers.Serializer[Any]]:
    """Return the serializer of an answer with all rows of a list. Its name is theirs with an s."""
    name = name or f"{row.__name__.removesuffix('Serializer')}s"
    answer = type(name, (serializers.Serializer,), {key: row(many=True)})
    return extend_schema_serializer(many=False)(answer)


def listed(
    row: type[serializers.Serializer[Any]],
    rows: Iterable[Any],
    key: str = "results",
    context: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the answer that `listing` describes."""
    return {key: row(rows, many=True, context=context or {}).data}


class NamedChoiceField(serializers.ChoiceField):
    """A choice of `of`. The schema has one component for it, with the name of that class."""

    def __init__(self, *, of: type[TextChoices], **options: Any) -> None:  # noqa: ANN401 - those of a field
        super().__init__(choices=of.choices, **options)
        self.of = of


class BotNameField(serializers.RegexField):
    """`owner/bot`."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 - those of a field
        super().__init__(
            r"\A[^/\0]+/[^/\0]+\Z",
            error_messages={"invalid": "Write owner/bot, such as ada/greedy."},
            **options,
        )


class NamedChoiceExtension(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call] # registers itself
    """Describes the field by a component of the schema."""

    target_class = NamedChoiceField

    def get_name(self) -> str:
        return str(self.target.of.__name__)

    def map_serializer_field(self, auto_schema: "AutoSchema", direction: Any) -> dict[str, Any]:  # noqa: ANN401, ARG002 - the signature of spectacular
        blank = [""] if self.target.allow_blank else []
        return {"type": "string", "enum": [*self.target.of.values, *blank]}
