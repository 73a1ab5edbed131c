"""Other forms of the console: confirmation of an intervention, steps, release of a round."""

from django import forms
from django.utils.translation import gettext_lazy

from arena.models import Release


class ConfirmInterventionForm(forms.Form):
    """The confirmation of a dry run: its digest and the reason."""

    revision = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    seen = forms.CharField(required=False, widget=forms.HiddenInput)
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=gettext_lazy("Everybody who sees the round will read it in the log."),
    )


class StageForm(forms.Form):
    """A step of the tournament's life cycle: the revision that the user saw, and the reason."""

    revision = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=500, required=False)


class ReleaseForm(forms.Form):
    """The visibility of a round."""

    revision = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    round = forms.IntegerField(min_value=1, widget=forms.HiddenInput)
    release = forms.ChoiceField(label=gettext_lazy("Who sees it"), choices=Release.choices)
