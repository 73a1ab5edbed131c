"""Template tags and filters for tournament pages."""

from collections.abc import Sequence
from datetime import UTC, datetime

from django import template
from django.template import Context
from django.utils import formats, timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from arena.domain.tournaments.snapshot import TournamentSnapshot
from arena.models import Tournament, TournamentEntrant
from arena.web.tournaments import figures, format_words, pairing_lines, schedule_card, winners
from arena.web.tournaments.pairing_lines import PairingLine

register = template.Library()

DIGEST_SHOWN = 12


@register.filter
def measure(value: float) -> str:
    """Show points or a measure with as few digits as it needs."""
    return figures.measure(value)


@register.simple_tag
def times_of(tournament: Tournament) -> list[schedule_card.TimeLine]:
    """Return the lines of the tournament's schedule."""
    return schedule_card.of(tournament)


@register.simple_tag
def format_name(slug: str) -> str:
    """Return the name of a format with a capital letter, to begin a line."""
    name = format_words.format_name(slug)
    return name[:1].upper() + name[1:]


@register.filter
def group_name(number: int) -> str:
    """Return the letter of a group, or its number if the alphabet is too short."""
    return figures.group_letter(number)


@register.filter
def short_digest(digest: str) -> str:
    """Return the first digits of a digest, enough to tell versions apart."""
    return digest[:DIGEST_SHOWN]


@register.simple_tag
def resting(
    picture: TournamentSnapshot, pairings: Sequence[PairingLine]
) -> Sequence[TournamentEntrant]:
    """Return the entrants that rest in the round of these pairings."""
    return pairing_lines.resting(picture, pairings[0].row.round.number) if pairings else []


@register.simple_tag(takes_context=True)
def winner(context: Context, tournament: Tournament) -> TournamentEntrant | None:
    """Return the winner if the visitor may see all rounds."""
    return winners.as_seen(tournament=tournament, viewer=context.get("user"))


@register.simple_tag
def instant(at: datetime | None, nothing: str = "") -> SafeString:
    """Return an instant in UTC and an element that a script fills with the reader's local time."""
    if at is None:
        return format_html("{}", nothing)
    shown = formats.date_format(timezone.localtime(at, UTC), "j M Y, H:i")
    iso = at.isoformat(timespec="seconds")
    return format_html(
        '<time datetime="{}">{} UTC</time> <time class="soft" datetime="{}" data-local hidden>'
        "</time>",
        iso,
        shown,
        iso,
    )
