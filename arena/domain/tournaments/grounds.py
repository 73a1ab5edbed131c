"""Why organizers do what they do: the reason that they give, which is public and kept."""

from django.utils.translation import gettext as _

from arena.domain.errors import Refused

MOST = 500  # characters, as many as a tournament and a match keep


def require(reason: str) -> str:
    """Return a reason without the spaces around it. Raise Refused for none, or a very long one."""
    why = reason.strip()
    if not why:
        raise Refused("no_reason", _("Say why: the reason is public and is kept."), field="reason")
    if len(why) > MOST:
        said = _("A reason has at most %(most)d characters; this one has %(has)d. Shorten it.")
        raise Refused("long_reason", said % {"most": MOST, "has": len(why)}, field="reason")
    return why
