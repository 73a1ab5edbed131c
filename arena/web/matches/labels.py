"""Results in words. The stored values do not change; this module turns them into sentences."""

from collections.abc import Callable

from django.utils.translation import gettext, pgettext_lazy

from arena.models import Game
from arena.texts import matches as texts
from engine import registry
from engine.outcome import PLATFORM

KINDS = {
    "sheet": pgettext_lazy("kind of rule", "rule sheet"),
    "external": pgettext_lazy("kind of rule", "other source"),
    "inferred": pgettext_lazy("kind of rule", "inferred"),
    "house": pgettext_lazy("kind of rule", "house rule"),
}


def seat_name(name: str) -> str:
    """Return the readable name of a seat or side; an unknown one keeps its own name."""
    return str(texts.SEATS.get(name) or texts.SIDES.get(name) or name)


def view_name(view: str) -> str:
    """Return the name of a perspective: a seat's, the public's, or the full view."""
    return str(texts.VIEWS.get(view) or seat_name(view))


def ending(game: Game, name: Callable[[str], str] = seat_name) -> str:
    """Return a sentence about how a game ended, or its status; `name` names a seat or side."""
    if game.status != Game.Status.FINISHED:
        return str(texts.NOT_FINISHED[game.status]) % {"ply": game.plies}
    if game.fault == PLATFORM:
        return str(texts.VOID)
    outcome: dict[str, float] = game.outcome or {}
    ranked = sorted(outcome, key=lambda side: -outcome[side]) or list(game.seats)
    detail = _detail(game)
    kinds = texts.DETAILED_FAULTS if detail else texts.FAULTS
    by_rules = registry.endings().get(game.termination)
    text = (
        gettext(by_rules.sentence(has_winner=len(set(outcome.values())) > 1))
        if by_rules
        else str(kinds[game.termination])
    )
    winner, loser = name(ranked[0]), name(game.fault or ranked[-1])
    return text % {"winner": winner, "loser": loser, "detail": detail}


def _detail(game: Game) -> str:
    """Return the detail without what the sentence already says: the seat and "illegal"."""
    detail = game.told_detail
    if any(f"; {seat}: " in detail for seat in game.seats):
        return detail  # both seats failed, and the detail says what each did
    alone = detail.removeprefix(f"{game.fault}: ")
    return alone.removeprefix("illegal: ")
