"""How the card game ends by its rules."""

from engine.outcome import FLAG_CAPTURED, NO_ATTACK_CAP, Ending, by_word
from engine.outcome import gettext_noop as _

NO_ATTACKERS = Ending(
    "no_attackers",
    _("No attackers left"),
    decided=_("%(loser)s had no piece left that can attack, so %(winner)s wins."),
)
TURN_CAP = Ending(
    "turn_cap",
    _("Last turn reached"),
    drawn=_("Draw: the game reached its last turn."),
    is_limit=True,
)

ENDINGS = by_word(FLAG_CAPTURED, NO_ATTACKERS, TURN_CAP, NO_ATTACK_CAP)
