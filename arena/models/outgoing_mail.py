from django.db import models


class OutgoingMail(models.Model):
    """A mail that waits for its delivery, and is deleted after it.

    `content` has the arguments of Django's `EmailMultiAlternatives`. It can contain links that
    reset a password, so no message and no log has it. `attempt` counts the deliveries that began.
    """

    content = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)
    attempt = models.PositiveSmallIntegerField(default=0)
    not_before = models.DateTimeField(auto_now_add=True, db_index=True)

    def __str__(self) -> str:
        return f"mail {self.pk}"
