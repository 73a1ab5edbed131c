"""Games as numbers, for programs that learn; it needs the extra `learn`.

`botkit.learning.environments` has the environments of PettingZoo. A bot that has learned plays as a
`NumberBot`, which needs numpy only.
"""

from botkit.learning.missing import not_installed

try:
    from botkit.learning.bots import NumberBot
    from botkit.learning.encoding import Encoding, NotLegal, Spelling, encoding_of
except ModuleNotFoundError as problem:
    raise not_installed(problem) from problem

__all__ = ["Encoding", "NotLegal", "NumberBot", "Spelling", "encoding_of"]
