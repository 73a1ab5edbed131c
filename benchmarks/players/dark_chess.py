"""Random play of OpenSpiel's dark chess (C++) through its Python API.

Every ply all legal actions are listed and the game is asked for its end; at the end the returns.
"""

from importlib.metadata import version

import pyspiel

from benchmarks.players import pace


def open_up() -> tuple[str, pace.Game]:
    game = pyspiel.load_game("dark_chess")
    who = f"OpenSpiel {version('open-spiel')} dark_chess"
    return who, lambda _, dice: play(game.new_initial_state(), dice)


def play(state: "pyspiel.State", dice: pace.Dice) -> int:
    over, legal, apply = state.is_terminal, state.legal_actions, state.apply_action
    plies = 0
    while not over():
        actions = legal()
        apply(actions[int(dice() * len(actions))])
        plies += 1
    if sum(state.returns()) != 0:
        raise AssertionError(f"not a game for two: {state.returns()}")
    return plies


if __name__ == "__main__":
    pace.run(open_up)
