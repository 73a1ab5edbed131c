from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _


class RecordKey(models.Model):
    """The public half of a key that signs records. The private half is not in the database.

    Instants are the database's. A key that has retired or is revoked does not sign any more.
    """

    key_id = models.CharField(_("key"), max_length=16, unique=True)
    public_key = models.CharField(_("public key"), max_length=64, unique=True)
    valid_from = models.DateTimeField(_("valid from"), db_default=Now())
    retired_at = models.DateTimeField(_("retired at"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked at"), null=True, blank=True)

    class Meta:
        ordering = ["valid_from", "pk"]

    def __str__(self) -> str:
        return self.key_id
