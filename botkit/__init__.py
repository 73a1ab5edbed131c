"""Everything a bot needs: `from botkit import Bot, DuelView, run`. Standard library only."""

from botkit.bot import RESIGN, Belief, Bot, Conversation, WireError, run
from botkit.cards import Card, CardsView, Play, filling
from botkit.duel import DuelView, Move, Piece, facing
from botkit.shapes import view_of
from botkit.siege import Field, SiegeView, Step, Trooper
from botkit.view import View

__all__ = [
    "RESIGN",
    "Belief",
    "Bot",
    "Card",
    "CardsView",
    "Conversation",
    "DuelView",
    "Field",
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
