"""What tokens may be used for."""

from django.utils.translation import gettext_lazy as _

from arena.texts import Text

SCOPES: dict[str, Text] = {
    "read": _("read what you may read"),
    "bots:write": _("create bots and upload versions"),
    "challenges:write": _("ask for challenges and cancel them"),
    "tournaments:write": _("enter, make and direct tournaments"),
    "staff:write": _("correct ladders, where you are staff"),
}
