"""The refusals of the API, and how it answers refusals of the domain."""

from datetime import timedelta
from http import HTTPStatus
from typing import Self

from django.utils import timezone
from rest_framework import exceptions

from arena.api.throttling import CallerThrottle
from arena.domain.accounts import accounts
from arena.domain.accounts.quotas import OverQuota
from arena.domain.errors import InvalidInput, Refused
from arena.domain.tournaments.changes import Stale
from arena.models import User


class Problem(exceptions.APIException):
    """A refusal with a title and a hint; each subclass is a kind of refusal.

    `extra` adds members to the answer, which RFC 9457 allows.
    """

    title = "The request was refused"
    hint = ""

    def __init__(
        self, detail: str, *, code: str | None = None, hint: str | None = None, **extra: object
    ) -> None:
        super().__init__(detail, code or self.default_code)
        self.hint = self.hint if hint is None else hint
        self.extra = extra


class BodyTooLarge(Problem):
    status_code = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    default_code = "body_too_large"
    title = "The request is too large"
    hint = "Send less: most bots need a few hundred kilobytes. Leave out data and caches."


class LengthRequired(Problem):
    status_code = HTTPStatus.LENGTH_REQUIRED
    default_code = "length_required"
    title = "The request does not state its size"
    hint = "Send a Content-Length header instead of a chunked body."


class WrongCredentials(Problem):
    status_code = HTTPStatus.UNAUTHORIZED
    default_code = "wrong_credentials"
    title = "The sign-in failed"
    hint = "Check the user name and the password. POST /api/v1/users creates an account."
    auth_header = "Bearer"


class SecondFactorNeeded(Problem):
    status_code = HTTPStatus.FORBIDDEN
    default_code = "second_factor_needed"
    title = "A password is not enough for this account"
    hint = "Sign in on the pages of the site, and make a token at /account/tokens/."


class Banned(Problem):
    """The user of the token is banned; `banned_until` says until when, or is null if for good."""

    status_code = HTTPStatus.FORBIDDEN
    default_code = "banned"
    title = "This account is banned"
    hint = "Ask the operators of the site. What everybody may read needs no token."

    @classmethod
    def of(cls, user: User) -> Self:
        """Return the refusal for a banned user, with the reason."""
        return cls(accounts.ban_notice(user), banned_until=user.banned_until)


class RegistrationClosed(Problem):
    status_code = HTTPStatus.FORBIDDEN
    default_code = "registration_closed"
    title = "This site lets nobody register"
    hint = "Ask an operator of the site for an account."


class MissingScope(Problem):
    status_code = HTTPStatus.FORBIDDEN
    default_code = "missing_scope"
    title = "This token may not do that"


class NotYours(Problem):
    status_code = HTTPStatus.FORBIDDEN
    default_code = "not_yours"
    title = "This belongs to somebody else"
    hint = "Sign in as its owner."


class StaffOnly(Problem):
    status_code = HTTPStatus.FORBIDDEN
    default_code = "staff_only"
    title = "This is for staff"
    hint = "Ask an operator of the site."


class Conflict(Problem):
    status_code = HTTPStatus.CONFLICT
    default_code = "conflict"
    title = "The current state does not allow this"


class NameTaken(Conflict):
    default_code = "name_taken"
    title = "This name is taken"
    hint = "Choose another name. If it is your account, sign in with POST /api/v1/tokens."


class SlugTaken(Conflict):
    default_code = "slug_taken"
    title = "You already have a bot with this slug"
    hint = "Choose another slug, or upload a new version of that bot."


class NotFinished(Conflict):
    default_code = "not_finished"
    title = "The match is not over"
    hint = "Ask again when GET /api/v1/matches/<id> shows the match as finished."


class NotAcceptable(Problem):
    """A refusal of the domain; the code says which one."""

    status_code = HTTPStatus.BAD_REQUEST
    default_code = "refused"


