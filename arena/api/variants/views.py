"""The variants: seats, options, the JSON Schema of their lines, and their ledgers."""

from dataclasses import asdict
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from arena.api.base import ApiViewSet
from arena.api.fields import listed, listing
from arena.api.variants.serializers import VariantSerializer
from arena.domain.variants import rulebook
from engine import registry
from engine.errors import UnknownVariant
from engine.variant import Variant


class VariantViewSet(ApiViewSet):
    lookup_path = "<str:slug>"

    def get_object(self) -> Variant[Any]:
        """Return the variant by its slug, with or without its version. Raise NotFound."""
        try:
            return registry.find(self.kwargs["slug"])
        except UnknownVariant as problem:
            raise NotFound(str(problem)) from problem

    @extend_schema(responses=listing(VariantSerializer))
    def list(self, _request: Request) -> Response:
        """List the variants with their seats, sides and options."""
        return Response(listed(VariantSerializer, registry.variants().values()))

    @extend_schema(responses=VariantSerializer)
    def retrieve(self, _request: Request, **_address: object) -> Response:
        """Show a variant by its slug, with or without its version."""
        return Response(VariantSerializer(self.get_object()).data)

    @extend_schema(operation_id="variant_schema", responses=OpenApiTypes.OBJECT)
    @action(detail=True, url_path="schema", url_name="schema")
    def wire_schema(self, _request: Request, **_address: object) -> Response:
        """Show the lines of the protocol as a JSON Schema."""
        return Response(self.get_object().schema())

    @extend_schema(responses=OpenApiTypes.OBJECT)
    @action(detail=True)
    def ledger(self, _request: Request, **_address: object) -> Response:
        """Show every rule of a variant with its source and its tests."""
        variant = self.get_object()
        sentences = [asdict(sentence) for sentence in rulebook.ledger(variant.slug)]
        return Response({"variant": variant.name, "sentences": sentences})
