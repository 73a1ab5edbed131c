"""`dry_run=1`: a write that answers with what it would do, and changes nothing.

A view without dry runs refuses `dry_run=1`, because the caller does not want the change to happen.
"""

from enum import Enum, auto

from django.db import transaction
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BooleanField, Serializer
from rest_framework.status import HTTP_200_OK, HTTP_201_CREATED, HTTP_202_ACCEPTED

from arena.api.idempotency import Handler
from arena.api.refusals import NoDryRun

HEADER = "Dry-Run"


class DryRuns(Enum):
    """How a view handles a dry run."""

    REFUSED = auto()
    TAKEN_BACK = auto()  # makes the change and rolls it back
    OWN = auto()  # the handler has a preview of its own


class ModeSerializer(Serializer[dict[str, bool]]):
    dry_run = BooleanField(
        default=False, help_text="1: show what the request would do, and change nothing."
    )


def is_requested(request: Request, dry_runs: DryRuns) -> bool:
    """Return whether a request asks for a dry run.

    Raise NoDryRun if the view has none, and ValidationError if the value is neither yes nor no.
    """
    form = ModeSerializer(data=request.query_params)
    form.is_valid(raise_exception=True)
    dry_run: bool = form.validated_data["dry_run"]
    if dry_run and dry_runs is DryRuns.REFUSED:
        raise NoDryRun("This request has no dry run.")
    return dry_run


def take_back(handler: Handler) -> Handler:
    """Wrap a handler, so that it leaves neither rows nor messages.

    The answer has no `Location` and no `ETag`, because nothing was created or changed.
    """

    def handle(request: Request, *args: object, **kwargs: object) -> Response:
        with transaction.atomic():
            response = handler(request, *args, **kwargs)
            transaction.set_rollback(True)
        if response.status_code in (HTTP_201_CREATED, HTTP_202_ACCEPTED):
            response.status_code = HTTP_200_OK
        for name in ("Location", "ETag"):
            response.headers.pop(name, None)
        response[HEADER] = "1"
        return response

    return handle
