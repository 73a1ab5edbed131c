from enum import StrEnum

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from knox.settings import CONSTANTS

from arena.models.public_ids import new_token_id


class Scope(StrEnum):
    """The scopes of tokens: what a token may be used for."""

    READ = "read"
    BOTS_WRITE = "bots:write"
    CHALLENGES_WRITE = "challenges:write"
    SEATS_WRITE = "seats:write"
    TOURNAMENTS_WRITE = "tournaments:write"
    STAFF_WRITE = "staff:write"


def every_scope() -> list[str]:
    """Return the scopes of a token that may do everything that its owner may do."""
    return [str(scope) for scope in Scope]


class ApiToken(models.Model):
    """A bearer token. Only its SHA-512 is stored, so it can be shown only once.

    The first five columns are those of knox, which finds tokens by them.
    """

    digest = models.CharField(max_length=CONSTANTS.DIGEST_LENGTH, primary_key=True)
    token_key = models.CharField(
        max_length=CONSTANTS.MAXIMUM_TOKEN_PREFIX_LENGTH + CONSTANTS.TOKEN_KEY_LENGTH, db_index=True
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="auth_token_set"
    )
    created = models.DateTimeField(_("created"), auto_now_add=True)
    expiry = models.DateTimeField(_("expires"), null=True, blank=True)
    public_id = models.CharField(max_length=32, unique=True, default=new_token_id, editable=False)
    name = models.CharField(_("name"), max_length=80)
    scopes = models.JSONField(_("scopes"), default=every_scope)
    last_used = models.DateTimeField(_("last used"), null=True, blank=True)

    class Meta:
        ordering = ["-created"]
        verbose_name = _("API token")

    def __str__(self) -> str:
        return f"{self.name} ({self.public_id})"

    def allows(self, scope: str) -> bool:
        """Return whether the token has this scope."""
        return scope in self.scopes
