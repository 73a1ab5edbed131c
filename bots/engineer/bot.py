"""Engineer: reads a siege ahead, and every line of demands to its end."""

from collections.abc import Sequence

from board import SEATS, Board, tables_of
from judge import Judge
from search import Search

from botkit import Bot, SiegeView, run


class Engineer(Bot[SiegeView]):
    """Searches some plies, and demands further."""

    settings = {"plies": 3}

    def deploy(self, view: SiegeView) -> str:
        """Put the general on one gate and the colonel beside the other, as they may go anywhere."""
        del view
        return self.rng.choice(("SSSCSSGS", "SSGSSSSC"))

    def act(self, view: SiegeView, legal: Sequence[str]) -> str:
        """Play the move that the search likes best."""
        if len(legal) == 1:
            return legal[0]
        field = view.field(self.options)
        tables = tables_of(field.terrain)
        need = [int(count) for count in self.options["need_inside"].split("+")]
        draws = self.options["rule10"] == "draw"
        judge = Judge(Board(tables, field, view), view, need, draws=draws)
        search = Search(judge, [SEATS.index(seat) for seat in view.cycle], view.turn)
        steps = view.steps
        moves = [
            ((tables.numbers[step.origin], tables.numbers[step.target]), step.demands)
            for step in steps
        ]
        return str(steps[search.choose(moves, self.settings["plies"], self.rng)])


if __name__ == "__main__":
    run(Engineer)
