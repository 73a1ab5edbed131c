"""What the status page says."""

from django.utils.translation import gettext_lazy as _

from arena.texts import Text

ACTIVITIES: dict[str, Text] = {
    "playing": _("The arena is playing."),
    "idle": _("Nothing waits to be played."),
    "starting": _("Matches or new versions wait, and will begin soon."),
    "stuck": _("Matches or new versions wait, and nothing is being played."),
}

# By the name of the health check that failed.
PROBLEMS: dict[str, Text] = {
    "migrations": _("The site is being upgraded. Some pages may fail until that is done."),
    "connections": _("The site is nearly full. Pages may be slow or ask you to come again."),
    "broker": _("New matches and checks of versions may begin later than usual."),
    "disk": _("The site is short of space. New versions may be refused."),
    "queue": _("The queue is slow. The oldest job waits longer than it should."),
    "runners": _("A part of what plays the matches is out of order. Matches may wait longer."),
}
SOME_PROBLEM = _("A part of the site does not work as it should.")
