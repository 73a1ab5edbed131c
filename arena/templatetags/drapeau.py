"""Template tags and filters for all pages of the site."""

import json
import re
from collections.abc import Sequence
from datetime import datetime

from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.providers.base import Provider
from django import template
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from arena.domain.accounts import notices, permissions
from arena.domain.bots import languages
from arena.domain.queue import alarms, queue_places
from arena.domain.queue.alarms import Alarm
from arena.models import Ladder, User
from arena.texts import accounts, lists, times
from arena.web.matches import termination_help
from arena.web.ratings import charts
from arena.web.tournaments import figures
from arena.web.variants.page_words import Furniture
from engine.outcome import Termination

register = template.Library()

THEMES = ("auto", "light", "dark")
DASH = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"
KIB = 1024


@register.filter
def bdi(name: str) -> SafeString:
    """Return a name that does not turn the direction of the text around it."""
    return format_html("<bdi>{}</bdi>", name)


@register.simple_tag(takes_context=True)
def theme(context: template.Context) -> str:
    """Return the colour theme of the visitor, from the cookie that the theme button sets."""
    request = context.get("request")
    chosen = request.COOKIES.get("theme", "auto") if request else "auto"
    return chosen if chosen in THEMES else "auto"


register.simple_tag(permissions.registration_is_open)


@register.simple_tag
def sign_in_providers() -> list[Provider]:
    """Return the other sites with whose accounts users can sign in here."""
    return list(get_adapter().list_providers(None))


@register.simple_tag(takes_context=True)
def unread(context: template.Context) -> int:
    """Count the unread site messages of the visitor."""
    user = getattr(context.get("request"), "user", None)
    return notices.unread(user=user) if isinstance(user, User) else 0


@register.simple_tag(takes_context=True)
def current_section(context: template.Context, prefix: str) -> SafeString:
    """Return the attribute that marks the link of the current section."""
    request = context.get("request")
    here = request is not None and request.path.startswith(prefix)
    return format_html(' aria-current="{}"', "page") if here else SafeString("")


@register.filter
def rating(value: float | None) -> str:
    """Show a rating as a whole number, and a dash if there is none."""
    return DASH if value is None else f"{value:.0f}".replace("-", MINUS)


@register.filter
def points(value: float) -> str:
    """Show points as 2, 1½ or ½."""
    return figures.halves(value)


@register.filter
def ending(termination: str) -> str:
    """Return the readable name of an abnormal end."""
    return str(termination_help.of(Termination(termination)).title)


@register.filter
def percent(share: float) -> str:
    """Show a share, 0 to 1, in whole per cent."""
    return f"{100 * share:.0f}\N{NO-BREAK SPACE}%"


@register.filter
def seconds(milliseconds: int | None) -> str:
    """Show a duration as 0.4 s, 12 s, 1 min or 3 min 5 s."""
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
def wait(duration_s: float) -> str:
    """Show a long duration or an estimate: in whole seconds, minutes or hours."""
    return queue_places.lasting(duration_s)


@register.simple_tag(takes_context=True)
def staff_alarm(context: template.Context) -> Alarm | None:
    """Return the queue's alarm for staff, except on the queue page, which shows it to everybody."""
    request = context.get("request")
    user = getattr(request, "user", None)
    if request is None or not permissions.may_see_staff_pages(user):
        return None
    return None if request.path == reverse("queue") else alarms.present()


@register.simple_tag
def moment(instant: datetime | None, css_class: str = "") -> SafeString:
    """Return an instant in UTC; a script rewrites it relative to now or in local time."""
    if instant is None:
        return SafeString(DASH)
    return format_html(
        '<time class="{}" datetime="{}" data-moment{}>{}</time>',
        css_class,
        instant.isoformat(timespec="seconds"),
        SafeString('="ahead"' if instant > timezone.now() else ""),
        times.in_utc(instant),
    )


@register.filter
def scopes(names: Sequence[str]) -> str:
    """Return what a token may be used for, in words."""
    return lists.all_of(accounts.SCOPES.get(name, name) for name in names)


@register.filter
def as_json(value: object) -> str:
    """Show the value of an option as messages and records write it, without quotes."""
    return value if isinstance(value, str) else json.dumps(value)


@register.filter
def kib(size_bytes: int) -> str:
    """Show a size in KiB, at least 1."""
    return f"{max(1, round(size_bytes / KIB))} KiB"


@register.filter
def language(name: str) -> str:
    """Return the readable name of a version's language, which is unknown before the scan."""
    return languages.title(name) if name else gettext("not known before the scan")


@register.simple_tag
def languages_taken() -> dict[str, str | bool]:
    """Return words for the languages of this site, those that are compiled, and if it takes bots.

    The words for the compiled ones are empty if there are none.
    """
    return {
        "all": languages.with_suffixes(),
        "compiled": languages.compiled(),
        "any": languages.takes_uploads(),
    }


@register.simple_tag
def wdl(wins: int, draws: int, losses: int) -> SafeString:
    """Draw wins, draws and losses as one bar, with the numbers as text for screen readers."""
    return charts.wdl_bar(wins=wins, draws=draws, losses=losses)


@register.simple_tag
def pips(form: Sequence[str]) -> SafeString:
    """Draw the last results, oldest first, as letters on coloured backgrounds."""
    return charts.pips(form)


@register.simple_tag
def games(count: int) -> str:
    """Return the number of games in words."""
    return ngettext("%(count)s game", "%(count)s games", count) % {"count": count}


@register.filter
def breakable(name: str) -> SafeString:
    """Return an identifier that a browser may break after an underscore."""
    return format_html_join("", "{}<wbr>", ((part,) for part in re.findall("[^_]*_?", name)))


@register.simple_tag
def rule_ladder(furniture: Furniture, ladder: Ladder) -> str:
    """Return the name of a ladder in the language of a rule page."""
    return furniture.ladder % {"name": ladder.name}
