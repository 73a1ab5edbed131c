"""What templates of this site can say beyond plain variables."""

import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime

from django import template
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from arena.domain.accounts import notices, permissions
from arena.domain.bots import languages
from arena.domain.queries import queue_places
from arena.domain.queue import alarms
from arena.domain.queue.alarms import Alarm
from arena.models import Ladder, User
from arena.texts import lists
from arena.web.matches import labels, termination_help
from arena.web.ratings import charts
from arena.web.tournaments import figures
from arena.web.variants.page_words import Furniture
from engine.outcome import Termination

register = template.Library()

THEMES = ("auto", "light", "dark")
DASH = "\N{EN DASH}"
KIB = 1024


@register.simple_tag(takes_context=True)
def theme(context: template.Context) -> str:
    """Return the colours that the visitor chose, from the cookie that the theme button sets."""
    request = context.get("request")
    chosen = request.COOKIES.get("theme", "auto") if request else "auto"
    return chosen if chosen in THEMES else "auto"


@register.simple_tag(takes_context=True)
def unread(context: template.Context) -> int:
    """Count the messages of the site that the visitor has not read."""
    user = getattr(context.get("request"), "user", None)
    return notices.unread(user=user) if isinstance(user, User) else 0


@register.simple_tag(takes_context=True)
def current_section(context: template.Context, prefix: str) -> SafeString:
    """Mark the link of the section that the present page belongs to."""
    request = context.get("request")
    here = request is not None and request.path.startswith(prefix)
    return format_html(' aria-current="{}"', "page") if here else SafeString("")


@register.filter
def rating(value: float) -> str:
    """Show an Elo number as people read it: whole."""
    return f"{value:.0f}"


@register.filter
def points(value: float) -> str:
    """Show points as 2, 1½ or ½."""
    return figures.halves(value)


@register.filter
def ending(termination: str) -> str:
    """Name an end by a fault for people."""
    return str(termination_help.of(Termination(termination)).title)


@register.filter
def percent(share: float) -> str:
    """Show a share, 0 to 1, in whole per cent."""
    return f"{100 * share:.0f}\N{NO-BREAK SPACE}%"


@register.filter
def seconds(milliseconds: int | None) -> str:
    """Show a duration as people read it: 0.4 s, 12 s, 1 min or 3 min 5 s."""
    if milliseconds is None:
        return DASH
    whole = milliseconds / 1000
    if whole < 10:  # noqa: PLR2004 - below it a tenth matters
        return gettext("%(count)s s") % {"count": f"{whole:.1f}".removesuffix(".0")}
    minutes, rest = divmod(round(whole), 60)
    if not minutes:
        return gettext("%(count)s s") % {"count": rest}
    if not rest:
        return gettext("%(count)s min") % {"count": minutes}
    return gettext("%(minutes)s min %(seconds)s s") % {"minutes": minutes, "seconds": rest}


@register.filter
def wait(estimate_s: float) -> str:
    """Show an estimate given in seconds, in whole ones: it is no more exact than that."""
    return queue_places.lasting(estimate_s)


@register.simple_tag(takes_context=True)
def staff_alarm(context: template.Context) -> Alarm | None:
    """Return the alarm of the queue to staff; on the queue's own page everybody sees it anyway."""
    request = context.get("request")
    user = getattr(request, "user", None)
    if request is None or not permissions.may_see_staff_pages(user):
        return None
    return None if request.path == reverse("queue") else alarms.present()


@register.simple_tag
def moment(instant: datetime | None, css_class: str = "") -> SafeString:
    """Write an instant in UTC; a script says it relative to now or in the reader's zone."""
    if instant is None:
        return SafeString(DASH)
    shown = formats.date_format(timezone.localtime(instant, UTC), "j M Y, H:i")
    return format_html(
        '<time class="{}" datetime="{}" data-moment{}>{} UTC</time>',
        css_class,
        instant.isoformat(timespec="seconds"),
        SafeString('="ahead"' if instant > timezone.now() else ""),
        shown,
    )


@register.filter
def scopes(names: Sequence[str]) -> str:
    """Return what a token may be used for."""
    return lists.all_of(labels.SCOPES.get(name, name) for name in names)


@register.filter
def as_json(value: object) -> str:
    """Show the value of an option as it stands in messages and records, without quotes."""
    return value if isinstance(value, str) else json.dumps(value)


@register.filter
def kib(size_bytes: int) -> str:
    """Show a size as KiB, never as nothing."""
    return f"{max(1, round(size_bytes / KIB))} KiB"


@register.filter
def language(name: str) -> str:
    """Name the language of a version for people; before the scan it may not be known."""
    return languages.title(name) if name else gettext("not known before the scan")


@register.simple_tag
def languages_taken() -> dict[str, str]:
    """Return the words for what an upload may be written in, and for what of it is compiled."""
    return {"all": languages.with_suffixes(), "compiled": languages.compiled()}


@register.simple_tag
def wdl(wins: int, draws: int, losses: int) -> SafeString:
    """Draw won, drawn and lost as one bar, with the numbers for who cannot see it."""
    return charts.wdl_bar(wins=wins, draws=draws, losses=losses)


@register.simple_tag
def pips(form: Sequence[str]) -> SafeString:
    """Draw the last results, oldest first, as letters on tints."""
    return charts.pips(form)


@register.simple_tag
def games(count: int) -> str:
    """Return how many games."""
    return ngettext("%(count)s game", "%(count)s games", count) % {"count": count}


@register.filter
def breakable(name: str) -> SafeString:
    """Let a long name in code go on in the next line after an underscore."""
    return format_html_join("", "{}<wbr>", ((part,) for part in re.findall("[^_]*_?", name)))


@register.simple_tag
def rule_ladder(furniture: Furniture, ladder: Ladder) -> str:
    """Name a ladder in the language of a rule page."""
    return furniture.ladder % {"name": ladder.name}
