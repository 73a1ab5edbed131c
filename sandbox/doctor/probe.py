"""The bot that the doctor seats: asked for an experiment by its name, it answers what came of it.

One line of JSON each way: {"try": "network"} is answered by [true, "no way out"]. An experiment
that fails in a way of its own has shown nothing, so its promise counts as broken.
"""

import json
import sys
from collections.abc import Callable

from sandbox.doctor.probes import acts, calls, caps, network, places, selves

SEEN_MAX_CHARS = 300
MODULES = (network, places, selves, caps, calls, acts)


def experiment(name: str) -> Callable[[], tuple[bool, str]]:
    """Find the function of that name; a class of system calls needs none of its own."""
    for module in MODULES:
        if found := vars(module).get(name):
            return found  # type: ignore[no-any-return]  # every public function there is one
    return lambda: calls.of_class(name)


def main() -> None:
    """Do as we are told, one thing at a time."""
    for line in sys.stdin:
        try:
            held, seen = experiment(json.loads(line)["try"])()
        except Exception as error:  # noqa: BLE001 - whatever it is, it is an answer
            held, seen = False, f"the experiment failed: {error!r}"
        sys.stdout.write(json.dumps([held, seen[:SEEN_MAX_CHARS]]) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
