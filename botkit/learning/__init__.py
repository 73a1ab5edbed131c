"""PettingZoo environments of every game of the engine; they need the extra `learn`.

`env("classic")` is the game in turn (AEC), `parallel_env("classic")` asks all seats at each step.
"""

from importlib.util import find_spec

_MISSING = [name for name in ("gymnasium", "numpy", "pettingzoo") if find_spec(name) is None]
if _MISSING:
    raise ModuleNotFoundError(
        f"botkit.learning needs {' and '.join(_MISSING)}, which the bot kit does not install by "
        'itself. Install its extra: pip install "drapeau[learn]"'
    )

from botkit.learning.bots import NumberBot  # noqa: E402 - says first what is not installed
from botkit.learning.encoding import Encoding, Spelling  # noqa: E402 - the same
from botkit.learning.environments import env, parallel_env  # noqa: E402 - the same
from botkit.learning.families import encoding_of  # noqa: E402 - the same

__all__ = ["Encoding", "NumberBot", "Spelling", "encoding_of", "env", "parallel_env"]
