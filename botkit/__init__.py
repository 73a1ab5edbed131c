"""Everything a bot needs: `from botkit import Bot, DuelView, run`. Standard library only."""

TYPE_CHECKING = False  # as in `typing`, whose import takes longer than all that is done here

if TYPE_CHECKING:
    from botkit.bot import RESIGN, Belief, Bot, Clock, Conversation, Limits, WireError, run
    from botkit.cards import Card, CardsView, Play, filling
    from botkit.duel import DuelView, LastMove, Move, Piece, facing
    from botkit.shapes import view_of
    from botkit.siege import Field, SiegeView, Step, Trooper
    from botkit.view import Fallen, View

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
    "Trooper",
    "View",
    "WireError",
    "facing",
    "filling",
    "run",
    "view_of",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Return what a bot imports. The command line starts without it, at once."""
        import importlib  # noqa: PLC0415 - likewise

        if name in __all__:
            for place in ("bot", "cards", "duel", "shapes", "siege", "view"):
                module = importlib.import_module(f"{__name__}.{place}")
                if hasattr(module, name):
                    return getattr(module, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
