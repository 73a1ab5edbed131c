"""The bot that the doctor starts: it receives the name of an experiment and answers the result.

One line of JSON each way: the answer to {"try": "network"} is [true, "no way out"]. Some
experiments need a word, as in {"try": "find_names", "with": ["a word"]}. An experiment that fails
in an unexpected way proves nothing, so its guarantee counts as broken.
"""

import json
import sys
from collections.abc import Callable

from sandbox.doctor.probes import acts, calls, caps, files, network, selves, shared

SEEN_MAX_CHARS = 300
MODULES = (network, files, selves, caps, calls, acts, shared)


def experiment(name: str) -> Callable[..., tuple[bool, str]]:
    """Return the function of that name; classes of system calls share one function."""
    for module in MODULES:
        if function := vars(module).get(name):
            return function  # type: ignore[no-any-return]  # every public function there is one
    return lambda: calls.of_class(name)


def main() -> None:
    """Run the requested experiments, one at a time."""
    for line in sys.stdin:
        try:
            asked = json.loads(line)
            held, seen = experiment(asked["try"])(*asked.get("with", ()))
        except Exception as error:  # noqa: BLE001 - any failure is an answer
            held, seen = False, f"the experiment failed: {error!r}"
        sys.stdout.write(json.dumps([held, seen[:SEEN_MAX_CHARS]]) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
