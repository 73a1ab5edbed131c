from collections.abc import Iterable, Mapping
from copy import deepcopy
from datetime import datetime
from enum import StrEnum
from functools import cache
from types import NoneType
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints

from django.db.models import TextChoices
from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

if TYPE_CHECKING:
    from drf_spectacular.openapi import AutoSchema

AnyField = serializers.Field[Any, Any, Any, Any]
FIELDS: dict[type, type[AnyField]] = {
    str: serializers.CharField,
    int: serializers.IntegerField,
    float: serializers.FloatField,
    bool: serializers.BooleanField,
    datetime: serializers.DateTimeField,
}


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


def shown(
    of: type, *, only: str = "", name: str = "", doc: str = "", **more: str | AnyField
) -> type[serializers.Serializer[Any]]:
    """Return the serializer of a dataclass, with a field for each of its own by its type.

    `only` names the fields and properties that are shown, if not all fields are. `more` has the
    help text of a field, or another field in its place. `name` is that of the component.
    """
    hints = get_type_hints(of)
    fields: dict[str, AnyField] = {}
    for key in dict.fromkeys([*(only.split() or hints), *more]):
        given = more.get(key, "")
        if isinstance(given, str):
            hint = hints.get(key) or get_type_hints(getattr(of, key).fget)["return"]
            given = _field(hint, help_text=given or None)
        fields[key] = deepcopy(given)  # REST framework sorts fields by when they were made
    made = {**fields, "__doc__": doc or None}
    return type(name or of.__name__, (serializers.Serializer,), made)


def _field(hint: Any, **options: Any) -> AnyField:  # noqa: ANN401 - a type, and the options of a field
    args = get_args(hint)
    if NoneType in args:
        return _field(args[0], allow_null=True, **options)
    if get_origin(hint) is Mapping:
        return serializers.DictField(child=_field(args[1]), **options)
    if args:
        return serializers.ListField(child=_field(args[0]), **options)
    if issubclass(hint, StrEnum):
        return serializers.ChoiceField(choices=list(hint), **options)
    return FIELDS[hint](**options)


class NamedChoiceField(serializers.ChoiceField):
    """A choice of `of`. The schema has one component for it, with the name of that class."""

    def __init__(self, *, of: type[TextChoices], **options: Any) -> None:  # noqa: ANN401 - those of a field
        super().__init__(choices=of.choices, **options)
        self.of = of


class ReasonField(serializers.CharField):
    """The reason of a change of a tournament, which everybody may read."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 - those of a field
        super().__init__(required=False, default="", allow_blank=True, max_length=500, **options)


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
