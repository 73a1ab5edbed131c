"""A first bot: any legal action of any variant. Copy it and replace the dice by a thought."""

import json
import random
import sys
from typing import Any


def deployment(view: dict[str, Any], dice: random.Random) -> str:
    """Shuffle the army over its places, or some of the hand: set-ups are too many to be listed."""
    if "army" not in view:  # cards
        own = view["seats"][view["observer"]]
        return "".join(dice.sample(own["hand"], min(len(own["line"]), len(own["hand"]))))
    army = view["army"].get("garrison", view["army"])
    ranks = [rank for rank, count in army.items() for _ in range(count)]
    dice.shuffle(ranks)
    return "".join(ranks)


def say(message: dict[str, Any]) -> None:
    """Send one line, at once."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Answer line by line."""
    dice = random.Random()  # noqa: S311 - a game
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start":
            dice.seed(message["rng_seed"])
            say({"type": "ready"})
        elif message["type"] == "act":
            listed = message.get("legal")
            action = dice.choice(listed) if listed else deployment(message["view"], dice)
            say({"action": action})


if __name__ == "__main__":
    main()
