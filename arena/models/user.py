from django.contrib.auth.models import AbstractUser, AnonymousUser
from django.core.validators import RegexValidator
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

# A name stands in URLs (`/@ada/`, `/bots/ada/…/`) and in a terminal: plain letters only.
USERNAME_VALIDATORS = [
    RegexValidator(
        r"\A[A-Za-z0-9](?:[A-Za-z0-9_-]{0,30}[A-Za-z0-9])?\Z",
        _("1 to 32 letters, digits, - or _; the first and the last a letter or a digit."),
    )
]


class User(AbstractUser):
    """Somebody who owns bots, or an operator."""

    username = models.CharField(
        _("name"),
        max_length=32,
        unique=True,
        validators=USERNAME_VALIDATORS,
        error_messages={"unique": _("This name is taken.")},
    )

    def __str__(self) -> str:
        return self.username

    def get_absolute_url(self) -> str:
        """Return the address of the user's page."""
        return reverse("user", args=[self.username])


Viewer = User | AnonymousUser | None  # None is the public
ANYBODY: Viewer = None


def is_staff(viewer: Viewer) -> bool:
    """Return whether the viewer is an operator who may use the site."""
    return viewer is not None and viewer.is_active and viewer.is_staff
