"""`Idempotency-Key`: a write that is sent twice is done once and answered twice.

This follows draft-ietf-httpapi-idempotency-key-header. Keys belong to a user, so only requests that
need a token take one. A refusal or a failure of the site changes nothing and frees the key.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.http import QueryDict
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from arena.api.refusals import BadIdempotencyKey
from arena.domain.accounts import idempotency
from arena.domain.accounts.idempotency import StoredResponse
from arena.models import User

HEADER = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"
SHAPE = re.compile(r"[\x21-\x7e]{1,200}")

Handler = Callable[..., Response]


def done_once(handler: Handler, user: User) -> Handler:
    """Wrap a handler, so that it runs once for all requests of the user with the same key."""

    def handle(request: Request, *args: object, **kwargs: object) -> Response:
        key = request.headers.get(HEADER)
        if key is None:
            return handler(request, *args, **kwargs)
        if not SHAPE.fullmatch(key):
            raise BadIdempotencyKey("A key is 1 to 200 visible ASCII characters.")
        # The fields of a form are hashed one by one, because each sending has another boundary.
        digest = hashlib.sha256()
        for part in _parts(request):
            digest.update(len(part).to_bytes(8, "big") + part)
        claim = idempotency.claim(user=user, key=key, digest=digest.hexdigest())
        if isinstance(claim, StoredResponse):
            data = json.loads(claim.body) if claim.body else None
            return Response(data, status=claim.status, headers={**claim.headers, REPLAYED: "true"})
        try:
            with transaction.atomic():
                response = handler(request, *args, **kwargs)
                body = b"" if response.data is None else JSONRenderer().render(response.data)
                headers = {
                    name: value for name, value in response.items() if name != "Content-Type"
                }
                idempotency.keep(
                    claim=claim, answer=StoredResponse(response.status_code, headers, body)
                )
        except BaseException:
            idempotency.free(claim=claim)
            raise
        return response

    return handle


def _parts(request: Request) -> Iterator[bytes]:
    yield str(request.method).encode()
    yield request.get_full_path().encode()
    body: Any = request.data
    if not isinstance(body, QueryDict):
        yield json.dumps(body, sort_keys=True).encode()
        return
    for name in sorted(body):
        for value in body.getlist(name):
            yield name.encode()
            if isinstance(value, UploadedFile):
                yield (value.name or "").encode()
                yield hashlib.sha256(value.read()).digest()
                value.seek(0)
            else:
                yield str(value).encode()
