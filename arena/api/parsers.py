"""Parsers of request bodies. They check the stated size before they read a byte."""

from collections.abc import Mapping
from io import BytesIO
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import DataAndFiles, JSONParser, MultiPartParser
from rest_framework.request import Request

from arena.api.refusals import BodyTooLarge
from engine.strict_json import BadJson, read_json

JSON_BODY_BYTES = 64 * 1024
JSON_ESCAPE_BYTES = 6  # the most that one byte of text can take: \u0022
FORM_OVERHEAD_BYTES = 64 * 1024  # boundaries, part headers and the text fields beside the file


def require_body_within(request: Request, limit_bytes: int) -> None:
    """Raise BodyTooLarge if the stated size of the body is over the limit.

    The server never passes on more than the stated size, so nothing larger can reach memory. A
    body without a stated size is never parsed.
    """
    stated_bytes = int(request.META["CONTENT_LENGTH"])
    if stated_bytes > limit_bytes:
        raise BodyTooLarge(
            f"The request has {stated_bytes} bytes; at most {limit_bytes} are read here.",
            limit_bytes=limit_bytes,
        )


class SmallJSONParser(JSONParser):
    """Reads JSON up to the size of a form, plus the `text_limit_bytes` of the view.

    No key of an object may stand twice: the caller and the site could each mean another one.
    """

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        if parser_context:
            text_bytes: int = parser_context["view"].text_limit_bytes
            limit_bytes = JSON_BODY_BYTES + text_bytes * JSON_ESCAPE_BYTES
            require_body_within(parser_context["request"], limit_bytes)
        body = stream.read()
        try:
            values = super().parse(BytesIO(body), media_type, parser_context)
            read_json(body)
        except RecursionError as exc:
            raise ParseError("The JSON is nested too deeply.") from exc
        except BadJson as exc:
            raise ParseError(f"The JSON cannot be used: {exc}.") from exc
        return values


class UploadParser(MultiPartParser):
    """Reads a multipart form with one file of at most the `upload_limit_bytes` of the view."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> "DataAndFiles[Any, Any]":
        if parser_context:
            limit_bytes = parser_context["view"].upload_limit_bytes + FORM_OVERHEAD_BYTES
            require_body_within(parser_context["request"], limit_bytes)
        return super().parse(stream, media_type, parser_context)
