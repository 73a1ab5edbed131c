"""Results in words. The stored words stay what they are; here they become sentences."""

from collections.abc import Callable

from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from arena.models import Game, Scope
from engine.outcome import PLATFORM, Termination
from engine.variant import FULL, PUBLIC

SEATS = {
    "red": pgettext_lazy("seat", "Red"),
    "blue": pgettext_lazy("seat", "Blue"),
    "garrison": pgettext_lazy("seat", "Garrison"),
    "white": pgettext_lazy("seat", "White"),
    "black": pgettext_lazy("seat", "Black"),
}

# Sides of several seats; a side of one seat is called as its seat.
SIDES = {"besiegers": pgettext_lazy("side", "Besiegers")}

VIEWS = {PUBLIC: pgettext_lazy("perspective", "Public"), FULL: pgettext_lazy("perspective", "All")}

KINDS = {
    "sheet": pgettext_lazy("kind of rule", "rule sheet"),
    "external": pgettext_lazy("kind of rule", "other source"),
    "inferred": pgettext_lazy("kind of rule", "inferred"),
    "house": pgettext_lazy("kind of rule", "house rule"),
}

SCOPES = {
    str(Scope.READ): _("read what you may read"),
    str(Scope.BOTS_WRITE): _("create bots and upload versions"),
    str(Scope.CHALLENGES_WRITE): _("ask for challenges and cancel them"),
    str(Scope.TOURNAMENTS_WRITE): _("enter, make and direct tournaments"),
    str(Scope.STAFF_WRITE): _("correct ladders, where you are staff"),
}

_BY_THE_RULES = {
    Termination.FLAG_CAPTURED: _("%(winner)s took the flag."),
    Termination.NO_MOVES: _("%(loser)s could not move; %(winner)s wins."),
    Termination.BOTH_IMMOBILE: _("Neither side could move: a draw."),
    Termination.NO_ATTACKERS: _("%(loser)s had nothing left to attack with; %(winner)s wins."),
    Termination.FORT_ENTERED: _("%(winner)s got enough men into the fort."),
    Termination.GARRISON_BLOCKED: _("%(winner)s shut in %(loser)s, who could not move."),
    Termination.BESIEGERS_DESTROYED: _(
        "%(winner)s broke the siege: too few of %(loser)s are left."
    ),
    Termination.SOLDIER_IN_FORT: _(
        "A draw: soldiers in the fort cannot be taken, others are gone."
    ),
    Termination.PLY_CAP: _("A draw: the game reached its last ply."),
    Termination.TURN_CAP: _("A draw: the game reached its last turn."),
    Termination.NO_ATTACK_CAP: _("A draw: nobody attacked for too long."),
    Termination.NO_PROGRESS_CAP: _("A draw: nothing changed for too long."),
}

_FAULTS = {
    Termination.ILLEGAL_ACTION: _("%(loser)s made an illegal move"),
    Termination.ILLEGAL_DEPLOYMENT: _("%(loser)s set up illegally"),
    Termination.TIMEOUT: _("%(loser)s ran out of time"),
    Termination.STARTUP_TIMEOUT: _("%(loser)s did not start in time"),
    Termination.CRASH: _("%(loser)s crashed"),
    Termination.MEMORY_LIMIT: _("%(loser)s used too much memory"),
    Termination.OUTPUT_LIMIT: _("%(loser)s wrote too much"),
    Termination.PROTOCOL_ERROR: _("%(loser)s broke the protocol"),
}


def seat_name(name: str) -> str:
    """Name a seat, or a side, for people; one that is not known here goes by its own word."""
    return str(SEATS.get(name) or SIDES.get(name) or name)


def view_name(view: str) -> str:
    """Name a perspective: a seat's, what everybody may see, or all."""
    return str(VIEWS.get(view) or seat_name(view))


def ending(game: Game, name: Callable[[str], str] = seat_name) -> str:
    """Say in one sentence how a game ended, or where it stands; `name` names a seat or side."""
    if game.status == Game.Status.RUNNING:
        return gettext("Being played: ply %(ply)s.") % {"ply": game.plies}
    if game.status != Game.Status.FINISHED:
        return gettext("Not played yet.")
    if game.fault == PLATFORM:
        return gettext("Void: the platform failed, not a bot.")
    winner, loser = _winner_and_loser(game)
    named = {"winner": name(winner), "loser": name(game.fault or loser)}
    termination = Termination(game.termination)
    if termination in _BY_THE_RULES:
        return str(_BY_THE_RULES[termination]) % named
    said = str(_FAULTS[termination]) % named
    detail = _detail(game)
    return f"{said}: {detail}" if detail else f"{said}."


def _detail(game: Game) -> str:
    """Leave out of the detail what the sentence has said: who it was, and that it was illegal."""
    if any(f"; {seat}: " in game.detail for seat in game.seats):
        return game.detail  # both failed, and it says who did what
    alone = game.detail.removeprefix(f"{game.fault}: ")
    return alone.removeprefix("illegal: ")


def _winner_and_loser(game: Game) -> tuple[str, str]:
    """Name the sides with the most and the fewest points."""
    outcome: dict[str, float] = game.outcome or {}
    ranked = sorted(outcome, key=lambda side: -outcome[side]) or list(game.seats)
    return ranked[0], ranked[-1]
