"""Forms of the console: an intervention, its confirmation, a step, the release of a round."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arena.domain import addresses
from arena.domain.errors import Refused
from arena.domain.tournaments import snapshot
from arena.domain.tournaments.interventions import inputs, targets
from arena.domain.tournaments.interventions.base import Intervention, OnMatch, OnPairing
from arena.models import Bot, Pairing, Release, Tournament
from arena.web.tournaments import console, pairing_lines

VERSION = r"\Av?[0-9]{1,6}\Z"


class InterventionForm(forms.Form):
    """The inputs of organizers for one kind of intervention on one tournament."""

    def __init__(
        self, kind: type[Intervention], *, tournament: Tournament, asked: Mapping[str, str]
    ) -> None:
        """Bind the form to `asked`, or only prefill it while a required value is missing."""
        self.kind, self.tournament, self.asked = kind, tournament, asked
        self.inputs = kind.inputs()
        required = [name for name, asked_for in self.inputs.items() if asked_for.required]
        is_complete = asked and all(name in asked for name in required)
        super().__init__(asked if is_complete else None, initial=dict(asked))
        for name, asked_for in self.inputs.items():
            self.fields[name] = self._field(asked_for)

    @property
    def subject(self) -> str:
        """The entrants of the affected match or pairing, with the score; else empty."""
        if issubclass(self.kind, OnPairing) and (pairing := self._pairing()):
            meeting = snapshot.load(tournament=self.tournament).meeting_of(pairing)
            names = f"{targets.label(pairing)}: {targets.names(pairing)}"
            score = pairing_lines.score(meeting, meeting.entrants[0]) if meeting.is_over else ""
            return f"{names}, {score}" if score else names
        if issubclass(self.kind, OnMatch):
            match = targets.find_match(self.tournament, self.asked.get("match", ""))
            if match is None or match.pairing is None:
                return ""
            picture = snapshot.load(tournament=self.tournament)
            meeting = picture.meeting_of(match.pairing)
            words = {
                "pairing": targets.label(match.pairing),
                "names": targets.names(match.pairing),
                "leg": match.leg,
                "score": console.match_score(picture, meeting, match) or console.match_word(match),
            }
            return _("%(pairing)s: %(names)s, match %(leg)s, %(score)s") % words
        return ""

    @property
    def lacks_subject(self) -> bool:
        """Whether the intervention needs a pairing that must first be chosen in the console."""
        return issubclass(self.kind, OnPairing) and self._pairing() is None

    def intervention(self) -> Intervention:
        """Return the requested intervention; requires a valid form."""
        return self.kind(**{name: self.cleaned_data[name] for name in self.inputs})

    def clean(self) -> dict[str, Any]:
        """Find the chosen version."""
        values = super().clean() or {}
        for name, asked_for in self.inputs.items():
            is_version = isinstance(asked_for, inputs.VersionInput)
            if is_version and name in values and "entrant" in values:
                bot = Bot.objects.get(tournament_entries=self.cleaned_data["entrant"])
                number = int(values[name].removeprefix("v"))
                try:
                    values[name] = addresses.find_version(bot, number).pk
                except Refused as refusal:
                    self.add_error(name, refusal.message)
                    values[name] = None
        return values

    def _field(self, asked_for: inputs.Input) -> forms.Field:
        hint = asked_for.hint(self.tournament, self.asked) if asked_for.hint else ""
        shown: dict[str, Any] = {
            "label": asked_for.label or None,
            "help_text": hint or asked_for.help,
            "required": asked_for.required,
        }
        match asked_for:
            case inputs.MatchInput():
                return forms.CharField(**shown, widget=_text("m_7Hq…"))
            case inputs.PairingInput():
                return forms.CharField(**shown, widget=forms.HiddenInput)
            case inputs.EntrantInput() | inputs.PairingEntrantInput():
                options = asked_for.options(self.tournament, self.asked)
                choices = [("", _("choose one")), *options]
                return forms.TypedChoiceField(**shown, choices=choices, coerce=_entrant)
            case inputs.VersionInput():
                wrong = {"invalid": _("Write v and its number, such as v3.")}
                return forms.RegexField(VERSION, **shown, widget=_text("v3"), error_messages=wrong)
            case inputs.CountInput():
                return forms.IntegerField(**shown, min_value=1, initial=1)
            case inputs.TimeInput():
                widget = forms.DateTimeInput(attrs={"type": "datetime-local", "data-utc": ""})
                return forms.DateTimeField(**shown, widget=widget)
            case _:
                raise TypeError(asked_for)

    def _pairing(self) -> Pairing | None:
        return targets.find_pairing(self.tournament, self.asked.get("pairing", ""))


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


def _entrant(chosen: str) -> int | None:
    return None if chosen == inputs.SHARED else int(chosen)


def _text(placeholder: str) -> forms.TextInput:
    return forms.TextInput(attrs={"placeholder": placeholder})
