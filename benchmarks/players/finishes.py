"""How many matches a second runners finish on one ladder, where they all wait for its lock.

The ladder has thousands of bots, on PostgreSQL. The matches were played before; four processes,
as four runners, end them as fast as they can. Prints `{"ours": [a second], "theirs": [goal]}`, and
a line on standard error.
"""

import argparse
import json
import os
import sys
import tempfile

GOAL_PER_S = 100


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, help="taken and not needed: matches are counted")
    parser.add_argument("--bots", type=int, default=5000)
    parser.add_argument("--matches", type=int, default=800, help="of a round")
    parser.add_argument("--runners", type=int, default=4)
    given = parser.parse_args()
    server = os.environ.get("DRAPEAU_TEST_POSTGRES_URL")
    if not server:
        sys.exit("no PostgreSQL: python -m tools.services run -- make bench brings one")
    with tempfile.TemporaryDirectory() as folder:
        settings = {
            "DJANGO_SETTINGS_MODULE": "arena.settings",
            "DRAPEAU_DATA_DIR": folder,
            "DATABASE_URL": server,
            "DRAPEAU_BROKER_URL": "memory://",
        }
        os.environ.update(settings)
        # Only now can Django be asked for its rows.
        from benchmarks.players import finishes_site  # noqa: PLC0415 - its settings are made above

        found = finishes_site.measure(
            bots=given.bots, matches=given.matches, runners=given.runners, rounds=given.rounds
        )
    words = ", ".join(f"{each:.0f}" for each in found)
    print(f"{given.runners} runners on one ladder: {words} matches a second", file=sys.stderr)
    print(json.dumps({"ours": found, "theirs": [GOAL_PER_S] * len(found)}))


if __name__ == "__main__":
    main()
