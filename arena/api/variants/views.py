"""The games: seats and options, what their bots read and write, and their rules one by one."""

from dataclasses import asdict
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from arena.api.base import ApiView
from arena.api.variants.serializers import VariantSerializer, VariantsSerializer
from arena.domain.variants import rulebook
from engine import registry
from engine.errors import UnknownVariant
from engine.variant import Variant


class VariantsView(ApiView):
    @extend_schema(operation_id="variant_list", responses=VariantsSerializer)
    def get(self, request: Request) -> Response:  # noqa: ARG002 - as routed
        """List the variants with their seats, sides and options."""
        return Response(VariantsSerializer({"results": registry.variants().values()}).data)


class VariantView(ApiView):
    @extend_schema(operation_id="variant_get", responses=VariantSerializer)
    def get(self, request: Request, slug: str) -> Response:  # noqa: ARG002 - as routed
        """Show a variant, found by its slug or with its version."""
        return Response(VariantSerializer(_find(slug)).data)


class VariantSchemaView(ApiView):
    @extend_schema(operation_id="variant_schema", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, slug: str) -> Response:  # noqa: ARG002 - as routed
        """Show the lines of the wire as a JSON Schema."""
        return Response(_find(slug).schema())


class VariantLedgerView(ApiView):
    @extend_schema(operation_id="variant_ledger", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, slug: str) -> Response:  # noqa: ARG002 - as routed
        """Show every rule of a variant with its source and the tests that hold it."""
        found = _find(slug)
        sentences = [asdict(sentence) for sentence in rulebook.ledger(found.slug)]
        return Response({"variant": found.name, "sentences": sentences})


def _find(slug: str) -> Variant[Any]:
    try:
        return registry.find(slug)
    except UnknownVariant as problem:
        raise NotFound(str(problem)) from problem
