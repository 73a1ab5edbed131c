"""The form above the list of matches. It uses GET, so that each filtered list has its own URL."""

from django import forms
from django.utils.choices import CallableChoiceIterator
from django.utils.translation import gettext_lazy as _

from arena.domain.errors import InvalidInput
from arena.domain.matches import filters
from arena.domain.matches.filters import MatchFilter
from arena.models import Ladder, MatchKind
from arena.texts.matches import MEANINGS
from arena.web.forms import show_refusal
from engine import registry

ANY = ("", _("any"))


TERMINATIONS = [
    ANY,
    (_("by a fault"), [(slug, meaning.title) for slug, meaning in MEANINGS.items()]),
    (_("by the rules"), [(word, _(end.title)) for word, end in registry.endings().items()]),
]


def _text(example: str) -> forms.TextInput:
    words = {"placeholder": example, "autocapitalize": "none", "spellcheck": "false"}
    return forms.TextInput(attrs=words)


class MatchFilterForm(forms.Form):
    """A filter of matches. `domain.matches.filters` reads the values, as it does for the API."""

    bot = forms.CharField(label=_("Bot"), required=False, widget=_text("ada/greedy"))
    opponent = forms.CharField(label=_("Against"), required=False, widget=_text("bob/patient"))
    ladder = forms.CharField(
        label=_("Ladder"),
        required=False,
        widget=forms.Select(
            choices=CallableChoiceIterator(
                lambda: [ANY, *Ladder.objects.values_list("slug", "name")]
            )
        ),
    )
    termination = forms.CharField(
        label=_("A game ended by"), required=False, widget=forms.Select(choices=TERMINATIONS)
    )
    kind = forms.CharField(
        label=_("Kind"), required=False, widget=forms.Select(choices=[ANY, *MatchKind.choices])
    )
    rated = forms.CharField(
        label=_("Counts for the ladder"),
        required=False,
        widget=forms.Select(choices=[ANY, ("yes", _("yes")), ("no", _("no"))]),
    )
    since = forms.CharField(
        label=_("Since"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )

    def wanted(self) -> MatchFilter | None:
        """Return the filter; add errors to the fields and return None if a value is wrong."""
        try:
            return filters.read(self.data)
        except InvalidInput as refusal:
            self.full_clean()
            show_refusal(self, refusal)
            return None

    @property
    def is_filled(self) -> bool:
        """Whether the visitor filled in any field."""
        return any(self.data.get(name) for name in filters.NAMES)
