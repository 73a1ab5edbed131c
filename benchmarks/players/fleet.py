"""How busy a simulated fleet of runner slots is kept, with the site's own rows and calls.

A ladder has thousands of bots. Match-making, claims, results, ratings and accounts are the site's,
on PostgreSQL; the games are not played. Time is simulated: a game takes a drawn time, and each call
takes the processor time that it took here, that of its process and that of the database. Prints
`{"ours": [slots that play], "theirs": [all slots]}`, and the matches a second on standard error.
"""

import argparse
import json
import os
import sys
import tempfile


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, help="taken and not needed: a round takes minutes")
    parser.add_argument("--seconds", type=float, help="taken and not needed: time is simulated")
    parser.add_argument("--slots", type=int, default=1000)
    parser.add_argument("--bots", type=int, default=5000)
    parser.add_argument("--match-s", type=float, default=40.0, help="the mean length of a match")
    parser.add_argument("--matches", type=float, default=1.0, help="of a slot")
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
        from benchmarks.players import fleet_site  # noqa: PLC0415 - its settings are made above

        found = fleet_site.measure(
            slots=given.slots,
            bots=given.bots,
            match_s=given.match_s,
            lasts_s=given.matches * given.match_s,
        )
    print(found.words(), file=sys.stderr)
    print(json.dumps({"ours": [found.playing], "theirs": [given.slots]}))


if __name__ == "__main__":
    main()
