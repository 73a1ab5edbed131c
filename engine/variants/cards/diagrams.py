"""The pictures of the rule page."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from engine.scene import Mark, Scene
from engine.variants.cards.play import play
from engine.variants.cards.positions import position
from engine.variants.cards.scenes import scene
from engine.variants.cards.state import State
from engine.variants.cards.views import view

RED = ("B46F2", "39S", "BB222334455678M")
BLUE = ("F53B8", "M2S", "BB2223344456679")


def table() -> Scene:
    """Show the table as red's turn begins, as red sees it."""
    return scene(view(_start(), "red"))


def fight() -> Scene:
    """Show the table after red's captain has beaten a lieutenant: it stays in its own slot."""
    state = _start()
    play(state, 0, "3x2")
    return _marked(state, (2, 2, "from"), (1, 1, "fight"))


def scout_look() -> Scene:
    """Show the table after red's scout has looked at two cards, which only red knows now."""
    state = _start()
    play(state, 0, "5l14")
    return _marked(state, (4, 2, "from"), (0, 1, "to"), (3, 1, "to"))


def example() -> Scene:
    """Show the same as blue sees it as its turn begins: the scout is known now."""
    state = _start()
    play(state, 0, "5l14")
    return scene(view(state, "blue"))


def _start() -> State:
    return position(RED, BLUE)


def _marked(state: State, *marks: tuple[int, int, str]) -> Scene:
    shown = scene(view(state, "red"))
    return replace(shown, marks=tuple(Mark(kind, x, y) for x, y, kind in marks))


DIAGRAMS: Mapping[str, Callable[[], Scene]] = MappingProxyType(
    {"table": table, "fight": fight, "scout-look": scout_look, "example": example}
)
