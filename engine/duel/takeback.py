"""Taking a move back: what a move changes is noted before it, which costs less than a copy."""

from engine.duel.state import OFF, State


class Takeback:
    """What a state was before an action of the turn phase; `undo` makes it so again."""

    __slots__ = (
        "barred",
        "captured",
        "defender",
        "hunts",
        "lists",
        "numbers",
        "piece",
        "result",
        "seen",
        "series",
        "squares",
        "state",
    )

    def __init__(self, state: State, action: str) -> None:
        """Note what an action could change; call it just before the action is applied."""
        self.state = state
        self.numbers = state.ply, state.quiet_plies, state.to_move
        self.result = state.result
        self.series, self.barred = state.series[:], state.barred[:]
        self.hunts = [hunt.copy() for hunt in state.hunts] if state.rules.chase else None
        self.captured = len(state.captured)
        self.piece = self.defender = OFF
        move = state.rules.board.moves.get(action)
        if move is None:  # a seat resigns
            return
        start, target = self.squares = move[0], move[1]
        piece, defender = self.piece, self.defender = state.at[start], state.at[target]
        self.seen = state.moved[piece], state.shown[piece], state.shown[defender]
        if defender != OFF:
            self.lists = (
                [pieces[:] for pieces in state.walkers],
                [pieces[:] for pieces in state.scouts],
            )

    def undo(self) -> None:
        """Undo the action that was applied after the mark, and no other."""
        state = self.state
        state.ply, state.quiet_plies, state.to_move = self.numbers
        state.result, state.series, state.barred = self.result, self.series, self.barred
        if self.hunts is not None:
            state.hunts = self.hunts
        piece, defender = self.piece, self.defender
        if piece == OFF:
            return
        seat = int(piece >= state.rules.strength)
        if state.square[piece] != OFF:
            state.lift(piece, seat)
        if defender != OFF:
            if state.square[defender] != OFF:
                state.lift(defender, 1 - seat)
            del state.captured[self.captured :]
            state.walkers, state.scouts = self.lists
            state.put(defender, 1 - seat, self.squares[1])
            state.shown[defender] = self.seen[2]
        state.put(piece, seat, self.squares[0])
        state.moved[piece], state.shown[piece] = self.seen[:2]
