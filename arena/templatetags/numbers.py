"""Filters for numbers and staff actions, on the pages that explain or correct ratings."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

register = template.Library()

MINUS = "\N{MINUS SIGN}"
STAFF_ACTIONS = {
    "annul": _("annulled"),
    "end_season": _("ended a season"),
    "void": _("voided"),
    "cancel": _("cancelled"),
    "cancel a challenge": _("cancelled the challenge"),
    "rerun": _("re-ran"),
    "ban": _("banned"),
    "lift_ban": _("lifted the ban of"),
    "rename": _("renamed"),
    "clear_description": _("cleared the description of"),
    "close_report": _("closed"),
    "look": _("looked at"),
    "admin.add": _("added in the admin"),
    "admin.change": _("changed in the admin"),
    "admin.delete": _("deleted in the admin"),
    "admin.pause": _("paused in the admin"),
    "admin.resume": _("resumed in the admin"),
}


@register.filter
def staff_action(action: str) -> str:
    """Return the name of a staff action; an action without a translation keeps its stored name."""
    return str(STAFF_ACTIONS.get(action, action))


@register.filter
def thousands(count: int) -> str:
    """Show a large number in groups of three digits."""
    return f"{count:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def tenths(value: float) -> str:
    """Show a change with one decimal and its sign: +7.2, ±0, or a minus and the number."""
    if abs(value) < 0.05:  # noqa: PLR2004 - what rounds to nothing
        return "±0"
    return f"+{value:.1f}" if value > 0 else f"{MINUS}{-value:.1f}"


@register.filter
def share(value: float) -> str:
    """Show a share of the points, 0 to 1, with two decimals."""
    return f"{value:.2f}"


@register.simple_tag
def change(before: float | None, after: float | None) -> SafeString:
    """Show the change of a number in the colour of gain or loss; nothing if there is none."""
    if before is None or after is None:
        return SafeString("")
    said = tenths(after - before)
    return format_html(
        '<span class="{}">{}</span>', {"+": "gain", MINUS: "loss"}.get(said[0], "soft"), said
    )
