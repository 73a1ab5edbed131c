"""Template tags and filters for tournament pages."""

from collections.abc import Sequence
from datetime import datetime

from django import template
from django.template import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst

from arena.domain.tournaments.snapshot import TournamentSnapshot
from arena.models import Tournament, TournamentEntrant
from arena.texts import times
from arena.web.tournaments import figures, format_words, life_cycle, pairing_lines
from arena.web.tournaments.life_cycle import TimeLine
from arena.web.tournaments.pairing_lines import PairingLine

register = template.Library()

DIGEST_SHOWN = 12


@register.filter
def measure(value: float) -> str:
    """Show points or a measure with as few digits as it needs."""
    return figures.measure(value)


@register.simple_tag
def times_of(tournament: Tournament) -> list[TimeLine]:
    """Return the lines of the tournament's schedule."""
    return life_cycle.schedule(tournament)


@register.simple_tag
def format_name(slug: str) -> str:
    """Return the name of a format with a capital letter, to begin a line."""
    return capfirst(format_words.format_name(slug))


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
    return life_cycle.winner(tournament, viewer=context.get("user"))


@register.simple_tag
def instant(at: datetime | None, nothing: str = "") -> SafeString:
    """Return an instant in UTC and an element that a script fills with the reader's local time."""
    if at is None:
        return format_html("{}", nothing)
    iso = at.isoformat(timespec="seconds")
    return format_html(
        '<time datetime="{}">{}</time> <time class="soft" datetime="{}" data-local hidden></time>',
        iso,
        times.in_utc(at),
        iso,
    )
