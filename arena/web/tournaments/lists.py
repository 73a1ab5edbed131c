"""The tournaments that the list shows, and the form above it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.db.models import Count, Q, QuerySet
from django.utils.choices import CallableChoiceIterator
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from arena.domain.formats import catalogue
from arena.domain.tournaments import listings
from arena.domain.tournaments.listings import Wanted
from arena.models import (
    Ladder,
    Tournament,
    TournamentEntrantStatus,
    TournamentRound,
    TournamentStatus,
    Viewer,
)
from arena.web.tournaments import format_words

ANY = ("", _("any"))
OVER_SHOWN = 20


@dataclass(frozen=True, slots=True)
class ListSection:
    """A part of the list: its name in addresses, its title, and the statuses in it."""

    name: str
    title: str | Promise
    statuses: Sequence[TournamentStatus]
    order: Sequence[str] = ("starts_at", "-pk")


SECTIONS = (
    ListSection("running", _("Running"), (TournamentStatus.RUNNING, TournamentStatus.PAUSED)),
    ListSection(
        "upcoming",
        _("Upcoming"),
        (TournamentStatus.REGISTRATION, TournamentStatus.FROZEN, TournamentStatus.DRAFT),
    ),
    ListSection(
        "over",
        _("Over"),
        Tournament.OVER,
        ("-completed_at", "-pk"),
    ),
)


def _variants() -> list[tuple[str, Any]]:
    names = Ladder.objects.order_by("variant").values_list("variant", flat=True).distinct()
    slugs = sorted({name.partition("@")[0] for name in names})
    return [ANY, *((slug, slug) for slug in slugs)]


class TournamentFilterForm(forms.Form):
    """A filter of tournaments. It uses GET, so that each filtered list has its own URL."""

    state = forms.ChoiceField(
        label=_("State"),
        required=False,
        choices=[ANY, *((section.name, section.title) for section in SECTIONS)],
    )
    variant = forms.ChoiceField(
        label=pgettext_lazy("kind", "Game"),
        required=False,
        choices=CallableChoiceIterator(_variants),
    )
    format = forms.ChoiceField(
        label=_("Format"),
        required=False,
        choices=lambda: [ANY, *((s, format_words.format_name(s)) for s in catalogue.FORMATS)],
    )
    mine = forms.BooleanField(label=_("Only mine"), required=False)

    @property
    def is_filled(self) -> bool:
        """Whether the visitor filled in any field."""
        return any(self.data.get(name) for name in self.fields)


def _rows(viewer: Viewer, wanted: Mapping[str, Any]) -> QuerySet[Tournament]:
    """Return the tournaments that the visitor may see and asked for.

    `entered` counts their entrants, and `seen` the rounds that the visitor may see. Rehearsals
    are left out: the page of the original tournament shows them.
    """
    asked = Wanted(
        variant=wanted.get("variant", ""),
        format=wanted.get("format", ""),
        mine=bool(wanted.get("mine")),
    )
    rows = listings.tournaments(viewer=viewer, wanted=asked)
    is_in = Q(entrants__status=TournamentEntrantStatus.ENTERED) | Q(entrants__seed__isnull=False)
    shown = TournamentRound.objects.visible_to(viewer)
    return rows.annotate(
        entered=Count("entrants", filter=is_in, distinct=True),
        seen=Count("rounds", filter=Q(rounds__in=shown), distinct=True),
    )


def sections(
    *, viewer: Viewer, wanted: Mapping[str, Any], page: int
) -> tuple[list[tuple[ListSection, list[Tournament]]], bool]:
    """Return the parts of the list that are not empty, and whether there are more finished ones.

    Only finished tournaments are paged; the other parts are on the first page only.
    """
    parts, more = [], False
    for section in SECTIONS:
        if wanted.get("state") not in ("", None, section.name):
            continue
        part = _rows(viewer, wanted).filter(status__in=section.statuses)
        part = part.order_by(*section.order)
        if section.name == "over":
            first = (page - 1) * OVER_SHOWN
            listed = list(part[first : first + OVER_SHOWN + 1])
            more = len(listed) > OVER_SHOWN
        else:
            listed = list(part) if page == 1 else []
        if listed:
            parts.append((section, listed[:OVER_SHOWN] if section.name == "over" else listed))
    return parts, more
