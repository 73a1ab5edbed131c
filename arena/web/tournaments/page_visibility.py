"""The part of a tournament that one visitor may see, and the head of all of its pages."""

from dataclasses import dataclass
from typing import Any

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _

from arena.domain.accounts import permissions
from arena.domain.formats import catalogue
from arena.domain.tournaments import changes, snapshot, visibility
from arena.domain.tournaments.snapshot import TournamentSnapshot
from arena.models import Tournament, TournamentStatus, Viewer
from arena.web.tournaments import format_words


@dataclass(frozen=True, slots=True)
class Showing:
    """A tournament as far as one visitor may see it.

    `picture` has the first rounds, as many as the visitor may see. `is_partial` says that more are
    drawn, but not how many, because in some formats their number reveals a result.
    """

    tournament: Tournament
    viewer: Viewer
    picture: TournamentSnapshot
    is_partial: bool
    organizes: bool

    @property
    def seen(self) -> int:
        """The number of rounds that are shown."""
        return len(self.picture.rounds)

    @property
    def next(self) -> int:
        """The number of the first round that is not shown."""
        return self.seen + 1

    @property
    def has_begun(self) -> bool:
        """Whether a round is drawn."""
        return self.seen > 0 or self.is_partial

    @property
    def takes_entries(self) -> bool:
        """Whether the page offers entry, or explains before the start why it is closed.

        This counts only the rounds that are shown: a hidden round may already prevent a late entry,
        and the refusal then says so.
        """
        status = self.tournament.status
        is_late = status in changes.UNDER_WAY and self.tournament.last_entry_round > self.seen
        return status in changes.NOT_STARTED or (is_late and self.picture.format.takes_late_entries)

    @property
    def is_moving(self) -> bool:
        """Whether a page of the tournament may change soon."""
        return self.tournament.status in changes.UNDER_WAY

    @property
    def follows(self) -> bool:
        """Whether pages follow the tournament, because it is open and not over for ever."""
        status = self.tournament.status
        return status != TournamentStatus.DRAFT and status not in changes.FOR_EVER


def find(*, slug: str, viewer: Viewer) -> Tournament:
    """Return a tournament that the visitor may see. Raise Http404."""
    rows = Tournament.objects.visible_to(viewer).filter(slug=slug)
    row = rows.select_related("ladder", "created_by", "rehearsal_of").first()
    if row is None:
        raise Http404
    return row


def of(*, tournament: Tournament, viewer: Viewer) -> Showing:
    """Return the part of a tournament that a visitor may see."""
    seen = visibility.rounds_seen(tournament=tournament, viewer=viewer)
    picture = snapshot.load(tournament=tournament, rounds=seen)
    for entrant in picture.entrants.values():
        if entrant.version:
            entrant.version.bot = entrant.bot  # the URL of a version needs its bot
    return Showing(
        tournament=tournament,
        viewer=viewer,
        picture=picture,
        is_partial=tournament.rounds.filter(number__gt=seen).exists(),
        organizes=permissions.may_organize(viewer, tournament),
    )


def frame(tournament: Tournament, *, here: str, organizes: bool) -> dict[str, Any]:
    """Return the context for the head of every tournament page; `here` is the name of the page."""
    played = catalogue.find(tournament.format)
    tabs = [
        ("overview", "tournament", _("Overview"), True),
        ("standings", "tournament-standings", _("Standings"), True),
        ("rounds", "tournament-rounds", _("Rounds"), True),
        ("bracket", "tournament-bracket", _("Bracket"), played.has_bracket),
        ("crosstable", "tournament-crosstable", _("Cross table"), played.has_crosstable),
        ("entrants", "tournament-entrants", _("Entrants"), True),
        ("log", "tournament-log", _("Log"), True),
    ]
    return {
        "tournament": tournament,
        "format_name": format_words.format_name(tournament.format),
        "organizes": organizes,
        "here": here,
        "tabs": [
            {"name": name, "url": reverse(url_name, args=[tournament.slug]), "label": label}
            for name, url_name, label, is_offered in tabs
            if is_offered
        ],
        "trail": [(reverse("tournament-list"), _("Tournaments"))],
    }
