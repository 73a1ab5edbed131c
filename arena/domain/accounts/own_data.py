"""What the site keeps of one user: a file for this user to take away."""

from collections.abc import Iterable
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.db.models import QuerySet

from arena.models import Bot, Match, MatchKind, TournamentEntrant, User

ACCOUNT = (
    *("username", "email", "date_joined", "last_login", "is_staff", "closes_at"),
    *("banned_at", "banned_until", "ban_reason"),
)
ADDRESS = ("email", "verified", "primary")
SECOND_FACTOR = ("type", "created_at", "last_used_at")
CONNECTED_ACCOUNT = ("provider", "uid", "extra_data", "date_joined", "last_login")
TOKEN = ("public_id", "name", "scopes", "created", "last_used", "expiry")
NOTICE = ("kind", "text", "url", "created_at", "read_at", "is_mailed")
MAIL_PREFERENCE = ("kind", "is_wanted")
WEBHOOK = ("public_id", "receiver", "events", "created_at", "enabled_at")
BOT = ("slug", "name", "description", "created_at", "accepts_challenges", "gate_new_versions")
VERSION = (
    *("number", "filename", "size_bytes", "digest", "language", "variants"),
    *("status", "reason", "created_at"),
)
CHALLENGE = ("public_id", "status", "created_at")
ENTRY = ("tournament__slug", "bot__slug", "status")
TOURNAMENT = ("slug", "name", "created_at")
REPORT = (
    *("user__username", "bot__owner__username", "bot__slug", "tournament__slug"),
    *("reason", "text", "created_at", "closed_at"),
)
STAFF_ACTION = ("at", "action", "target", "reason")


def own_data(*, user: User) -> dict[str, Any]:
    """Return what is kept of a user: texts, numbers, times, and lists and dicts of them.

    Secrets are left out: the hash of the password, those of the tokens, and the keys of second
    factors and of webhooks. So are games, whose records and logs have addresses of their own.
    """
    entries = TournamentEntrant.objects.filter(bot__owner=user)
    challenges = Match.objects.filter(kind=MatchKind.CHALLENGE, requested_by=user)
    factors = Authenticator.objects.filter(user=user)
    return {
        "account": {name: getattr(user, name) for name in ACCOUNT},
        "email_addresses": _rows(EmailAddress.objects.filter(user=user), ADDRESS),
        "second_factors": _rows(factors, SECOND_FACTOR),
        "connected_accounts": _rows(SocialAccount.objects.filter(user=user), CONNECTED_ACCOUNT),
        "tokens": _rows(user.auth_token_set.all(), TOKEN),
        "notices": _rows(user.notices.all(), NOTICE),
        "mail_preferences": _rows(user.mail_preferences.all(), MAIL_PREFERENCE),
        "webhooks": _rows(user.webhooks.all(), WEBHOOK),
        "bots": [_bot(bot) for bot in user.bots.order_by("pk")],
        "challenges": _rows(challenges, CHALLENGE),
        "tournaments_organized": _rows(user.organized_tournaments.all(), TOURNAMENT),
        "tournament_entries": _rows(entries, ENTRY),
        "reports": _rows(user.abuse_reports.all(), REPORT),
        "staff_actions": _rows(user.staff_actions.all(), STAFF_ACTION),
    }


def _bot(bot: Bot) -> dict[str, Any]:
    address = f"/api/v1/bots/{bot.owner.username}/{bot.slug}/versions"
    versions = [
        {**version, "file": f"{address}/{version['number']}/archive"}
        for version in _rows(bot.versions.all(), VERSION)
    ]
    return {**{name: getattr(bot, name) for name in BOT}, "versions": versions}


def _rows(rows: QuerySet[Any], columns: Iterable[str]) -> list[dict[str, Any]]:
    return list(rows.order_by("pk").values(*columns))
