"""Any legal action at once, without a library: it starts quickly and never forfeits."""

import json
import random
import sys


def answer(message: dict[str, str]) -> None:
    sys.stdout.write(f"{json.dumps(message)}\n")
    sys.stdout.flush()


for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "start":
        answer({"type": "ready"})
    elif asked["type"] == "act" and "legal" in asked:
        answer({"action": random.choice(asked["legal"])})
    elif asked["type"] == "act":
        army = [rank for rank, count in asked["view"]["army"].items() for _ in range(count)]
        army.sort(key=lambda rank: (rank != "F", random.random()))  # the flag far from any scout
        answer({"action": "".join(army)})
