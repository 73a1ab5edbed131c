"""Simulate the whole path of matches in fleets of many sizes, and print what came of it.

The status is 1 if something does not hold that docs/explanation/scheduling.md states.
"""

import argparse
import os
import sys

import django


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.integration.queue.whole_path", description=__doc__
    )
    parser.add_argument("--seed", type=int, default=1, help="(1)")
    parser.add_argument("--only", metavar="CELL", default="", help="part of the names of cells")
    parser.add_argument("--scale", type=float, default=1.0, help="times as many matches (1)")
    given = parser.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    # It needs the settings.
    from tests.integration.queue.whole_path import cells  # noqa: PLC0415 - see above

    return cells.run(rng_seed=given.seed, only=given.only, scale=given.scale)


if __name__ == "__main__":
    sys.exit(main())
