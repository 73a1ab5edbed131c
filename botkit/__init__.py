"""Everything a bot needs: `from botkit import Bot, DuelView, run`. Standard library only."""

from botkit.bot import Bot, Conversation, WireError, run
from botkit.duel import DuelView, Move, Piece, facing
from botkit.shapes import view_of
from botkit.view import View

__all__ = [
    "Bot",
    "Conversation",
    "DuelView",
    "Move",
    "Piece",
    "View",
    "WireError",
    "facing",
    "run",
    "view_of",
]
