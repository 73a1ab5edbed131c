"""Bots that stall: they want the game to end at a cap, and nothing else.

Each is as simple as a stranger would write it. None of them plays to win; what they take from bots
that do is what stalling pays.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from botkit import Bot, CardsView, DuelView, Field, Move, Play, SiegeView, Step
from engine.variants.cards.typed_view import SLOTS
from tests.integration.house_bots.house import load

HUNDRED = 100.0


class Staller(Bot[Any]):
    """Plays the legal action that it likes best; chance decides between equals."""

    def act(self, view: Any, legal: Sequence[str]) -> str:
        """Choose by `likes`."""
        return max(legal, key=lambda action: self.likes(view, action) + self.rng.random())

    def likes(self, view: Any, action: str) -> float:
        """Return how well an action stalls."""
        raise NotImplementedError


class SiegeStaller(Staller):
    """A staller of the siege; a garrison of it lets its general out and shuts both gates."""

    def deploy(self, view: SiegeView) -> str:
        """Stand the general at the west gate, for it goes out and can never be immobilised."""
        del view
        return "SSSCSSGS"

    def after(self, view: SiegeView, action: str) -> Field:
        return view.field(self.options).after(action)


class Plugger(SiegeStaller):
    """A garrison with a piece on either gate, one outside, and the others going round inside."""

    def likes(self, view: SiegeView, action: str) -> float:
        """Keep the gates shut and capture nothing."""
        step, after = Step.parse(action), self.after(view, action)
        outside = sum(not p.besieger and p.place not in view.circles for p in after.at.values())
        return HUNDRED * shut(after) - 10 * (step.target in view.at) - abs(outside - 1)


class Miser(Plugger):
    """A plugger that captures wherever its gates stay shut."""

    def likes(self, view: SiegeView, action: str) -> float:
        """Keep the gates shut and capture what that allows."""
        return super().likes(view, action) + 20 * (Step.parse(action).target in view.at)


class Palisade(SiegeStaller):
    """A garrison that stands on the squares before its gates, and on the gates."""

    def likes(self, view: SiegeView, action: str) -> float:
        """Fill the gates and what lies before them, and capture nothing."""
        after = self.after(view, action)
        before = [square for squares in view.gates.values() for square in squares]
        held = sum(place in after.at and not after.at[place].besieger for place in before)
        return HUNDRED * shut(after) + 20 * held - 10 * (Step.parse(action).target in view.at)


class Homebody(SiegeStaller):
    """A besieger that stays at home, where everybody protects everybody, and never demands."""

    def likes(self, view: SiegeView, action: str) -> float:
        """Offer nothing, and stay far from the fort."""
        if action == "pass":
            return 0.0
        step, after = Step.parse(action), self.after(view, action)
        far = abs(ord(step.target[0]) - ord("h") - 0.5) if step.target not in view.circles else 0.0
        return far - HUNDRED * (len(after.captures()) + step.demands)


class Sentry(Homebody):
    """A besieger that stands before the gates, protected, and never goes in."""

    def likes(self, view: SiegeView, action: str) -> float:
        """Offer nothing, and stand as near the gates as may be, outside."""
        if action == "pass":
            return 0.0
        step, after = Step.parse(action), self.after(view, action)
        if step.target in view.circles:
            return -HUNDRED * HUNDRED
        steps = [after.terrain.steps_to(gate, "G")[step.target] for gate in view.gates]
        return -min(steps) - HUNDRED * (len(after.captures()) + step.demands)


class Holder(Homebody):
    """A besieger that plays as the castellan until somebody is inside, and then stays at home."""

    def begin(self) -> None:
        """Keep a castellan at hand."""
        self.castellan = load("castellan")()
        self.castellan.seat, self.castellan.options = self.seat, self.options
        self.castellan.rng = self.rng

    def act(self, view: SiegeView, legal: Sequence[str]) -> str:
        """Storm, or hold what there is."""
        inside = view.raw["inside"]
        if inside["soldiers"] + inside["officers"]:
            return super().act(view, legal)
        return self.castellan.act(view, legal)


class Feeder(Holder):
    """A besieger that plays as the castellan until somebody is inside, and then offers the rest."""

    def likes(self, view: SiegeView, action: str) -> float:
        """Return how many could be captured; a demand counts as one, and nobody else goes in."""
        if action == "pass":
            return 0.0
        step, after = Step.parse(action), self.after(view, action)
        return len(after.captures()) + step.demands - HUNDRED * (step.target in view.circles)


def shut(field: Field) -> int:
    """Count the gates on which a piece of the garrison stands."""
    stand = (field.at.get(gate) for gate in field.terrain.gates)
    return sum(piece is not None and not piece.besieger for piece in stand)


class Turtle(Staller):
    """A duellist that walls in its flag, walks to and fro behind, and never attacks."""

    def deploy(self, view: DuelView) -> str:
        """Put the flag into a corner, bombs beside it, and anybody anywhere else."""
        flag = next(square for square in view.home if view.depth(square) == 0)
        beside = [square for square in view.neighbours[flag] if square in view.home]
        others = [square for square in view.home if square not in (flag, *beside)]
        self.rng.shuffle(others)
        movable = [rank for rank in view.roster if rank not in "FB"]
        self.rng.shuffle(movable)
        codes = ["F", *"B" * view.army["B"], *movable]
        stands = dict(zip((flag, *beside, *others), codes, strict=True))
        return "".join(stands[square] for square in view.home)

    def likes(self, view: DuelView, action: str) -> float:
        """Attack nobody, stand beside nobody, and stay behind."""
        move = Move.parse(action)
        around = (view.by_square.get(square) for square in view.neighbours[move.target])
        met = sum(piece is not None and piece.seat != view.seat for piece in around)
        return -HUNDRED * (move.target in view.by_square) - 10 * met - view.depth(move.target)


class Sniper(Turtle):
    """A turtle that takes what it surely beats."""

    def likes(self, view: DuelView, action: str) -> float:
        """Attack nobody but the known and weaker."""
        move = Move.parse(action)
        victim = view.by_square.get(move.target)
        sure = victim is not None and bool(victim.rank)
        if victim is not None and sure:
            return HUNDRED * view.fight(view.by_square[move.origin].rank, victim.rank)
        return super().likes(view, action)


class Peeper(Staller):
    """A card player who looks, shuffles, and fights only where nothing else is left."""

    first = "S2M987654BF3"  # who stands in the line, the keenest first

    def deploy(self, view: CardsView) -> str:
        """Put those into the line who can do something else than fight."""
        return "".join(sorted(view.hand, key=self.first.index)[:SLOTS])

    def likes(self, view: CardsView, action: str) -> float:
        """Look, else do the flag trick, else attack."""
        if view.phase == "fill":
            return -sum(map(self.first.find, action))
        return HUNDRED * KINDS.index(Play.parse(action).kind) if action != "stop" else HUNDRED


class Shuffler(Peeper):
    """A card player whose flag stands in the line, for the trick."""

    first = "F" + Peeper.first.replace("F", "")


KINDS = "xfls"  # the least liked first
DUEL = {"red": (Turtle, Sniper), "blue": (Turtle, Sniper)}
STALLERS: Mapping[str, Mapping[str, Sequence[type[Staller]]]] = {  # by variant and side
    "cards": {"red": (Peeper, Shuffler), "blue": (Peeper, Shuffler)},
    "siege": {
        "garrison": (Plugger, Miser, Palisade),
        "besiegers": (Homebody, Sentry, Holder, Feeder),
    },
}


def stallers_of(slug: str) -> Mapping[str, Sequence[type[Staller]]]:
    """Return the stallers of a variant, by side."""
    return STALLERS.get(slug, DUEL)
