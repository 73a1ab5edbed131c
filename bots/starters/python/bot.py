"""A first bot: any legal action of any variant. Copy the folder and replace the dice by a thought."""

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


def main() -> None:
    """Answer line by line."""
    dice = random.Random()  # noqa: S311 - a game
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start":
            dice.seed(message["rng_seed"])
            print(json.dumps({"type": "ready"}), flush=True)
        elif message["type"] == "act":
            listed = message.get("legal")
            action = dice.choice(listed) if listed else deployment(message["view"], dice)
            print(json.dumps({"action": action}), flush=True)


if __name__ == "__main__":
    main()
