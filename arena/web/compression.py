"""Compression of pages and replays."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

COMPRESSED = ("text/html", "application/json", "application/atom+xml", "image/svg+xml")


class CompressionMiddleware(GZipMiddleware):
    """Compresses what browsers read as a whole: no stream of events, and nothing of the API.

    A compressed answer has a weak ETag, and clients of the API need strong ones for `If-Match`.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Return the answer, compressed if it is one of these and the client takes that."""
        kind = response.get("Content-Type", "").partition(";")[0]
        if kind not in COMPRESSED or request.path.startswith("/api/"):
            return response
        return super().process_response(request, response)
