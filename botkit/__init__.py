"""Everything a bot needs: `from botkit import Bot, View, run`. Standard library only."""

from botkit.bot import Bot, Conversation, WireError, run
from botkit.view import Move, Piece, View, facing

__all__ = ["Bot", "Conversation", "Move", "Piece", "View", "WireError", "facing", "run"]
