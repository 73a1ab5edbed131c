"""Results in words. The stored words stay what they are; here they become sentences."""

from collections.abc import Callable

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from arena.models import Game, Scope
from arena.texts import matches as texts
from engine.outcome import PLATFORM

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


def seat_name(name: str) -> str:
    """Name a seat, or a side, for people; one that is not known here goes by its own word."""
    return str(texts.SEATS.get(name) or texts.SIDES.get(name) or name)


def view_name(view: str) -> str:
    """Name a perspective: a seat's, what everybody may see, or all."""
    return str(texts.VIEWS.get(view) or seat_name(view))


def ending(game: Game, name: Callable[[str], str] = seat_name) -> str:
    """Say in one sentence how a game ended, or where it stands; `name` names a seat or side."""
    if game.status != Game.Status.FINISHED:
        return str(texts.NOT_FINISHED[game.status]) % {"ply": game.plies}
    if game.fault == PLATFORM:
        return str(texts.VOID)
    winner, loser = _winner_and_loser(game)
    detail = _detail(game)
    kinds = texts.DETAILED_FAULTS if detail else texts.FAULTS
    text = texts.ENDINGS.get(game.termination) or kinds[game.termination]
    named = {"winner": name(winner), "loser": name(game.fault or loser), "detail": detail}
    return str(text % named)


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
