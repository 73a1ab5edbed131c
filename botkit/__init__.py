"""Everything a bot needs: `from botkit import Bot, DuelView, run`. Standard library only."""

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
