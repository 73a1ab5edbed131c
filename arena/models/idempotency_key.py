from django.conf import settings
from django.db import models
from django.db.models import Q


class IdempotencyKey(models.Model):
    """A request to write that a caller named, and the answer that it got, to be given again.

    `digest` is the SHA-256 of method, address and body; `status` is 0 while the first is at work.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="idempotency_keys"
    )
    key = models.CharField(max_length=200)
    digest = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    headers = models.JSONField(default=dict, blank=True)
    body = models.BinaryField(blank=True, default=b"")
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "key"], name="idempotency_key_once"),
            models.CheckConstraint(condition=~Q(key=""), name="idempotency_key_not_empty"),
        ]

    def __str__(self) -> str:
        return self.key
