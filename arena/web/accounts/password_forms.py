"""The forms of django-allauth for a new password, which also end what the old one gave."""

from allauth.account import forms as allauth_forms
from django import forms
from django.utils.translation import gettext_lazy as _

from arena.domain.accounts import accounts


class ChangePasswordForm(allauth_forms.ChangePasswordForm):  # type: ignore[misc] # allauth has no types
    """Other sessions end in any case, API tokens if the user wants it."""

    end_tokens = forms.BooleanField(
        label=_("Also revoke all my API tokens"), required=False, initial=True
    )

    def save(self) -> None:
        """Store the new password."""
        super().save()
        accounts.end_old_access(user=self.user, end_tokens=self.cleaned_data["end_tokens"])


class ResetPasswordKeyForm(allauth_forms.ResetPasswordKeyForm):  # type: ignore[misc] # allauth has no types
    """Sessions and API tokens end, because the account may be in other hands."""

    def save(self) -> None:
        """Store the new password."""
        super().save()
        accounts.end_old_access(user=self.user, end_tokens=True)
