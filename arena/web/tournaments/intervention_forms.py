"""What organizers may type in their console: one form for each act, and each gives the act."""

import re
from collections.abc import Mapping

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arena.domain.tournaments.interventions import entrant_acts, extensions, match_acts
from arena.domain.tournaments.interventions.acts import Act
from arena.models import Bot, Pairing, Tournament, TournamentEntrant, Version
from arena.web.tournaments import intervention_subjects
from arena.web.tournaments.confirmations import SHARED

VERSION = re.compile(r"v?(?P<number>[0-9]{1,6})")
THERE = TournamentEntrant.Status.ENTERED


class ActForm(forms.Form):
    """The values of an act on one tournament. Valid, it gives the act."""

    def __init__(self, *, tournament: Tournament, asked: Mapping[str, str]) -> None:
        """Take what was asked for; where it is not all there yet, show it in an empty form."""
        needed = [name for name, field in self.base_fields.items() if field.required]
        complete = asked and all(name in asked for name in needed)
        super().__init__(asked if complete else None, initial=dict(asked))
        self.tournament = tournament
        if "entrant" in self.fields:
            self._offer_entrants()
        self.fill()

    def fill(self) -> None:
        """Say what there is so far, and offer what can be chosen."""

    @property
    def subject(self) -> str:
        """What it is about, where no field says so."""
        return ""

    @property
    def lacks_subject(self) -> bool:
        """Whether what it is about is to be chosen elsewhere first."""
        return False

    def act(self) -> Act:
        """Return the act that was asked for; only of a valid form."""
        raise NotImplementedError

    def _asked(self, name: str) -> str:
        """Return what was asked for under a name, whether or not it is valid."""
        return str((self.data or self.initial).get(name, ""))

    def _offer_entrants(self) -> None:
        rows = self.tournament.entrants.select_related("bot__owner", "version")
        there = [(str(row.pk), named(row)) for row in rows.filter(status=THERE)]
        offer(self.fields["entrant"], there)


class MatchForm(ActForm):
    """A match by its id."""

    match = forms.CharField(
        label=gettext_lazy("Match"), widget=forms.TextInput(attrs={"placeholder": "m_7Hq…"})
    )

    @property
    def subject(self) -> str:
        """Name the match by who meets in it, with its score."""
        match = intervention_subjects.find_match(self.tournament, self._asked("match"))
        if match is None or match.pairing is None:
            return ""
        return intervention_subjects.of_match(self.tournament, match, match.pairing)


class VoidForm(MatchForm):
    """End a match and play it from the beginning."""

    def act(self) -> Act:
        """Return the act."""
        return match_acts.Void(self.cleaned_data["match"])


class RerunForm(MatchForm):
    """Play a match again that is over."""

    def act(self) -> Act:
        """Return the act."""
        return match_acts.Rerun(self.cleaned_data["match"])


class PairingForm(ActForm):
    """A pairing by its id, which the console puts there."""

    pairing = forms.CharField(widget=forms.HiddenInput)

    @property
    def lacks_subject(self) -> bool:
        """Whether there is no such pairing: it is chosen in the console, not here."""
        return self.row() is None

    @property
    def subject(self) -> str:
        """Name the pairing by who meets in it, with its score."""
        row = self.row()
        return intervention_subjects.of_pairing(self.tournament, row) if row else ""

    def row(self) -> Pairing | None:
        """Find the pairing in the tournament."""
        wanted = self._asked("pairing")
        if not wanted.isprintable():  # no id; a NUL in it would be too much for PostgreSQL
            return None
        rows = Pairing.objects.select_related("round").filter(round__tournament=self.tournament)
        return rows.filter(public_id=wanted).first()


class AwardForm(PairingForm):
    """Give a pairing to one of those in it, or to all."""

    to = forms.ChoiceField(label=gettext_lazy("Awarded to"))

    def fill(self) -> None:
        """Offer those who are in the pairing."""
        row = self.row()
        if row is None:
            return
        rows = row.entrants.select_related("entrant__bot__owner", "entrant__version")
        places = [
            (str(place.entrant_id), named(place.entrant)) for place in rows.order_by("position")
        ]
        all_share = [] if row.slot else [(SHARED, _("all of them share it"))]
        offer(self.fields["to"], [*places, *all_share])

    def act(self) -> Act:
        """Return the act."""
        to = self.cleaned_data["to"]
        return match_acts.Award(self.cleaned_data["pairing"], None if to == SHARED else int(to))


