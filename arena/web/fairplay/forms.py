"""Forms of staff: which matches, since when, and why; and the form of a report to staff."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from arena.domain import addresses
from arena.domain.errors import Refused
from arena.domain.fairplay.abuse_reports import LONGEST_TEXT
from arena.domain.moderation import LONGEST_REASON
from arena.models import AbuseDecision, AbuseReason, Bot, Ladder, Match


class ChoiceForm(forms.Form):
    """One match by its id, or a bot's matches on a ladder."""

    match = forms.CharField(
        label=_("Match"),
        required=False,
        widget=forms.TextInput(attrs={"placeholder": "m_7Hq…"}),
    )
    ladder = forms.ModelChoiceField(
        label=_("on the ladder"),
        queryset=Ladder.objects.order_by("slug"),
        to_field_name="slug",
        required=False,
    )
    bot = forms.CharField(
        label=_("or a bot"),
        required=False,
        widget=forms.TextInput(attrs={"placeholder": _("owner/bot")}),
    )
    since = forms.DateField(
        label=_("since (UTC)"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
    )

    def clean_match(self) -> Match | None:
        """Return the match with this id."""
        text = self.cleaned_data["match"].strip()
        if not text:
            return None
        match = Match.objects.select_related("ladder").filter(public_id=text).first()
        if match is None:
            raise forms.ValidationError(_("There is no match of this id."))
        return match

    def clean_bot(self) -> Bot | None:
        """Return the bot with this name."""
        text = self.cleaned_data["bot"].strip()
        if not text:
            return None
        try:
            return addresses.find_bot(text)
        except Refused as refusal:
            raise forms.ValidationError(refusal.message) from refusal

    def clean(self) -> dict[str, Any]:
        """Require either a match, or a bot and a ladder."""
        cleaned: dict[str, Any] = super().clean() or {}
        whole = cleaned.get("bot") and cleaned.get("ladder")
        if not self.errors and not cleaned.get("match") and not whole:
            raise forms.ValidationError(_("Name a match, or a bot and a ladder."))
        return cleaned


class ConfirmCorrectionForm(forms.Form):
    """The confirmation of a dry run: its digest, its last finish number, and the reason."""

    digest = forms.CharField(widget=forms.HiddenInput)
    until = forms.IntegerField(min_value=0, required=False, widget=forms.HiddenInput)
    reason = forms.CharField(
        label=_("Reason"),
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Everybody will read it on the page of the ladder."),
    )


class ReasonForm(forms.Form):
    """The reason why a match is ended or played again."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("The page of the match shows it."),
    )


class LogForm(forms.Form):
    """The filter of the log of staff actions."""

    by = forms.CharField(label=_("By"), required=False)
    action = forms.CharField(label=_("Action"), required=False)
    text = forms.CharField(label=_("Text"), required=False)
    since = forms.DateField(
        label=_("Since"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )


class AbuseReportForm(forms.Form):
    """A report to staff."""

    reason = forms.ChoiceField(label=_("What is wrong?"), choices=AbuseReason)
    text = forms.CharField(
        label=_("Details"),
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("What did you see, and where? Name matches if it is about them."),
    )


class CloseReportForm(forms.Form):
    """The decision of staff about a report."""

    decision = forms.ChoiceField(label=_("Decision"), choices=AbuseDecision)
    note = forms.CharField(
        label=_("Note"),
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Only staff reads it. The reporter is told that somebody has looked at it."),
    )


class InternalReasonForm(forms.Form):
    """The reason of an action, which only the log of staff has."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Only the log of staff has it."),
    )


class RenameForm(InternalReasonForm):
    """Another name for a user, a bot or a tournament."""

    name = forms.CharField(
        label=_("New name"),
        max_length=80,
        help_text=_("The address is made from it. Old addresses end."),
    )
    field_order = ["name", "reason"]


class BanForm(forms.Form):
    """How long a user is banned, and why."""

    until = forms.DateField(
        label=_("Until"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text=_("It ends when this day begins, in UTC. Without a day, the ban is for good."),
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("The user reads it when signing in."),
    )
