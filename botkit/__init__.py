"""Everything a bot needs: `from botkit import Bot, DuelView, run`. Standard library only."""

TYPE_CHECKING = False  # as in `typing`, whose import takes longer than all that is done here

if TYPE_CHECKING:
    from botkit.bot import RESIGN, Belief, Bot, Clock, Conversation, Limits, WireError, run
    from botkit.shapes import view_of
    from botkit.view import Fallen, View
    from engine.duel.typed_view import DuelView, LastMove, Move, Piece, facing
    from engine.variants.cards.typed_view import Card, CardsView, Play, filling
    from engine.variants.siege.typed_view import (
        Field,
        SiegeView,
        Step,
        Terrain,
        Trooper,
        shade,
    )

__all__ = [
    "RESIGN",
    "Belief",
    "Bot",
    "Card",
    "CardsView",
    "Clock",
    "Conversation",
    "DuelView",
    "Fallen",
    "Field",
    "LastMove",
    "Limits",
    "Move",
    "Piece",
    "Play",
    "SiegeView",
    "Step",
    "Terrain",
    "Trooper",
    "View",
    "WireError",
    "facing",
    "filling",
    "run",
    "shade",
    "view_of",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Return what a bot imports: a name of the kit, or one of the typed view of any game.

        The command line starts without it, at once.
        """
        if name in __all__ or name[0].isupper():
            from botkit import bot, game_modules, shapes, view  # noqa: PLC0415 - likewise

            for module in (bot, shapes, view):
                if hasattr(module, name):
                    return getattr(module, name)
            for module in game_modules.game_modules("typed_view"):
                if name in module.__all__:
                    return getattr(module, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
