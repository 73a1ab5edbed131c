"""Which encoding fits a game: chosen by the shape of its views, as `botkit.shapes` does."""

from collections.abc import Callable

from botkit.cards import CardsView
from botkit.duel import DuelView
from botkit.learning.cards import CardsEncoding
from botkit.learning.duel import DuelEncoding
from botkit.learning.encoding import Encoding, Json
from botkit.learning.siege import SiegeEncoding
from botkit.shapes import view_of
from botkit.siege import SiegeView
from botkit.view import View

ENCODINGS: dict[type[View], Callable[[Json], Encoding]] = {
    DuelView: DuelEncoding,
    CardsView: CardsEncoding,
    SiegeView: SiegeEncoding,
}


def encoding_of(view: Json) -> Encoding:
    """Return the encoding of the game that a seat's view shows. Raise ValueError without one."""
    make = ENCODINGS.get(type(view_of(view)))
    if make is None:
        raise ValueError(
            f"{view['variant']}: no encoding fits views of this shape. Write one as "
            "botkit/learning/duel.py is, and add it to botkit/learning/families.py"
        )
    return make(view)
