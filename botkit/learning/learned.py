"""A bot that plays by a policy that was learned by self-play; it needs `drapeau[learn]`."""

from pathlib import Path

from botkit import run
from botkit.learning import NumberBot
from botkit.learning.policy import Floats, Policy

POLICY = Path(__file__).with_name("policy.npz")


class Learned(NumberBot):
    """Draws from the chances of the policy, so that nobody can foresee its choice."""

    def begin(self) -> None:
        """Read what was learned."""
        self._policy = Policy.load(POLICY)

    def choose(self, observation: Floats, mask: Floats) -> int:
        """Draw a number."""
        guess = self._policy.guess(observation.reshape(1, -1), mask.astype(bool)[None])
        chances = guess.chances[0].tolist()
        return self.rng.choices(range(len(chances)), chances)[0]


if __name__ == "__main__":
    run(Learned)
