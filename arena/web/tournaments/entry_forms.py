"""Forms of owners and organizers about the entrants of a tournament and their versions."""

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from arena.domain import addresses
from arena.domain.errors import Refused
from arena.domain.tournaments.entry import admission, self_entry
from arena.domain.tournaments.entry.entry_lists import MOST_BYTES
from arena.models import (
    Bot,
    Tournament,
    TournamentEntrantStatus,
    User,
    Version,
    VersionStatus,
)
from arena.web.tournaments.page_visibility import Showing

VERSIONS_OFFERED = 10

Choices = list[tuple[str, str]]


class EnterForm(forms.Form):
    """The visitor's bot to enter, and its version.

    If entries are closed, with the reason in `why_not`, only invited bots can enter.
    """

    bot = forms.CharField(label=_("Bot and version"), widget=forms.Select)

    def __init__(
        self, data: QueryDict | None, *, tournament: Tournament, user: User, why_not: str = ""
    ) -> None:
        super().__init__(data)
        self.why_not = why_not
        variant = tournament.ladder.variant_slug
        inside = tournament.entrants.filter(status=TournamentEntrantStatus.ENTERED)
        rows = user.bots.select_related("owner", "active_version").prefetch_related("versions")
        able = [
            bot
            for bot in rows.exclude(pk__in=inside.values("bot")).order_by("slug")
            if any(
                version.status == VersionStatus.READY and version.plays(variant)
                for version in bot.versions.all()
            )
        ]
        if why_not:
            asked = tournament.entrants.filter(status=TournamentEntrantStatus.INVITED)
            invited = set(asked.filter(bot__owner=user).values_list("bot", flat=True))
            able = [bot for bot in able if bot.pk in invited]
        self.own = {bot.slug: bot for bot in able}
        is_early = tournament.is_before_freeze
        self.choices = [(bot.name, _choices(bot, is_early=is_early)) for bot in self.own.values()]
        widget = self.fields["bot"].widget
        if isinstance(widget, forms.Select):
            widget.choices = self.choices

    def chosen(self) -> dict[str, Any]:
        """Return the bot and the version as arguments of `entries.enter`. Raise Refused."""
        slug, _colon, number = self.cleaned_data["bot"].partition(":")
        if slug not in self.own:
            text = gettext("You have no such bot that can enter. Choose one of the list.")
            raise Refused("no_such_bot", self.why_not or text, field="bot")
        bot = self.own[slug]
        return {"bot": bot, "version": version_of(bot, number, field="bot")}


class EntryVersionForm(forms.Form):
    """The version that an entrant plays."""

    version = forms.CharField(label=_("It plays"), required=False, widget=forms.Select)

    def __init__(self, data: QueryDict | None, *, bot: Bot, chosen: int | None) -> None:
        super().__init__(data, initial={"version": str(chosen or "")})
        widget = self.fields["version"].widget
        if isinstance(widget, forms.Select):
            widget.choices = [
                (value.partition(":")[2], label) for value, label in _choices(bot, is_early=True)
            ]


class TopForm(forms.Form):
    """The number of bots to enter from the top of the ladder."""

    top_n = forms.IntegerField(label=_("The best of the ladder"), min_value=1, max_value=1024)


class ListForm(forms.Form):
    """A list of bots, typed or as a file, and the revision of the entrants that the user saw."""

    revision = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)
    text = forms.CharField(
        label=_("List of bots"),
        required=False,
        strip=False,
        max_length=MOST_BYTES,
        widget=forms.Textarea(
            attrs={
                "rows": 5,
                "spellcheck": "false",
                "placeholder": "bot,version,seed\nada/hopper,,1",
            }
        ),
        help_text=_("The first line names the columns: bot, and optionally version and seed."),
    )
    file = forms.FileField(
        label=_("or as a file"),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".csv,text/csv"}),
    )

    def given(self) -> str | bytes:
        """Return the list; a file takes precedence over typed text."""
        file = self.cleaned_data.get("file")
        return bytes(file.read(MOST_BYTES + 1)) if file else str(self.cleaned_data["text"])


class InviteForm(forms.Form):
    """A bot that organizers invite or enter."""

    bot = forms.CharField(
        label=_("One bot"),
        widget=forms.TextInput(
            attrs={"placeholder": "ada/hopper", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )

    def found(self) -> Bot:
        """Return the bot of the valid form. Raise Refused."""
        return addresses.find_bot(self.cleaned_data["bot"], field="bot")


def offer(showing: Showing) -> dict[str, Any]:
    """Return what a tournament's page offers to a visitor who wants to enter a bot.

    That is `form`, or the reason in `why_not`, or what to do first: `needs_sign_in`, `needs_bot`.
    """
    row = showing.tournament
    if why_not := closed(row, seen=showing.seen, organizes=showing.organizes):
        return {"why_not": why_not}
    if not isinstance(showing.viewer, User):
        return {"needs_sign_in": True}
    form = EnterForm(None, tournament=row, user=showing.viewer)
    return {"form": form} if form.own else {"needs_bot": True}


def closed(tournament: Tournament, *, seen: int, organizes: bool) -> str:
    """Return why owners cannot enter bots now; empty if they can, or for organizers earlier.

    `seen` is the number of rounds that the visitor may see: the reason never reveals that others
    are drawn.
    """
    try:
        if not organizes:
            self_entry.require(tournament=tournament)
        if not tournament.is_before_freeze:
            admission.require_takes_late(tournament=tournament, drawn=seen)
    except Refused as refusal:
        return refusal.message
    return ""


def imports(showing: Showing, **refused: forms.Form) -> dict[str, forms.Form] | None:
    """Return the forms for organizers to add bots; None to others and from the freeze on.

    `refused` has the posted forms that were refused, by name.
    """
    if not showing.organizes or not showing.tournament.is_before_freeze:
        return None
    fresh: dict[str, forms.Form] = {
        "top": TopForm(None, initial={"top_n": showing.tournament.top_n or 8}, auto_id="top_%s"),
        "list": ListForm(None, auto_id="list_%s"),
        "one": InviteForm(None, auto_id="one_%s"),
    }
    return fresh | refused


def version_of(bot: Bot, number: str, *, field: str = "version") -> Version | None:
    """Return a version by the number in a field; None for the active version. Raise Refused."""
    return addresses.find_version(bot, number, field=field) if number else None


def _choices(bot: Bot, *, is_early: bool) -> Choices:
    ready = [version for version in bot.versions.all() if version.status == VersionStatus.READY]
    named = gettext("%(bot)s: version %(number)d")
    versions = [
        (f"{bot.slug}:{version.number}", named % {"bot": bot.name, "number": version.number})
        for version in ready[:VERSIONS_OFFERED]
    ]
    if not bot.active_version:
        return versions
    values: dict[str, Any] = {"bot": bot.name, "number": bot.active_version.number}
    if is_early:
        words = gettext("%(bot)s: the version active at the freeze (now %(number)d)")
    else:
        words = gettext("%(bot)s: the active version, %(number)d")
    return [(f"{bot.slug}:", words % values), *versions]
