"""`dry_run=1`: a write whose answer says what would come of it, and of which nothing is kept.

Where a view does not know dry runs, one that is asked for is refused: who asks for it does not want
the thing done.
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
    """What a view makes of a dry run."""

    REFUSED = auto()
    TAKEN_BACK = auto()  # it does the thing and takes it back
    OWN = auto()  # the handler itself shows more than its answer


class ModeSerializer(Serializer[dict[str, bool]]):
    dry_run = BooleanField(default=False, help_text="1: show what it would do, and do nothing.")


def asked(request: Request, dry_runs: DryRuns) -> bool:
    """Return whether a request asks for a dry run.

    Raise NoDryRun where the view knows none, ValidationError where it is neither yes nor no.
    """
    form = ModeSerializer(data=request.query_params)
    form.is_valid(raise_exception=True)
    dry_run: bool = form.validated_data["dry_run"]
    if dry_run and dry_runs is DryRuns.REFUSED:
        raise NoDryRun("There is no dry run of this.")
    return dry_run


def take_back(handler: Handler) -> Handler:
    """Wrap a handler, so that neither a row nor a message is left of what it does.

    Nothing was made, so nothing says where it is, and no state has a tag.
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
