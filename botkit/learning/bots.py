"""A bot that chooses among numbers: what has learned in an environment plays in the arena."""

from collections.abc import Sequence

from botkit.bot import Bot
from botkit.learning.encoding import Encoding, Json, Mask, Spelling, Tensor, encoding_of
from botkit.view import View


class NumberBot(Bot[View]):
    """Override `choose`. It is called once for each token, as in an environment."""

    view_type = staticmethod(View)  # only its raw form is read
    _encoding: Encoding | None = None

    def choose(self, observation: Tensor, mask: Mask) -> int:
        """Return a number that the mask allows."""
        raise NotImplementedError

    def deploy(self, view: View) -> str:
        """Set up, one piece after the other."""
        return self._spelled(view.raw, None)

    def act(self, view: View, legal: Sequence[str]) -> str:
        """Act, in as many steps as it takes to write the action."""
        return self._spelled(view.raw, legal)

    def _spelled(self, view: Json, legal: Sequence[str] | None) -> str:
        if self._encoding is None:
            self._encoding = encoding_of(view)
        spelling, action = Spelling(self._encoding, view, legal), None
        while action is None:
            observation = self._encoding.tensor(view, spelling.tokens)
            action = spelling.add(int(self.choose(observation, spelling.mask())))
        return action
