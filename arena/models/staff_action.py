from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from arena.models.append_only import AppendOnlyModel


class StaffAction(AppendOnlyModel):
    """Something that staff did, to what, and why; `details` are the numbers that go with it."""

    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="staff_actions"
    )
    action = models.CharField(_("action"), max_length=60)
    target = models.CharField(_("target"), max_length=200)
    url = models.CharField(max_length=200, blank=True, default="")
    reason = models.TextField(_("reason"), blank=True, default="")
    details = models.JSONField(_("details"), default=dict, blank=True)
    at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta(AppendOnlyModel.Meta):
        ordering = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.by}: {self.action} {self.target}"
