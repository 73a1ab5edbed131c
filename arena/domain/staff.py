"""What staff does, written down for good; nothing here is ever changed or taken back."""

from collections.abc import Mapping
from typing import Any

from arena.models import StaffAction, User

TARGET_LENGTH = 200
URL_LENGTH = 200


def note(
    *,
    by: User,
    action: str,
    target: str,
    url: str = "",
    reason: str = "",
    details: Mapping[str, Any] | None = None,
) -> StaffAction:
    """Write down that `by` did `action` to `target`, whose page is at `url`.

    `details` are the numbers that go with it, as JSON has them. Called in the transaction that does
    it, so that neither is there without the other.
    """
    return StaffAction.objects.create(
        by=by,
        action=action,
        target=target[:TARGET_LENGTH],
        url=url[:URL_LENGTH],
        reason=reason,
        details=dict(details or {}),
    )