class TooManyRequests(Problem):
    """A limit is reached; the caller may repeat the request after `wait_s` seconds.

    `ratelimit` has the same members for limits on calls and for quotas: the limit, how many it
    allows, how many are left, and when that changes, in seconds and as a time.
    """

    status_code = HTTPStatus.TOO_MANY_REQUESTS
    default_code = "rate_limited"
    title = "Too many requests"
    hint = "Wait for the time that Retry-After gives."

    def __init__(self, detail: str, *, code: str | None, key: str, limit: int, wait_s: int) -> None:
        ratelimit = {
            "key": key,
            "limit": limit,
            "remaining": 0,
            "seconds": wait_s,
            "reset_at": timezone.now() + timedelta(seconds=wait_s),
        }
        super().__init__(detail, code=code, ratelimit=ratelimit)
        self.wait_s = wait_s


class Unavailable(Problem):
    """The database does not answer."""

    status_code = HTTPStatus.SERVICE_UNAVAILABLE
    default_code = "unavailable"
    title = "The site is not available at the moment"
    hint = "Send the same request again after the time that Retry-After gives."
    wait_s = 5


class PreconditionFailed(Problem):
    """The tournament has changed since the caller looked at it; `revision` is the current one."""

    status_code = HTTPStatus.PRECONDITION_FAILED
    default_code = "stale"
    title = "The tournament has changed in the meantime"
    hint = "GET it again, then send the request with the new ETag in If-Match."


class PreconditionRequired(Problem):
    status_code = HTTPStatus.PRECONDITION_REQUIRED
    default_code = "precondition_required"
    title = "The request needs the header If-Match"
    hint = "GET the tournament, and send its ETag in the header If-Match."


class NoDryRun(Problem):
    status_code = HTTPStatus.BAD_REQUEST
    default_code = "no_dry_run"
    title = "There is no dry run of this request"
    hint = "Nothing was changed. Send the request without dry_run to make the change."


class BadIdempotencyKey(Problem):
    status_code = HTTPStatus.BAD_REQUEST
    default_code = "bad_idempotency_key"
    title = "The Idempotency-Key is not valid"
    hint = "Send a new random key with every new request, such as a UUID."


class Unprocessable(Problem):
    """A request that contradicts an earlier one."""

    status_code = HTTPStatus.UNPROCESSABLE_ENTITY
    default_code = "unprocessable"
    title = "The request contradicts an earlier one"


