"""How a duel ends by its rules."""

from engine.outcome import FLAG_CAPTURED, NO_ATTACK_CAP, PLY_CAP, Ending, by_word
from engine.outcome import gettext_noop as _

NO_MOVES = Ending(
    "no_moves", _("No legal move"), decided=_("%(loser)s could not move, so %(winner)s wins.")
)
BOTH_IMMOBILE = Ending(
    "both_immobile", _("Both sides immobile"), drawn=_("Draw: neither side could move.")
)

ENDINGS = by_word(FLAG_CAPTURED, NO_MOVES, BOTH_IMMOBILE, PLY_CAP, NO_ATTACK_CAP)
