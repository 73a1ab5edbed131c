"""Castellan: knows that a fort falls by its gates. Two moves ahead, on either side of the wall."""

from collections.abc import Sequence

from besieger import Besieger
from garrison import Garrison

from botkit import Bot, SiegeView, run


class Castellan(Bot[SiegeView]):
    """Experience in a uniform."""

    def deploy(self, view: SiegeView) -> str:
        """Let the general out first, by one gate, and keep the colonel near the other."""
        del view
        return self.rng.choice(("SSSCSSGS", "SSGSSSSC"))

    def act(self, view: SiegeView, legal: Sequence[str]) -> str:
        """Play the action with the best score; chance decides between equals."""
        if len(legal) == 1:
            return legal[0]
        field = view.field(self.options)
        if self.seat == "garrison":
            return Garrison(field, view, self.rng).choose(legal)
        soldiers, officers = map(int, self.options["need_inside"].split("+"))
        besieger = Besieger(field, view, self.rng, {"S": soldiers, "O": officers})
        return max(legal, key=besieger.score)


if __name__ == "__main__":
    run(Castellan)
