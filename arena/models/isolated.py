from django.db import models
from django.utils.translation import gettext_lazy as _

SAFE = "docker"


class Isolated(models.Model):
    """A row about running programs. `isolation` is their level, or empty before they ran."""

    isolation = models.CharField(_("isolation"), max_length=20, blank=True, default="")

    class Meta:
        abstract = True

    @property
    def is_unsafe(self) -> bool:
        """Whether the programs ran at a level that cannot contain untrusted programs."""
        return self.isolation not in ("", SAFE)