class AddMatchesForm(PairingForm):
    """Let a pairing be played in more matches."""

    # Not `matches`: an input of this name would hide the method of the form that scripts call.
    count = forms.IntegerField(label=gettext_lazy("More matches"), min_value=1, initial=1)

    def fill(self) -> None:
        """Say in how many it is played so far."""
        if row := self.row():
            self.fields["count"].help_text = intervention_subjects.present_matches(
                row.matches_wanted
            )

    def act(self) -> Act:
        """Return the act."""
        return extensions.AddMatches(self.cleaned_data["pairing"], self.cleaned_data["count"])


class EntrantForm(ActForm):
    """An entrant of those that are in."""

    entrant = forms.TypedChoiceField(label=gettext_lazy("Entrant"), coerce=int)


class WithdrawForm(EntrantForm):
    """Take an entrant out after this round."""

    def act(self) -> Act:
        """Return the act."""
        return entrant_acts.Withdraw(self.cleaned_data["entrant"])


class DisqualifyForm(EntrantForm):
    """Take an entrant out at once."""

    def act(self) -> Act:
        """Return the act."""
        return entrant_acts.Disqualify(self.cleaned_data["entrant"])


class SubstituteForm(EntrantForm):
    """Let another version play in an entrant's place."""

    version = forms.CharField(
        label=gettext_lazy("Plays from now on"),
        help_text=gettext_lazy("A version of the same bot that is ready, such as v3."),
        widget=forms.TextInput(attrs={"placeholder": "v3"}),
    )

    def fill(self) -> None:
        """Say which versions of the entrant are ready, where one is named."""
        rows = self.tournament.entrants.filter(status=THERE).select_related("bot__owner", "version")
        named_one = next((row for row in rows if str(row.pk) == self._asked("entrant")), None)
        if named_one:
            self.fields["version"].help_text = intervention_subjects.ready_versions(named_one)

    def clean(self) -> dict[str, object]:
        """Find the version that is meant."""
        found: dict[str, object] = super().clean() or {}
        if "entrant" in found and "version" in found:
            found["version"] = self._version(str(found["version"]).strip())
        return found

    def act(self) -> Act:
        """Return the act."""
        return entrant_acts.Substitute(
            self.cleaned_data["entrant"], self.cleaned_data["version"].pk
        )

    def _version(self, text: str) -> Version | None:
        said = VERSION.fullmatch(text)
        if said is None:
            self.add_error("version", _("Write v and its number, such as v3."))
            return None
        bot = Bot.objects.get(tournament_entries=self.cleaned_data["entrant"])
        version = bot.versions.filter(number=int(said["number"])).first()
        if version is None:
            message = _("%(bot)s has no version %(number)s.")
            self.add_error("version", message % {"bot": bot, "number": said["number"]})
        return version


class AddRoundsForm(ActForm):
    """Let the tournament have more rounds."""

    rounds = forms.IntegerField(label=gettext_lazy("More rounds"), min_value=1, initial=1)

    def fill(self) -> None:
        """Say how many there are so far."""
        if count := self.tournament.format_options.get("rounds"):
            self.fields["rounds"].help_text = intervention_subjects.present_rounds(count)

    def act(self) -> Act:
        """Return the act."""
        return extensions.AddRounds(self.cleaned_data["rounds"])


class PostponeForm(ActForm):
    """Freeze or start later. Times are in UTC."""

    freezes_at = forms.DateTimeField(
        label=gettext_lazy("Versions are frozen (UTC)"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}),
    )
    starts_at = forms.DateTimeField(
        label=gettext_lazy("Starts (UTC)"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}),
    )

    def fill(self) -> None:
        """Say what was said so far."""
        for name in ("freezes_at", "starts_at"):
            self.fields[name].help_text = intervention_subjects.present_time(
                getattr(self.tournament, name)
            )

    def act(self) -> Act:
        """Return the act."""
        return extensions.Postpone(self.cleaned_data["freezes_at"], self.cleaned_data["starts_at"])


FORMS: Mapping[str, type[ActForm]] = {
    "void": VoidForm,
    "rerun": RerunForm,
    "award": AwardForm,
    "substitute": SubstituteForm,
    "withdraw": WithdrawForm,
    "disqualify": DisqualifyForm,
    "add_rounds": AddRoundsForm,
    "add_matches": AddMatchesForm,
    "postpone": PostponeForm,
}


def offer(field: forms.Field, choices: list[tuple[str, str]]) -> None:
    """Let one of these be chosen in a field, and none by itself."""
    if isinstance(field, forms.ChoiceField):
        field.choices = [("", _("choose one")), *choices]


def named(entrant: TournamentEntrant) -> str:
    """Name an entrant in a list: its bot, its owner and its version."""
    version = f" v{entrant.version.number}" if entrant.version else ""
    return f"{entrant.bot}{version}"
