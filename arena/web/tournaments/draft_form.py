"""The form that creates and edits a tournament."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from arena.domain.formats import catalogue, tiebreaks
from arena.domain.formats.types import Unplayable
from arena.domain.tournaments.setup import drafts, terms
from arena.models import EntryPolicy, Ladder, Release, Tournament
from arena.web.tournaments import format_words
from arena.web.tournaments.format_words import Word

TIME_FORMAT = "%Y-%m-%dT%H:%M"
OPTION, TIE = "option_", "tie_"  # prefixes of the names of these fields
SHOWN = "options_of"  # the field with the format whose options the page showed
GROUPS: Mapping[str, Collection[str]] = {
    "what": ("name", "slug", "description", "ladder"),
    "play": ("format", "matches_per_pairing", "scoring"),
    "who": (
        "entry_policy",
        "top_n",
        "min_entrants",
        "max_entrants",
        "max_per_owner",
        "last_entry_round",
    ),
    "when": ("opens_at", "freezes_at", "starts_at", "release"),
}


def _time(**words: Any) -> forms.DateTimeField:  # noqa: ANN401 - label and help, lazy ones
    return forms.DateTimeField(
        required=False,
        input_formats=[TIME_FORMAT, "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M"],
        widget=forms.DateTimeInput(
            format=TIME_FORMAT, attrs={"type": "datetime-local", "data-utc": ""}
        ),
        **words,
    )


def _number(
    *,
    least: int = 1,
    most: int = terms.MOST_ENTRANTS,
    **words: Any,  # noqa: ANN401 - the same
) -> forms.IntegerField:
    return forms.IntegerField(min_value=least, max_value=most, **words)


class DraftForm(forms.Form):
    """The settings of a tournament. `domain.tournaments.drafting` checks if it can be played.

    The options are those of the chosen format; numbers give the order of the tie-breaks.
    """

    name = forms.CharField(label=_("Name"), max_length=80)
    slug = forms.SlugField(
        label=_("Address"),
        max_length=50,
        required=False,
        help_text=_(
            "The end of its address: letters, digits and dashes. Empty: made from the name."
        ),
    )
    description = forms.CharField(
        label=_("Description"),
        max_length=5000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    ladder = forms.ModelChoiceField(
        label=_("Game and clock of"),
        queryset=Ladder.objects.filter(is_remote=False).order_by("slug"),
        to_field_name="slug",
        empty_label=None,
        help_text=_("Rules, clock and entrants per match are those of a ladder. Nothing is rated."),
    )
    format = forms.ChoiceField(
        label=_("Format"),
        choices=lambda: [
            (slug, format_words.format_name(slug).capitalize()) for slug in catalogue.FORMATS
        ],
    )
    matches_per_pairing = _number(
        most=terms.MOST_MATCHES,
        label=_("Matches in a pairing"),
        help_text=_("In a match every bot has every seat once."),
    )
    scoring = forms.ChoiceField(
        label=_("Scoring"),
        choices=[
            (slug, f"{word.name}: {word.meaning}") for slug, word in format_words.SCORINGS.items()
        ],
        widget=forms.RadioSelect,
    )
    entry_policy = forms.ChoiceField(label=_("Who may enter"), choices=EntryPolicy.choices)
    top_n = _number(
        label=_("How many of the ladder"),
        help_text=_("Only if the best of the ladder are entered."),
        required=False,
    )
    min_entrants = _number(label=_("Fewest entrants"), least=2)
    max_entrants = _number(label=_("Most entrants"), least=2)
    max_per_owner = _number(
        label=_("Most entrants of one owner"), help_text=_("Empty: no limit."), required=False
    )
    last_entry_round = _number(
        label=_("Late entry until round"),
        help_text=_("0: nobody can enter late."),
        required=False,
        least=0,
    )
    opens_at = _time(
        label=_("Entries from (UTC)"), help_text=_("Empty: as soon as the registration is opened.")
    )
    freezes_at = _time(
        label=_("Versions are frozen (UTC)"), help_text=_("Empty: when an organizer decides.")
    )
    starts_at = _time(label=_("Starts (UTC)"), help_text=_("Empty: when an organizer decides."))
    release = forms.ChoiceField(
        label=_("Who sees a new round"),
        choices=Release.choices,
        help_text=_("It can be changed round by round. At the end everything is released."),
    )

    def __init__(
        self,
        data: QueryDict | None,
        *,
        initial: Mapping[str, Any],
        only: Collection[str] = drafts.FIELDS,
    ) -> None:
        # Each option and each tie-break has a field of its own.
        given = dict(initial)
        for name, value in given.pop("format_options", {}).items():
            given[OPTION + name] = value
        for place, slug in enumerate(given.pop("tie_breaks", []), start=1):
            given[TIE + slug] = place
        super().__init__(data, initial=given)
        self.begun_with = initial
        try:
            self.options = catalogue.find(str(self["format"].value())).options
        except Unplayable:
            self.options = ()
        self.data = self._completed(data)
        for option in self.options:
            name = OPTION + option.name
            words = _words(Word(gettext(option.label), gettext(option.help)))
            if option.is_switch:
                self.fields[name] = forms.BooleanField(
                    required=False, initial=bool(option.default), **words
                )
            else:
                self.fields[name] = forms.IntegerField(
                    required=False,
                    initial=option.default,
                    min_value=option.least,
                    max_value=option.most,
                    **words,
                )
            if option.is_switch and name in self.initial:
                self.initial[name] = bool(self.initial[name])  # else a 0 would be shown as checked
        for slug in tiebreaks.MEASURES:
            self.fields[TIE + slug] = forms.IntegerField(
                required=False,
                min_value=1,
                max_value=len(tiebreaks.MEASURES),
                **_words(format_words.tie_break_word(slug)),
            )
        for name in [field for field in self.fields if _value_of(field) not in only]:
            del self.fields[name]

    def _completed(self, data: QueryDict | None) -> Mapping[str, Any]:
        """Return the posted data; add default options if the page showed another format's."""
        if not data or data.get(SHOWN, self["format"].value()) == self["format"].value():
            return data or {}
        filled = data.copy()
        for option in self.options:
            if option.default or not option.is_switch:
                filled.setdefault(OPTION + option.name, str(option.default))
        return filled

    def clean(self) -> dict[str, Any]:
        """Require a different number for every tie-break."""
        cleaned: dict[str, Any] = super().clean() or {}
        places: dict[int, str] = {}
        for slug in tiebreaks.MEASURES:
            place = cleaned.get(TIE + slug)
            if place and place in places:
                text = gettext("Number %(place)d is taken. Every tie-break has its own number.")
                self.add_error(TIE + slug, text % {"place": place})
            elif place:
                places[place] = slug
        cleaned["tie_breaks"] = [places[place] for place in sorted(places)]
        return cleaned

    def values(self) -> dict[str, Any]:
        """Return the valid form as arguments of `drafts.create` and `drafts.edit`."""
        cleaned = self.cleaned_data
        given = {name: cleaned[name] for name in drafts.FIELDS if name in self.fields}
        if not given.get("slug"):
            given.pop("slug", None)  # it is made from the name, or does not change
        if "last_entry_round" in given:
            given["last_entry_round"] = given["last_entry_round"] or 0
        if "format" in given:
            options = ((option, cleaned[OPTION + option.name]) for option in self.options)
            given["format_options"] = {
                option.name: int(value) if value is not None else option.default
                for option, value in options
            }
            given["tie_breaks"] = cleaned["tie_breaks"]
        return given

    def complaints(self, errors: Mapping[str, Iterable[str]] | None = None) -> list[str]:
        """Return the form's errors, or `errors`, each with the label of its field."""
        return [
            f"{self.fields[name].label}: {text}" if name in self.fields else str(text)
            for name, texts in (errors or self.errors).items()
            for text in texts
        ]

    @property
    def groups(self) -> dict[str, list[forms.BoundField]]:
        """The fields in the groups in which the page shows them."""
        return {
            group: [self[name] for name in names if name in self.fields]
            for group, names in GROUPS.items()
        }

    @property
    def option_fields(self) -> list[forms.BoundField]:
        """The options of the format."""
        return self._beginning(OPTION)

    @property
    def tie_fields(self) -> list[forms.BoundField]:
        """The tie-breaks, each with a field for its number."""
        return self._beginning(TIE)

    def _beginning(self, prefix: str) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith(prefix)]


