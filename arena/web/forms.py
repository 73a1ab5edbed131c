"""Forms for input of visitors. The domain checks what needs the database or the file's content."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from django import forms
from django.contrib import messages
from django.http import HttpRequest
from django.utils.functional import lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from arena.domain.accounts import permissions
from arena.domain.accounts.quotas import OverQuota
from arena.domain.bots import languages
from arena.domain.errors import InvalidInput, Refused
from arena.domain.webhooks import receivers, webhooks
from arena.models import NoticeKind, Scope, User
from arena.texts import Text, accounts
from botkit.package import UPLOAD_MAX_BYTES
from engine import registry

T = TypeVar("T")


def show_refusal(form: forms.BaseForm, refusal: Refused) -> None:
    """Show a refusal of the domain beside the fields that it is about, or above the form.

    Raise OverQuota again, because a quota has a page of its own.
    """
    if isinstance(refusal, OverQuota):
        raise refusal
    errors = (
        refusal.errors if isinstance(refusal, InvalidInput) else {refusal.field: [refusal.message]}
    )
    for field, texts in errors.items():
        shown_at = field if field in form.fields else _STANDS_FOR.get(field)
        for text in texts:
            form.add_error(shown_at if shown_at in form.fields else None, text)


def submitted(form: forms.Form, act: Callable[[], T]) -> T | None:
    """Return the result of an action if the form is valid and the domain does not refuse it.

    Otherwise return None; the errors are in the form. Raise OverQuota.
    """
    if form.is_valid():
        try:
            return act()
        except Refused as refusal:
            show_refusal(form, refusal)
    return None


def attempt(request: HttpRequest, done: Text, act: Callable[[], object]) -> bool:
    """Run the action of a button. Return False if the domain refused it.

    The next page shows `done`, or why it was refused.
    """
    try:
        act()
    except Refused as refusal:
        messages.error(request, refusal.message)
        return False
    messages.success(request, done)
    return True


def confirmation(dry_run: object | None, confirm: forms.Form) -> dict[str, Any]:
    """Return a dry run and a fresh form that confirms exactly that dry run.

    The hidden fields of the form are attributes of the dry run. `refused` has the errors of the
    form that the user sent.
    """
    if dry_run is None:
        return {"dry_run": None}
    hidden = [field.name for field in confirm.hidden_fields()]
    fresh = {name: getattr(dry_run, name) for name in hidden}
    return {
        "dry_run": dry_run,
        "form": type(confirm)(initial={**fresh, "reason": confirm.data.get("reason", "")}),
        "refused": confirm.errors if confirm.is_bound else {},
    }


# A bot's short name is made from its name, so show its errors beside the name.
_STANDS_FOR = {"slug": "name", "opponents": "third"}


def _what_a_file_is() -> str:
    text = gettext("One %(suffixes)s file, or a .zip with a drapeau.toml. At most 5 MiB.")
    return text % {"suffixes": languages.suffixes()}


class UploadForm(forms.Form):
    """An upload: the file and the variants that it plays."""

    most_bytes = UPLOAD_MAX_BYTES

    file = forms.FileField(
        label=_("File"),
        allow_empty_file=True,  # the domain refuses an empty file with its own message
        help_text=lazy(_what_a_file_is, str)(),
        widget=forms.FileInput,
    )
    variants = forms.MultipleChoiceField(
        label=_("Variants"),
        choices=lambda: [(slug, variant.title) for slug, variant in registry.variants().items()],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_(
            "If you choose none, drapeau.toml decides. If that names none, the bot plays every game"
            " whose checks it passes."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - those of a form
        """Create a form for the files that this site can run."""
        super().__init__(*args, **kwargs)
        self.fields["file"].widget.attrs["accept"] = ",".join(languages.extensions())

    def upload(self) -> dict[str, Any]:
        """Return the values of the valid form as arguments of `bots.submit_version`."""
        file = self.cleaned_data["file"]
        return {
            "filename": file.name,
            "data": file.read(),
            "variants": self.cleaned_data["variants"],
        }


class BotTextsForm(forms.Form):
    """What a bot is called, and what its owner says about it."""

    name = forms.CharField(
        label=_("Name"),
        max_length=60,
        help_text=_("The name on the leaderboard. The address of the bot stays."),
    )
    description = forms.CharField(
        label=_("Description"),
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class BotForm(BotTextsForm, UploadForm):
    """A new bot with its first version."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - those of a form
        """Create a form that says where the address comes from."""
        super().__init__(*args, **kwargs)
        help_text = _("The name on the leaderboard. The address is made from it.")
        self.fields["name"].help_text = help_text


class CloseForm(forms.Form):
    """The name of the account that is closed, typed to confirm it."""

    username = forms.CharField(label=_("The name of your account"), max_length=32)

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:  # noqa: ANN401 - those of a form
        """Create a form that only the name of this user confirms."""
        super().__init__(*args, **kwargs)
        self._user = user

    def clean_username(self) -> str:
        """Return the name. Raise ValidationError if it is not that of the account."""
        typed = str(self.cleaned_data["username"])
        if typed != self._user.username:
            text = gettext("This is not the name of your account, which is %(name)s.")
            raise forms.ValidationError(text % {"name": self._user.username})
        return typed


class MailForm(forms.Form):
    """Which kinds of notices the site also mails."""

    kinds = forms.MultipleChoiceField(
        label=_("Write to me when"),
        choices=NoticeKind.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )


class TokenForm(forms.Form):
    """A new API token."""

    name = forms.CharField(
        label=_("Name"),
        max_length=80,
        help_text=_("Where you will use it, such as “laptop”."),
    )
    scopes = forms.MultipleChoiceField(
        label=_("It may"),
        choices=list(accounts.SCOPES.items()),
        initial=[str(Scope.READ), str(Scope.BOTS_WRITE)],
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:  # noqa: ANN401 - those of a form
        """Create a form with the scopes that the user can use."""
        super().__init__(*args, **kwargs)
        if not permissions.may_see_staff_pages(user):
            of_staff = str(Scope.STAFF_WRITE)
            choices = [choice for choice in accounts.SCOPES.items() if choice[0] != of_staff]
            cast("forms.MultipleChoiceField", self.fields["scopes"]).choices = choices


class WebhookForm(forms.Form):
    """Where a webhook sends to, and what. The domain checks the address."""

    receiver = forms.CharField(
        label=_("URL"),
        max_length=receivers.URL_MAX_LENGTH,
        help_text=_("Such as https://example.org/drapeau. The site sends POST requests there."),
        widget=forms.TextInput(attrs={"inputmode": "url", "autocomplete": "off"}),
    )
    events = forms.MultipleChoiceField(
        label=_("Tell it when"),
        choices=[(event.value, event.label) for event in webhooks.EVENTS],
        widget=forms.CheckboxSelectMultiple,
    )