CONFLICTS = (
    "already_active",
    "already_entered",
    "already_invited",
    "bot_paused",
    "bracket_goes_on",
    "drawn_from",
    "entries_closed",
    "frozen_already",
    "gone_on",
    "has_left",
    "idempotency_key_at_work",
    "is_organizer",
    "ladder_closed",
    "last_organizer",
    "match_open",
    "match_over",
    "match_rerun",
    "no_house_bots",
    "no_other_version",
    "no_rehearsal",
    "no_version",
    "nobody_to_take",
    "not_in",
    "not_invited",
    "not_paused",
    "not_ready",
    "owner_banned",
    "nothing_changes",
    "pairing_award",
    "pairing_bye",
    "pairing_void",
    "pairing_walkover",
    "paused",
    "pool_full",
    "registration_closed",
    "rehearsal_hidden",
    "rehearsal_in_work",
    "rehearsal_of_rehearsal",
    "rehearsal_running",
    "release_order",
    "rounds_follow",
    "terms_fixed",
    "times_past",
    "too_few_entrants",
    "too_many_bots",
    "too_many_games",
    "too_many_of_owner",
    "too_many_open",
    "too_many_organizers",
    "too_many_pending",
    "too_many_seats",
    "too_many_tokens",
    "too_many_tournaments",
    "too_many_trials",
    "too_many_webhooks",
    "tournament_full",
    "tournament_over",
    "trial_over",
    "trial_running",
    "unwilling",
    "version_not_ready",
    "version_paused",
    "version_retired",
    "versions_frozen",
    "webhook_off",
    "withdraw_in_console",
    "wrong_status",
)
KINDS: dict[str, type[Problem]] = {
    "no_second_factor": SecondFactorNeeded,
    **dict.fromkeys(CONFLICTS, Conflict),
    **dict.fromkeys(("not_an_organizer", "not_your_bot", "not_yours"), NotYours),
    "idempotency_key_reused": Unprocessable,
    "not_finished": NotFinished,
    "too_large": BodyTooLarge,
}
HINTS = {
    "empty_file": "Check that the file was written completely before you sent it.",
    "idempotency_key_at_work": "Send the same request again in a moment.",
    "idempotency_key_reused": "Send a new random key with every new request, such as a UUID.",
    "no_runtime": "Write the bot in one of these languages, or ask the operator of the site.",
    "no_second_factor": "Sign in on the pages of the site, and add one at /accounts/2fa/.",
    "no_rehearsal": "POST /api/v1/tournaments/<slug>/cancel ends a tournament.",
    "no_such_match": "GET /api/v1/tournaments/<slug>/rounds has the ids of matches and pairings.",
    "no_such_pairing": "GET /api/v1/tournaments/<slug>/rounds has the ids of pairings.",
    "not_an_organizer": "Ask one of the organizers. GET /api/v1/tournaments/<slug> names them.",
    "not_your_bot": "Sign in as its owner.",
    "terms_fixed": "POST /api/v1/tournaments/<slug>/acts makes single corrections.",
    "times_past": "PATCH /api/v1/tournaments/<slug> changes freezes_at and starts_at.",
    "too_many_bots": "Upload a new version of one of your bots instead.",
    "too_many_open": "GET /api/v1/challenges lists yours; DELETE /api/v1/challenges/<id> ends one.",
    "too_many_pending": "See the checklists of the earlier versions.",
    "too_many_seats": "DELETE /api/v1/seats/<match> ends one.",
    "too_many_tokens": "GET /api/v1/tokens lists them; DELETE /api/v1/tokens/<id> revokes one.",
    "too_many_tournaments": "GET /api/v1/tournaments?mine=1 lists them.",
    "too_many_trials": "GET /api/v1/bots/<owner>/<bot>/versions/<n>/trials lists trials; "
    "POST /api/v1/trials/<id>/cancel cancels one.",
    "too_many_webhooks": "GET /api/v1/webhooks lists yours; DELETE /api/v1/webhooks/<id> ends one.",
    "unknown_variant": "GET /api/v1/variants lists all variants.",
    "version_not_ready": "See its checklist.",
    "version_retired": "Upload it again as a new version.",
    "webhook_off": 'PATCH /api/v1/webhooks/<id> with {"is_on": true} switches it on.',
    "withdraw_in_console": "Use POST /api/v1/tournaments/<slug>/acts, first with ?dry_run=1.",
    "wrong_extension": "Rename the file, or send the folder of the bot as a .zip.",
    "wrong_status": "GET /api/v1/tournaments/<slug> shows its status.",
}


def refusal_of(refused: Refused) -> exceptions.APIException:
    """Return the problem for a refusal of the domain: its status, hint and field."""
    if isinstance(refused, InvalidInput):
        return exceptions.ValidationError(refused.errors)
    if isinstance(refused, OverQuota):
        return TooManyRequests(
            refused.message,
            code=refused.code,
            key=str(refused.usage.kind),
            limit=refused.usage.limit or 0,
            wait_s=refused.retry_after_s,
        )
    if isinstance(refused, Stale):
        return PreconditionFailed(refused.message, revision=refused.revision)
    kind = KINDS.get(refused.code, NotAcceptable)
    row = {"field": refused.field, "code": refused.code, "message": refused.message}
    return kind(
        refused.message,
        code=refused.code,
        hint=HINTS.get(refused.code),
        errors=[row] if refused.field else [],
    )


def throttled(limit: CallerThrottle) -> TooManyRequests:
    """Return the refusal for a limit on calls that is reached."""
    return TooManyRequests(
        limit.says.format(limit=limit.limit, window_s=limit.window_s),
        code=None,
        key=limit.key,
        limit=limit.limit,
        wait_s=limit.seconds,
    )