def of_template(slug: str) -> Mapping[str, Any] | None:
    """Return the initial values of a new draft; None if the template does not exist."""
    template = next((row for row in drafts.TEMPLATES if row.slug == slug), None)
    if template is None:
        return None
    blank = Tournament()
    usual = {name: getattr(blank, name) for name in drafts.FIELDS if name != "ladder"}
    contained = Ladder.objects.filter(is_open=True, is_remote=False)
    ladder = contained.order_by("slug").values_list("slug", flat=True)
    begun = {**usual, "ladder": ladder.first(), **template.values}
    if not begun["tie_breaks"]:
        begun["tie_breaks"] = list(catalogue.find(begun["format"]).tie_breaks)
    return begun


def of_row(tournament: Tournament) -> Mapping[str, Any]:
    """Return the settings of a tournament as initial values of the form that edits it."""
    values = {name: getattr(tournament, name) for name in drafts.FIELDS if name != "ladder"}
    return {**values, "ladder": tournament.ladder.slug}


def _value_of(field: str) -> str:
    """Return the name of the draft value that a field belongs to."""
    if field.startswith(OPTION):
        return "format_options"
    return "tie_breaks" if field.startswith(TIE) else field


def _words(word: Word) -> dict[str, Any]:
    return {"label": word.name, "help_text": word.meaning}
