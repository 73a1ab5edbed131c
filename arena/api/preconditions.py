"""`ETag` and `If-Match` against lost updates (RFC 9110, RFC 6585).

The tag of a tournament is its revision. A change based on an older revision gets 412. A change
without `If-Match`, where it is required, gets 428.
"""

import re
from typing import TYPE_CHECKING

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from arena.api.refusals import PreconditionFailed, PreconditionRequired

if TYPE_CHECKING:
    from arena.models import Tournament

HEADER = "If-Match"
SHAPE = re.compile(r'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"')
ANY = "*"

_SEEN = (
    "The ETag of the tournament that you have seen. If it has changed since, nothing is done and "
    "the answer is 412."
)
IF_MATCH_AT_WILL = OpenApiParameter(
    HEADER, str, OpenApiParameter.HEADER, description=f"{_SEEN} Optional here."
)
IF_MATCH_TO_DO = OpenApiParameter(
    HEADER, str, OpenApiParameter.HEADER, description=f"{_SEEN} Required, except for a dry run."
)
ETAG = OpenApiParameter(
    "ETag",
    str,
    OpenApiParameter.HEADER,
    response=True,
    description="The revision of the tournament, for If-Match.",
)


def tag_of(tournament: "Tournament") -> str:
    """Return the entity tag of a tournament."""
    return f'"{tournament.revision}"'


def require_match(request: Request, tournament: "Tournament", *, needed: bool = True) -> int | None:
    """Return the revision that the caller has seen; None if any revision is acceptable.

    Raise PreconditionFailed if it is not the current one, and PreconditionRequired if the header is
    required and missing. A weak tag matches nothing (RFC 9110, section 13.1.1).
    """
    header = request.headers.get(HEADER)
    if header is None:
        if needed:
            raise PreconditionRequired(
                "The request does not say which revision of the tournament you have seen."
            )
        return None
    tags = [part.strip() for part in header.split(",")]
    if tags == [ANY]:
        return None
    if tag_of(tournament) in tags:
        return tournament.revision
    if not all(SHAPE.fullmatch(tag) for tag in tags):
        detail = (
            f"If-Match needs the ETag in quotes, such as {tag_of(tournament)}, not {header[:80]}."
        )
        raise PreconditionFailed(detail, revision=tournament.revision)
    raise PreconditionFailed(
        "The tournament has changed since you looked at it, by somebody else or by a new round.",
        revision=tournament.revision,
    )


def tagged(tournament: "Tournament", response: Response) -> Response:
    """Add the tag of the tournament to an answer that shows it."""
    response["ETag"] = tag_of(tournament)
    return response
