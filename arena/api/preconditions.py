"""`ETag` and `If-Match`: what two people change at once is not lost (RFC 9110, RFC 6585).

The tag of a tournament is its revision. A change that was decided upon an older one is refused with
412, and one that names none, where that is needed, with 428.
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

IF_MATCH = OpenApiParameter(
    HEADER,
    str,
    OpenApiParameter.HEADER,
    required=True,
    description="The ETag of the tournament that you looked at. Where it is another one by now, "
    "nothing is done and the answer is 412.",
)
IF_MATCH_AT_WILL = OpenApiParameter(
    HEADER, str, OpenApiParameter.HEADER, description=f"{IF_MATCH.description} Not needed here."
)
IF_MATCH_TO_DO = OpenApiParameter(
    HEADER,
    str,
    OpenApiParameter.HEADER,
    description=f"{IF_MATCH.description} Needed, but for a dry run.",
)
ETAG = OpenApiParameter(
    "ETag",
    str,
    OpenApiParameter.HEADER,
    response=True,
    description="The revision of the tournament, for If-Match.",
)


def tag_of(tournament: "Tournament") -> str:
    """Return the entity tag of a tournament as it is."""
    return f'"{tournament.revision}"'


def require_match(request: Request, tournament: "Tournament", *, needed: bool = True) -> int | None:
    """Return the revision that the caller looked at; None where any will do.

    Raise PreconditionFailed where it is not the present one, PreconditionRequired where there is
    no header and one is needed. A weak tag matches nothing, as RFC 9110 section 13.1.1 has it.
    """
    header = request.headers.get(HEADER)
    if header is None:
        if needed:
            raise PreconditionRequired(
                "Nothing says which state of the tournament you have looked at."
            )
        return None
    tags = [part.strip() for part in header.split(",")]
    if tags == [ANY]:
        return None
    if tag_of(tournament) in tags:
        return tournament.revision
    if not all(SHAPE.fullmatch(tag) for tag in tags):
        said = f"If-Match has the ETag in quotes, such as {tag_of(tournament)}; not {header[:80]}."
        raise PreconditionFailed(said, revision=tournament.revision)
    raise PreconditionFailed(
        "The tournament was changed since you looked at it, by somebody else or by a new round.",
        revision=tournament.revision,
    )


def tagged(tournament: "Tournament", response: Response) -> Response:
    """Put the tag of the tournament on an answer that shows it."""
    response["ETag"] = tag_of(tournament)
    return response
