from django.db import models
from django.utils.translation import gettext_lazy as _

SAFE = "docker"
HOME = "remote"  # nothing ran on this site


class Isolated(models.Model):
    """A row about running programs.

    `isolation` is their level, or empty before they ran. After a safe level stands the OCI runtime
    of its containers: `docker (runsc)`.
    """

    isolation = models.CharField(_("isolation"), max_length=80, blank=True, default="")

    class Meta:
        abstract = True

    @property
    def is_unsafe(self) -> bool:
        """Whether the programs ran at a level that cannot contain untrusted programs."""
        return self.isolation.partition(" ")[0] not in ("", SAFE, HOME)

    @property
    def oci_runtime(self) -> str:
        """The OCI runtime of the containers; empty if there were none."""
        level, _space, runtime = self.isolation.partition(" ")
        return runtime.removeprefix("(").removesuffix(")") if level == SAFE else ""
