"""Results in words. The stored words stay what they are; here they become sentences."""

from collections.abc import Callable

from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from arena.models import Game, Scope
from engine.outcome import PLATFORM, Termination

SEATS = {"red": pgettext_lazy("seat", "Red"), "blue": pgettext_lazy("seat", "Blue")}

VIEWS = {
    "public": pgettext_lazy("perspective", "Public"),
    "red": pgettext_lazy("perspective", "Red"),
    "blue": pgettext_lazy("perspective", "Blue"),
    "full": pgettext_lazy("perspective", "All"),
}

SCOPES = {
    str(Scope.READ): _("read what you may read"),
    str(Scope.BOTS_WRITE): _("create bots and upload versions"),
}

_BY_THE_RULES = {
    Termination.FLAG_CAPTURED: _("%(winner)s took the flag."),
    Termination.NO_MOVES: _("%(loser)s could not move; %(winner)s wins."),
    Termination.BOTH_IMMOBILE: _("Neither side could move: a draw."),
    Termination.PLY_CAP: _("A draw: the game reached its last ply."),
    Termination.NO_ATTACK_CAP: _("A draw: nobody attacked for too long."),
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


def seat_name(seat: str) -> str:
    """Name a seat for people."""
    return str(SEATS.get(seat, seat))


def ending(game: Game, name: Callable[[str], str] = seat_name) -> str:
    """Say in one sentence how a game ended, or where it stands; `name` names a seat."""
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
    """Name the sides with the most and the fewest points; in a duel a side is its seat."""
    outcome: dict[str, float] = game.outcome or {}
    ranked = sorted(outcome, key=lambda side: -outcome[side]) or list(game.seats)
    return ranked[0], ranked[-1]
