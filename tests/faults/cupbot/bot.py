"""Legal actions by chance that follows from the game alone: the same game is played the same way.

No two of these bots play alike: each has a number of its own.
"""

import hashlib
import json
import sys
from typing import Any

NUMBER = 0


class Player:
    """A seat of one game: what it answers follows from its dice and what it has been asked."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._dice = ""
        self._asked = 0

    def answer(self, message: dict[str, Any]) -> dict[str, str] | None:
        if message["type"] == "start":
            self._dice, self._asked = str(message["rng_seed"]), 0
            return {"type": "ready"}
        if message["type"] != "act":
            return None
        self._asked += 1
        if "legal" in message:
            legal = sorted(message["legal"])
            return {"action": legal[self._toss("action") % len(legal)]}
        army = [rank for rank, count in message["view"]["army"].items() for _ in range(count)]
        army.sort(key=lambda rank: rank != "F")
        rest = sorted(enumerate(army[1:]), key=lambda each: self._toss(f"{each}"))
        return {"action": "".join([army[0], *(rank for _, rank in rest)])}

    def _toss(self, what: str) -> int:
        asked = f"{self._number}/{self._dice}/{self._asked}/{what}"
        return int.from_bytes(hashlib.sha256(asked.encode()).digest()[:6], "big")


def main() -> None:
    player = Player(NUMBER)
    for line in sys.stdin:
        answer = player.answer(json.loads(line))
        if answer is not None:
            sys.stdout.write(f"{json.dumps(answer)}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
