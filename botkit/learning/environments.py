"""The environments of PettingZoo: in turn (AEC), and with a step of all seats at once."""

from collections.abc import Callable, Mapping
from typing import Any

from botkit.learning.missing import not_installed
from engine.scene import Scene

try:
    import gymnasium
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper

    from botkit.learning.game import NumberGame, Observation
    from botkit.learning.pictures import Pixels, as_pixels, as_text
except ModuleNotFoundError as problem:
    raise not_installed(problem) from problem


RENDER_MODES: Mapping[str, Callable[[Scene], str | Pixels]] = {
    "ansi": as_text,
    "rgb_array": as_pixels,
}


def env(
    variant: str, options: Mapping[str, Any] | None = None, *, render_mode: str | None = None
) -> AECEnv[str, Observation, int | None]:
    """Return the game in turn, which tells of calls in the wrong order.

    `variant` is a slug such as `classic`, `options` are those of its rules. `render_mode` is `ansi`
    or `rgb_array`, for `render`. Raise UnknownVariant, UnknownOption, or ValueError for a mode that
    there is not.
    """
    return OrderEnforcingWrapper(TurnEnvironment(variant, options, render_mode))


def parallel_env(
    variant: str, options: Mapping[str, Any] | None = None, *, render_mode: str | None = None
) -> ParallelEnv[str, Observation, int]:
    """Return the game with all seats at each step; see `env`.

    Both seats of a duel set up at once. Later, the seats that are not asked wait: their masks allow
    0 alone, and whatever they send counts as that.
    """
    return StepEnvironment(variant, options, render_mode)


class _Described:
    """What both environments tell of a game before it begins."""

    def __init__(
        self,
        variant: str,
        options: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, *RENDER_MODES):
            known = " or ".join(RENDER_MODES)
            raise ValueError(f"render_mode is {render_mode!r}, and it can be {known}")
        self.game = NumberGame(variant, options)
        rules = self.game.variant
        name = f"{rules.slug}_v{rules.version}"
        self.metadata = {"name": name, "render_modes": list(RENDER_MODES)}
        self.render_mode = render_mode
        self.possible_agents = list(rules.seats)
        self.observation_spaces, self.action_spaces = self.game.spaces()

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """Return the space of what a seat observes."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """Return the space of a seat's numbers."""
        return self.action_spaces[agent]

    def render(self) -> str | Pixels | None:
        """Return the game as it is, with all that its seats hide, in the mode that was chosen."""
        if self.render_mode is None:
            return None
        return RENDER_MODES[self.render_mode](self.game.scene())


class TurnEnvironment(_Described, AECEnv[str, Observation, int | None]):  # type: ignore[misc] # no types
    """A game in turn. Where several seats are asked, they act in the order of the seats."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. The options of the rules are chosen with `env`, so `options` are none."""
        del options
        self.game.begin(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, str]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.game.asked()[0]

    def observe(self, agent: str) -> Observation:
        """Return what a seat sees and may do."""
        return self.game.observe(agent)

    def step(self, action: int | None) -> None:
        """Take the number of the agent that is selected, or None of one whose game is over."""
        agent = self.agent_selection
        if action is None or self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        game = self.game
        self._cumulative_rewards[agent] = 0.0
        game.step({agent: action})
        if game.result is None:
            self.agent_selection = game.asked()[0]
            return
        self.rewards = game.rewards()
        ending = self.truncations if game.is_capped() else self.terminations
        ending.update(dict.fromkeys(self.agents, True))
        self.infos = {seat: game.facts() for seat in self.agents}
        self.agent_selection = self.agents[0]
        self._accumulate_rewards()


class StepEnvironment(_Described, ParallelEnv[str, Observation, int]):  # type: ignore[misc] # same
    """A game whose seats all act at each step, most of them by waiting."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a game. The options of the rules are chosen with `parallel_env`."""
        del options
        self.game.begin(seed)
        self.agents = self.possible_agents[:]
        observed = {agent: self.game.observe(agent) for agent in self.agents}
        return observed, {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Take the numbers of all seats; those of seats that are not asked change nothing."""
        if not self.agents:
            return {}, {}, {}, {}, {}
        game, agents = self.game, self.agents
        game.step({seat: actions[seat] for seat in game.asked()})
        over, capped = game.result is not None, game.is_capped()
        if over:
            self.agents = []
        return (
            {agent: game.observe(agent) for agent in agents},
            game.rewards(),
            dict.fromkeys(agents, over and not capped),
            dict.fromkeys(agents, capped),
            {agent: dict(game.facts()) for agent in agents},
        )
