"""How a siege ends by its rules."""

from engine.outcome import PLY_CAP, Ending, by_word
from engine.outcome import gettext_noop as _

FORT_ENTERED = Ending(
    "fort_entered",
    _("Fort entered"),
    decided=_("%(winner)s brought enough soldiers into the fort."),
)
GARRISON_BLOCKED = Ending(
    "garrison_blocked",
    _("Garrison blocked"),
    decided=_("%(winner)s blocked %(loser)s, who could not move."),
)
BESIEGERS_DESTROYED = Ending(
    "besiegers_destroyed",
    _("Besiegers destroyed"),
    decided=_("%(winner)s broke the siege: %(loser)s had too few soldiers left."),
)
SOLDIER_IN_FORT = Ending(
    "soldier_in_fort",
    _("Soldiers stuck in the fort"),
    drawn=_("Draw: the soldiers in the fort cannot be captured, and the others are gone."),
    decided=_(
        "A win by progress for %(winner)s: the soldiers in the fort cannot be captured, and the"
        " others are gone."
    ),
)
NO_PROGRESS_CAP = Ending(
    "no_progress_cap",
    _("No progress for too long"),
    drawn=_("Draw: there was no progress for too long."),
    decided=_(
        "A win by progress for %(winner)s: nothing was captured and nobody entered for too long."
    ),
)

ENDINGS = by_word(
    FORT_ENTERED,
    GARRISON_BLOCKED,
    BESIEGERS_DESTROYED,
    SOLDIER_IN_FORT,
    PLY_CAP,
    NO_PROGRESS_CAP,
)
